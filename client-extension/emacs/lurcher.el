;;; lurcher.el --- Search code with Lurcher  -*- lexical-binding: t -*-

;; Needs eglot, which comes with Emacs 29, and the program `lurcher'. Load this file, open a file of a project, run M-x
;; eglot, and search with M-x lurcher-search.

;;; Code:

(require 'eglot)
(require 'grep)
(require 'url-util)

(add-to-list 'eglot-server-programs '(prog-mode . ("lurcher" "serve")))

(defun lurcher-line (chunk)
  "One line about CHUNK, in the form that `grep-mode' understands."
  (let ((path (url-filename (url-generic-parse-url (plist-get chunk :uri))))
        (start (plist-get (plist-get chunk :range) :start)))
    (format "%s:%d:%s\n"
            (decode-coding-string (url-unhex-string path) 'utf-8)
            (1+ (plist-get start :line))
            (car (split-string (plist-get chunk :rawText) "\n" t)))))

(defun lurcher-search (query)
  "Search the workspace for QUERY and list what is found."
  (interactive "sSearch the workspace: ")
  ;; eglot keeps edits back until nothing is typed for a while.
  (eglot--signal-textDocument/didChange)
  (let ((answer (jsonrpc-request (or (eglot-current-server) (user-error "Run M-x eglot first"))
                                 :workspace/chunkSearch
                                 (list :query query :maxResults 20 :sync t)))
        (inhibit-read-only t))
    (with-current-buffer (get-buffer-create "*lurcher*")
      (erase-buffer)
      (mapc (lambda (chunk) (insert (lurcher-line chunk))) (plist-get answer :chunks))
      (grep-mode)
      (goto-char (point-min))
      (display-buffer (current-buffer)))
    answer))

(provide 'lurcher)

;;; lurcher.el ends here
