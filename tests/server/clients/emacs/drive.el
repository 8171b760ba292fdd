;;; drive.el --- Types into a buffer, searches, and writes what came back to $LURCHER_SEEN  -*- lexical-binding: t -*-

;; Loaded after the text of the page. Arguments: the file to open.

(setq eglot-sync-connect 120 eglot-connect-timeout 120 jsonrpc-event-hook nil)

(defun drive (file)
  "Open FILE, type something that is not saved, and search for it with the command of the page."
  (find-file file)
  (apply #'eglot (eglot--guess-contact))
  (let ((server (eglot--current-server-or-lose)) (found nil))
    (while (not (equal "ready" (plist-get (jsonrpc-request server :workspace/chunkSearch/status nil) :state)))
      (accept-process-output nil 0.1))
    (goto-char (point-max))
    (insert "\n\ndef okapi_crossing():\n    return 'not saved'\n")
    (setq found (lurcher-search "okapi crossing"))
    (list :typed found
          :buffer (with-current-buffer "*lurcher*" (buffer-string))
          :mode (with-current-buffer "*lurcher*" (symbol-name major-mode)))))

(let* ((seen (condition-case problem (drive (car command-line-args-left))
               (error (list :problem (format "%S" problem)))))
       (coding-system-for-write 'utf-8))
  (ignore-errors (eglot-shutdown-all))
  (with-temp-file (getenv "LURCHER_SEEN") (insert (json-serialize seen :null-object nil :false-object :json-false)))
  (kill-emacs 0))
