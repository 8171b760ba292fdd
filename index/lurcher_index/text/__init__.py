"""Pure functions over text: lines, tokens and terms."""
