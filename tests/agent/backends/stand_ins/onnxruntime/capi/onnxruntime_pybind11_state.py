"""The library's errors, which share no base but Exception."""


class Fail(Exception):  # noqa: N818 - the name is the library's
    """Error class of the same name in the library."""


class InvalidProtobuf(Exception):  # noqa: N818 - likewise
    """Error class of the same name in the library."""
