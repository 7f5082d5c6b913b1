"""The library's errors, which share no base but Exception."""


class Fail(Exception):  # noqa: N818 - the name is the library's
    """As the library has it."""


class InvalidProtobuf(Exception):  # noqa: N818 - likewise
    """As the library has it."""
