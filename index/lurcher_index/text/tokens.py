"""How many language-model tokens a text has, estimated without a tokenizer's vocabulary."""

BYTES_PER_TOKEN = 3.2
"""Non-blank bytes of source code per token."""

_BLANK = b" \t\r\n\x0b\x0c"


def count_tokens(data: bytes) -> int:
    """Estimated tokens of a text; blanks cost nothing because tokenizers fold runs of them into their neighbours."""
    return round(len(data.translate(None, _BLANK)) / BYTES_PER_TOKEN)
