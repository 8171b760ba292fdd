"""What decides the order of the answer: small pure functions, no files, no clock, no processes."""
