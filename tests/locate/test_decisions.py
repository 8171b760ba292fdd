"""From an issue to a decision and patterns: the printed examples, the score table, its guards, and the old traps."""

from collections.abc import Callable

import pytest

from lurcher_index.errors import BadQuery
from lurcher_index.locate.issue import Goal, Issue
from lurcher_index.locate.patterns import (
    MAX_PATTERN_CHARACTERS,
    MAX_PATTERNS,
    MAX_WORDS,
    patterns_of,
    plain,
    structure_of,
)
from lurcher_index.locate.scoring import BASES, Strategy, Weights, decide
from lurcher_index.locate.signals import EXACT_CODE_CHARACTERS, Signals, signals_of

CODE, SEMANTIC, PATTERN = Strategy

INJECTION = Issue(
    description="SQL injection in getUserData function",
    category="SQL Injection",
    code_snippet="const query = `SELECT * FROM users WHERE id = ${userId}`;",
)
UNDEFINED = Issue(description="validateUserInput function is not defined", category="Missing Implementation")
HARDCODED = Issue(description="Hardcoded API key found", code_snippet="const API_KEY = 'sk-1234567890abcdef';")


def scores(signals: Signals, weights: Weights | None = None) -> tuple[int, int, int]:
    found = decide(signals, weights).scores
    return found[CODE], found[SEMANTIC], found[PATTERN]


def patterns(issue: Issue) -> tuple[str, ...]:
    return patterns_of(issue, signals_of(issue))


# -- the printed examples


@pytest.mark.parametrize(
    ("issue", "primary", "fallback", "wanted"),
    [
        (INJECTION, CODE, SEMANTIC, ("SELECT * FROM users", "getUserData", "${userId}")),
        (UNDEFINED, SEMANTIC, PATTERN, ("validateUserInput",)),
        (HARDCODED, CODE, PATTERN, ("sk-1234567890abcdef", "API_KEY")),
    ],
    ids=["sql injection", "missing function", "hardcoded key"],
)
def test_the_printed_examples(issue: Issue, primary: Strategy, fallback: Strategy, wanted: tuple[str, ...]) -> None:
    decision = decide(signals_of(issue))
    assert (decision.primary, decision.fallback) == (primary, fallback)
    assert patterns(issue) == wanted


def test_confidence_is_the_primarys_score_and_clamped() -> None:
    decision = decide(signals_of(INJECTION))
    assert decision.confidence == decision.scores[CODE] == 100


def test_an_issue_without_signals_keeps_the_bases() -> None:
    assert BASES == {CODE: 50, SEMANTIC: 40, PATTERN: 45}
    decision = decide(signals_of(Issue(description="the window flickers now and then")))
    # Nothing in it can be looked up, which takes 30 from the symbols.
    assert decision.scores == {CODE: 50, SEMANTIC: 10, PATTERN: 45}
    assert (decision.primary, decision.fallback, decision.confidence) == (CODE, PATTERN, 50)


# -- the score table, row by row; the last row, nothing to look up, takes 30 from the symbols in most of them


@pytest.mark.parametrize(
    ("signals", "wanted"),
    [
        (Signals(literal_string=True), (80, 10, 20)),
        (Signals(literal_string=True, structural=True), (80, 10, 80)),
        (Signals(symbols=("f",), goal=Goal.VERIFY_FIX), (30, 80, 45)),
        (Signals(symbols=("f",), exact_code=True, goal=Goal.VERIFY_FIX), (75, 80, 30)),
        (Signals(exact_code=True), (75, 10, 30)),
        (Signals(functions=("f",), symbols=("f",), goal=Goal.VERIFY_FIX), (30, 100, 45)),
        (Signals(snippet_functions=("f",)), (50, 70, 45)),
        (Signals(structural=True), (50, 10, 80)),
        (Signals(sql_injection=True), (70, 10, 45)),
        (Signals(hardcoded_secret=True), (75, 0, 45)),
        (Signals(goal=Goal.ANALYZE_IMPACT), (35, 45, 45)),
        (Signals(goal=Goal.FIND_DUPLICATES), (50, 10, 75)),
        (Signals(symbols=("f",)), (30, 100, 45)),
        (Signals(literals=("text",)), (65, 10, 45)),
        (Signals(variables=("v",), goal=Goal.VERIFY_FIX), (50, 25, 45)),
        (Signals(missing_validation=True), (50, 10, 70)),
        (Signals(control_flow=True), (50, 10, 65)),
        (Signals(performance=True), (50, 10, 65)),
        (Signals(control_flow=True, performance=True), (50, 10, 85)),
        (Signals(), (50, 10, 45)),
    ],
)
def test_every_row_of_the_table(signals: Signals, wanted: tuple[int, int, int]) -> None:
    assert scores(signals) == wanted


def test_scores_are_clamped_to_0_and_100() -> None:
    everything = Signals(
        literal_string=True, literals=("x",), exact_code=True, sql_injection=True, hardcoded_secret=True
    )
    assert scores(everything) == (100, 0, 5)


def test_a_tie_keeps_the_declared_order() -> None:
    # 50 + 20 + 30 and 45 + 35 + 20 are both 100.
    tie = Signals(sql_injection=True, literal_string=True, structural=True, performance=True)
    assert scores(tie)[0] == scores(tie)[2] == 100
    assert decide(tie).primary is CODE
    assert decide(tie).fallback is PATTERN


def test_a_forced_strategy_wins_and_the_best_other_is_its_fallback() -> None:
    decision = decide(signals_of(INJECTION), forced=PATTERN)
    assert (decision.primary, decision.fallback) == (PATTERN, CODE)
    assert decision.confidence == decision.scores[PATTERN] == 5
    assert "forced" in decision.reasoning


def test_the_two_weights_can_be_set() -> None:
    assert scores(Signals(literal_string=True), Weights(literal_string=40)) == (90, 10, 20)
    named = Signals(symbols=("f",), goal=Goal.VERIFY_FIX)
    assert scores(named, Weights(symbol_name=50)) == (30, 90, 45)


def test_the_reasoning_says_in_words_what_spoke_for_the_winner() -> None:
    assert decide(signals_of(UNDEFINED)).reasoning == (
        "names a symbol; names a function; the definition of a symbol is its location"
    )


# -- signals


def signal(name: str) -> Callable[[Issue], bool]:
    return lambda issue: bool(getattr(signals_of(issue), name))


@pytest.mark.parametrize(
    ("name", "yes", "no"),
    [
        ("structural", "nested loops", "the nest is patterned and structured"),
        ("structural", "an anti-pattern here", "antipathy"),
        ("structural", "duplicate code", "the duplication factor"),
        ("sql_injection", "SQL-injection in login", "injection of dependencies by sql"),
        ("hardcoded_secret", "hard-coded password", "hardcoded width"),
        ("hardcoded_secret", "Hardcoded API key", "the API key is rotated"),
        ("missing_validation", "missing input validation", "validation fails"),
        ("missing_validation", "user names are not validated", "missing semicolon"),
        ("performance", "slow query", "the slower path"),
        ("literal_string", 'prints "not found" twice', "prints it twice"),
        ("literal_string", "the SELECT in the report", "select a row in the report"),
    ],
)
def test_signals_by_whole_words(name: str, yes: str, no: str) -> None:
    assert signal(name)(Issue(description=yes))
    assert not signal(name)(Issue(description=no))


def test_exact_code_is_more_than_20_characters() -> None:
    assert not signals_of(Issue(code_snippet="x" * EXACT_CODE_CHARACTERS)).exact_code
    assert signals_of(Issue(code_snippet="x" * (EXACT_CODE_CHARACTERS + 1))).exact_code


def test_control_flow_counts_in_code_and_not_in_its_strings() -> None:
    assert signals_of(Issue(code_snippet="while (true) { go(); }")).control_flow
    assert not signals_of(Issue(code_snippet="print('if while for')")).control_flow


# -- names: the traps of the system that these rules come from


@pytest.mark.parametrize(
    "text",
    [
        "validateUserInput function is not defined",
        "the function validateUserInput is not defined",
        "function validateUserInput() is not defined",
        "the method `validateUserInput` is not defined",
        "validateUserInput() is not defined",
    ],
)
def test_a_name_stands_before_or_after_the_word_function(text: str) -> None:
    signals = signals_of(Issue(description=text))
    assert signals.functions == ("validateUserInput",) or signals.symbols == ("validateUserInput",)
    assert patterns(Issue(description=text)) == ("validateUserInput",)


@pytest.mark.parametrize("text", ["the function is slow", "this function was removed", "function which fails"])
def test_a_word_of_the_sentence_is_no_name(text: str) -> None:
    assert signals_of(Issue(description=text)).symbols == ()


@pytest.mark.parametrize(
    ("text", "name"), [("crash in function login", "login"), ("the function called login crashes", "login")]
)
def test_a_plain_word_is_a_name_where_the_sentence_says_so(text: str, name: str) -> None:
    assert signals_of(Issue(description=text)).functions == (name,)


@pytest.mark.parametrize("keyword", ["const", "return", "class", "function", "self", "await", "def", "None"])
def test_keywords_are_never_symbols(keyword: str) -> None:
    issue = Issue(
        description=f"`{keyword}` function, {keyword}() and the function {keyword} flicker",
        code_snippet=f"{keyword} (value) {keyword}",
    )
    signals = signals_of(issue)
    found = {*signals.symbols, *signals.functions, *signals.variables}
    found |= {*signals.snippet_names, *signals.snippet_functions}
    assert keyword not in found
    assert keyword not in patterns(issue)


def test_variables_are_those_that_prose_calls_so() -> None:
    signals = signals_of(Issue(description="the variable retryCount is never reset, nor is max_delay"))
    assert signals.variables == ("retryCount",)
    assert signals.symbols == ("retryCount", "max_delay")


# -- patterns


def test_patterns_are_unique_never_blank_and_at_most_five() -> None:
    many = " ".join(f"`name_{number % 8}`" for number in range(40)) + ' "   " "\t"'
    found = patterns(Issue(description=many))
    assert len(found) == MAX_PATTERNS == len(set(found))
    assert all(pattern.strip() for pattern in found)


def test_without_names_three_longer_words_of_the_description() -> None:
    found = patterns(Issue(title="Bug", description="The red window has flickered when resizing it to the left side"))
    assert found == ("window", "flickered", "resizing")
    assert len(found) == MAX_WORDS
    assert patterns(Issue(description="it is so odd")) == ()


def test_what_stands_in_another_pattern_is_left_out() -> None:
    assert patterns(Issue(description='the message "bad user_id given" names user_id')) == ("bad user_id given",)


def test_code_that_names_nothing_is_looked_for_by_its_longest_line() -> None:
    issue = Issue(description="odd", code_snippet="x = 1\nwhile x < 10 and y > 2:\n    x += 1")
    assert patterns(issue) == ("while x < 10 and y > 2:",)


@pytest.mark.parametrize("text", ["a\0b", "a\nb", "a\r\nb", "\n\na", "a\x1b[31m", "\ud800a", "a\u2028b"])
def test_a_pattern_is_one_plain_line(text: str) -> None:
    made = plain(text)
    assert made.startswith("a")
    assert not set(made) & set("\0\n\r\x1b\u2028\ud800")
    made.encode()


def test_megabytes_are_read_in_part_and_patterns_stay_short() -> None:
    text = "word`" * 300_000 + '"' + "x" * 1_000_000 + '"'
    issue = Issue(title=text, description=text, category=text, code_snippet=text)
    found = patterns(issue)
    assert all(len(pattern) <= MAX_PATTERN_CHARACTERS for pattern in found)


@pytest.mark.parametrize("text", ["(" * 50_000, "a" * 50_000 + "!", "'" * 50_000, '"\\' * 25_000, "missing " * 6_000])
def test_hostile_texts_are_understood_in_time(text: str) -> None:
    """None of these ends in an expression that takes the square of its input; the suite's timeout watches."""
    decide(signals_of(Issue(title=text, description=text, category=text, code_snippet=text)))
    structure_of(text)


# -- structures


@pytest.mark.parametrize(
    ("code", "wanted"),
    [
        ('if (user == "root") run(user, 42)', "if ($A == $B) $C($A, $D)"),
        ("const query = `SELECT ${id}`;", "const $A = $B;"),
        ("for x in xs:\n    total += x", "for $A in $B:\n    $C += $A"),
        ("", ""),
        ("name", ""),
    ],
)
def test_strings_numbers_and_names_become_placeholders(code: str, wanted: str) -> None:
    assert structure_of(code) == wanted


# -- what cannot be an issue


def test_an_issue_that_says_nothing_is_refused() -> None:
    with pytest.raises(BadQuery, match="needs a description"):
        Issue(description="  ", title="\n")


def test_an_issue_of_a_client_is_checked() -> None:
    issue = Issue.from_dict({"description": "x", "codeSnippet": "y", "goal": "find-duplicates"})
    assert (issue.code_snippet, issue.goal) == ("y", Goal.FIND_DUPLICATES)
    assert Issue.from_dict({"description": "x"}).goal == Goal.FIND_LOCATION
    for bad in ({"description": 1}, {"description": "x", "goal": "sing"}, {"description": "x", "more": 1}):
        with pytest.raises(BadQuery):
            Issue.from_dict(dict(bad))
