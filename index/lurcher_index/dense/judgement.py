"""How far models that we did not make are believed: nothing is known of them but that they were trained."""

TRUST = 0.5
"""Half of what the words count: a trained model knows what words mean, but nobody measured this one on code."""

FLOOR = 0.3
"""Similarity below which a chunk that shares no word is there by chance. all-MiniLM-L6-v2, 60 sentences about Lurcher:
of 6,000 pairs with chunks of other programs 99 % are below 0.25 and 99.9 % below 0.32, while half of the sentences have
a chunk of Lurcher above 0.39."""


class UnknownModel:
    """What a model says of itself when nobody has measured it."""

    trust = TRUST
    floor = FLOOR
    is_quick = False

    def calibrate(self, similarity: float) -> float:
        """The similarity itself: the spread of 0.65 was made for raw similarities of trained models."""
        return float(min(1.0, max(0.0, similarity)))
