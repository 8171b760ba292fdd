"""What assistants are told: how the tools are meant to be used, and what each kind of empty answer means."""

from lurcher_index.answers import Empty
from lurcher_server.mcp.shapes import Outcome

INSTRUCTIONS = """\
Lurcher searches the code of the workspace that is open on this machine. It is offline: nothing is sent anywhere.

Which tool:
- search_code: you know what the code does, not where it is. Ask in plain words or with names.
- find_symbol: you know the name, or part of the name, of a function, class or other definition.
- locate_issue: you have a bug report, a finding or a stack trace and want the places it is about.
- who_calls: you know a function or class and want its callers, what it calls, or everything that uses it.
- explore_graph: you want to see how some code hangs together: what contains, calls, imports or inherits what.
- fetch_node: you have an id (`src/app.py:Server.start`, a file or a folder) and want its code and members.
- index_status: an answer said that files are pending, or you want to know what is indexed.

Ids name files (`src/app.py`), folders (`src/db`) and definitions (`src/app.py:Server.start`, the second of that name in
the file with #2). Every tool gives them and takes them; one that names nothing is reported, never guessed.
Paths are relative to the workspace (with several folders: the folder's name first); lines count from 1. Answers read
files as they are on disk now, so an edit is seen by the next call. What you were shown once in a conversation is not
shown again unless you ask with include_seen or the code has changed; the answer says how many results that concerns.
"Nothing matches", "not indexed yet" and "the search failed" are different answers: read the first line."""

SEARCH_CODE = """\
Find code in the workspace by what it does or by words and names in it. Use it before reading files one by one, and for
questions such as "where are retries configured", "how is a session expired", "parse HTTP header".

The answer has the project, then numbered results, best first: path and lines, symbol, kind of match (name, words,
meaning), score from 0 to 1. The first two are whole (the whole function or class where it fits), the others
are skeletons: signature, first line of the documentation, and the lines with your words, with … for the rest. Read a
skeleton's full text as the resource lurcher://chunk/<id>, or open the file.

mode says what the question is compared with: snippets (default) with everything at once, features with names,
documentation and paths alone, auto with features first; in auto mode snippets run only when features are insufficient,
that is, when nothing or only weak matches were found, and the answer says which stage it is from.

searchScopes keeps the search inside files, folders, definitions or features: ids (`src/app.py:Server`), folders
(`src/db`), or feature paths of earlier results; several are joined, unknown ones reported.

Everything stays within token_budget. Results you were shown before are left out and counted; set include_seen to get
them again. What is too weak to be an answer is named with a line of its code; set include_weak to get all of it. An
empty answer says why: nothing matches, nothing seems to answer, the index is not complete yet, filters leave no file,
you have seen all of it, or the search failed. A question such as "who calls X" is answered from the call graph. Notes
say when an answer is degraded, for example by words alone."""

FIND_SYMBOL = """\
Find definitions by name: functions, methods, classes, types, constants, headings, in every indexed language. Exact
names come first, then beginnings, parts and letters in order ("gUD" finds getUserData); case only breaks ties. Write
Class.method or module.function to narrow by what contains it. Use search_code if you do not know the name.

The answer lists each definition with its kind, path and lines; it has no code."""

INDEX_STATUS = """\
What is indexed: folders, files that can be found, files still pending, what was left out and why, whether the index is
complete, and what went wrong, if anything. With wait_seconds it waits that long for a running build, and reports
progress; use that when a search said that files are pending and you need all of them."""

WHO_CALLS = """\
Answer "who calls X", "what does X call" and "where is X used" from the call graph, for every indexed language. X is a
name as it is written in the code (case counts), Class.method, module:function, or an id from another answer.

direction: callers = who calls it; callees = what it calls; references = who calls, imports or inherits it. Each use has
the definition it stands in, its line, and how sure it is that this X is meant (0 to 1, with the reason): the graph is
read from the text without running it, and namesakes are told apart by imports, classes and scope. "Defined, but nothing
calls it" and "not known" are different answers. Use search_code for code that you cannot name."""

EXPLORE_GRAPH = """\
Show how code hangs together around some ids: what contains, calls (invokes), imports, inherits or is made of (composes)
what, a few steps far. up = towards what uses or contains it, down = towards what it uses or contains. Good for finding
what a change may touch, or for an overview of a folder or class. Start with depth 1 or 2; answers grow quickly."""

FETCH_NODE = """\
Get the code of definitions, files or folders by id, with what contains them and what they contain. Use it after the
other tools, when you need the whole of something of which you saw a part. Ids that name nothing are reported; a file
that changed a moment ago says so instead of showing stale code."""

LOCATE_ISSUE = """\
From a bug report, review finding or stack trace to the places in the code it is about. It decides how to look (for
literal text, for names and their uses, or for the structure of code), tries real tools in order, falls back to others
and says what it did. Give the report's own words; add codeSnippet if you have the code it quotes, and goal for what you
need: find-location (default), analyze-impact (all uses), find-duplicates (code of the same shape), verify-fix.

The answer has the decision with its confidence (0 to 100) and reasons, the patterns it looked for, the places, best
first, and every tool that was tried. If no tool finds anything, the places are those of search_code, and the chain says
so. Use search_code for questions that are no issue."""

CHUNK = """\
A piece of code that a search has shown, by its id, whole and as it is in its file now. It is gone when its text was
edited: search again then."""

EMPTY: dict[Empty, tuple[Outcome, str]] = {
    Empty.NO_MATCH: (
        "no match",
        "Nothing in the workspace matches. Try other words or a name, or leave filters out if there are any.",
    ),
    Empty.BELOW_SPREAD: (
        "no match",
        "Nothing here seems to answer this: the workspace may not have it, or say it otherwise. Look at the weaker"
        " places, ask with include_weak, or try other words or a name.",
    ),
    Empty.NOT_INDEXED: (
        "not indexed yet",
        "Nothing was found so far, but the index is not complete: this does not mean that there is nothing."
        " Call index_status with wait_seconds, then ask again.",
    ),
    Empty.NO_FILES: (
        "no files",
        "The workspace has no files that can be searched. index_status says what was left out.",
    ),
    Empty.ALL_EXCLUDED: (
        "everything excluded",
        "No indexed file passes the filters (languages, filePattern, paths, content, searchScopes). Loosen them.",
    ),
    Empty.UNKNOWN_SCOPE: (
        "unknown",
        "None of the searchScopes names anything. Take ids from find_symbol or search_code, or folders.",
    ),
    Empty.ALL_SEEN: (
        "already shown",
        "Everything that matches was shown to you before in this conversation. Set include_seen to get it again.",
    ),
    Empty.NO_USES: ("no match", "The call graph knows no such use; who_calls says more."),
    Empty.FAILED: ("failed", "The search failed, so this says nothing about the code; the notes say what went wrong."),
}
"""For each kind of empty answer its name and what to do about it."""
