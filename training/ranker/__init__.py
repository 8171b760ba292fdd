"""Training of the ranker: labelled questions, the clues of their candidates, weights, calibration, the file."""
