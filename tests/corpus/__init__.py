"""The recorded corpus: every format of a released version, as that version writes it, and the tests that read it today."""
