"""Verbs that names and documentation of code begin with, in the forms they take there."""

from functools import lru_cache

VERBS = frozenset(
    """
    abort accept access acquire activate adapt add adjust advance align allocate allow analyse analyze animate
    announce append apply approve archive arrange ask assemble assert assign attach attempt audit authenticate
    authorize await backup balance begin benchmark bind blend block boot bootstrap branch break broadcast browse
    buffer build bump bundle cache calculate call cancel capitalize capture cast catch center chain change check
    choose chunk claim clamp classify clean cleanup clear click clip clone close coerce collapse collect color
    combine commit compact compare compile complete compose compress compute concat concatenate configure confirm
    connect consume construct contain contains continue convert copy correct count crash crawl create crop cut
    cycle deactivate debounce debug decide declare decode decompress decorate decrement decrypt deduplicate define
    defer deflate delay delegate delete deliver demonstrate denormalize deploy deprecate dequeue derive describe
    deserialize destroy detach detect determine diff disable discard disconnect discover dispatch display dispose
    divide do document dot download drain draw drop dump duplicate edit eject embed emit enable encode encrypt end
    enforce enqueue ensure enter enumerate erase escape establish estimate evaluate examine exclude exec execute
    exit exist exists expand expect expire explain export expose extend extract fail fake fallback feed fetch fill
    filter finalize find finish fire fit fix flag flash flatten flip flush focus fold follow force fork form
    format forward free freeze fuse gather generate get give go grab grant group grow guard guess guide handle
    hash heat help hide hint hold hook identify ignore implement import include increment index indent infer inflate
    inform inherit init initialise initialize inject insert inspect install instantiate intern interpolate
    interpret intersect introduce invalidate inverse invert invoke isolate iterate join jump keep kill label
    launch leave lex lift limit link lint list listen load localize locate lock log login logout look lookup loop
    lower maintain make manage mangle map mark mask match materialize measure merge migrate mine minify mirror mix
    mock modify monitor mount move multiply mutate name navigate negate negotiate normalise normalize notify null
    number obtain offer offset omit open optimise optimize order override overwrite own pack pad paginate paint
    panic parse partition pass paste patch pause peek perform permit persist pick pin ping pipe place plan play
    plot poll pop populate post predict prefetch prepare prepend present preserve press prettify prevent print
    prioritize probe process produce profile project promote prompt propagate protect prove provide prune publish
    pull purge push put quantize query queue quit quote raise rank reach react read rebase rebuild receive
    recompute reconcile reconnect record recover redirect redo reduce refer refine reflect refresh refuse register
    reject relate relax release reload remember remind remove rename render reopen reorder repair repeat replace
    replay reply report represent reproduce request require resample reserve reset resize resolve respond restart
    restore restrict resume retain retrieve retry return reuse reverse revert review rewind rewrite roll rotate
    round route run sample sanitize satisfy save scale scan schedule score scroll seal search seek select send
    separate serialise serialize serve set settle setup shift show shrink shuffle shut shutdown sign signal
    simplify simulate skip sleep slice slide slugify smooth solve sort spawn specify spin splice split spread
    stack stage start state step stop store stream strip style submit subscribe subtract suggest sum summarize
    supply support suppress suspend swap switch sync synchronize tag take tell terminate test throttle throw
    toggle tokenize touch trace track train transfer transform translate transpose traverse trigger trim truncate
    try tune turn type unbind uncompress undo unescape unfold unhandle uninstall unit unload unlock unmarshal
    marshal unmount unpack unregister unset unshift unsubscribe unwind unwrap unzip update upgrade upload upsert
    use validate verify view visit vote wait wake walk want warm warn watch work wrap write yield zip zoom
    """.split()
)
"""Base forms, written down from the names of functions in many projects; whatever is missing is taken for a noun."""

NOUN_TOO = frozenset(
    """
    access address balance block branch buffer cache call chain change color count cycle document dot end flag
    form group hash help hook index label level limit link list lock log look map mark mask match name null number
    offset order own pack patch pin place plan point post process profile project query queue record report
    request return review route sample scale score set sign signal stack stage start state step store stream style
    sum support switch tag test time trace track type unit use value view vote want
    """.split()
)
"""Verbs that stand for a thing when nothing follows them: `list`, `name`, `state`."""

AGENTS = {
    "adapter": "adapt", "allocator": "allocate", "analyser": "analyze", "analyzer": "analyze", "builder": "build",
    "client": "call", "collector": "collect", "comparator": "compare", "compiler": "compile", "config": "configure",
    "configuration": "configure", "connection": "connect to", "controller": "control", "converter": "convert",
    "context": "hold", "decoder": "decode", "dispatcher": "dispatch", "encoder": "encode", "error": "report",
    "exception": "report", "executor": "execute", "exporter": "export", "factory": "create", "fetcher": "fetch",
    "filter": "filter", "finder": "find", "formatter": "format", "generator": "generate", "handler": "handle",
    "helper": "help with", "helpers": "help with", "importer": "import", "iterator": "iterate over",
    "lexer": "tokenize", "listener": "listen to", "loader": "load", "logger": "log", "manager": "manage",
    "mapper": "map", "matcher": "match", "middleware": "process", "monitor": "monitor", "observer": "observe",
    "options": "configure", "parser": "parse", "plugin": "plug in", "pool": "pool", "printer": "print",
    "processor": "process", "producer": "produce", "provider": "provide", "publisher": "publish",
    "reader": "read", "receiver": "receive", "registry": "register", "renderer": "render", "repository": "store",
    "resolver": "resolve", "router": "route", "runner": "run", "scanner": "scan", "scheduler": "schedule",
    "sender": "send", "serializer": "serialize", "server": "serve", "service": "serve", "settings": "configure",
    "spec": "test", "storage": "store", "store": "store", "strategy": "decide", "stream": "stream",
    "subscriber": "subscribe to", "suite": "test", "test": "test", "tests": "test", "tester": "test",
    "tokenizer": "tokenize", "tracker": "track", "transformer": "transform", "transport": "transport",
    "util": "help with", "utils": "help with", "utilities": "help with", "validator": "validate",
    "visitor": "visit", "walker": "walk", "watcher": "watch", "worker": "work on", "wrapper": "wrap",
    "writer": "write",
}  # fmt: skip
"""What a thing with such a last word does: a `ConfigLoader` loads configs."""


@lru_cache(20_000)
def base_form(word: str) -> str:
    """The verb that a lower-case word is a form of (`loads`, `loading`, `load`), or nothing."""
    for form in _base_forms(word):
        if form in VERBS:
            return form
    return ""


def _base_forms(word: str) -> list[str]:
    forms = [word]
    if word.endswith("s") and not word.endswith("ss"):
        forms += [word[:-1], word[:-2], word[:-3] + "y"]
    if word.endswith("ing") and len(word) > 5:
        root = word[:-3]
        forms += [root, root + "e", root[:-1] if root[-1] == root[-2] else root]
    return forms
