"""Describes the faults of a disk that takes nothing more, stdout's included."""

from __future__ import annotations

import errno


def disk_fault(error: BaseException | None) -> str:
    """The text for users, with what to do; empty for other faults. Only stdout raises a full disk without the name of a file:
    stores report theirs as StoreError."""
    if not isinstance(error, OSError):
        return ""
    at = f" for {error.filename}" if error.filename else ""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return f"no space left{at or ' on a disk that this command writes to'}; free some space"
    if error.errno == errno.EROFS:
        return f"the disk is read-only{at}; remount it, or choose another folder"
    if error.errno == errno.ENOENT and str(error.strerror).startswith("No usable temporary directory"):
        return "no temporary folder can be written; free some space, or set TMPDIR to another folder"
    return ""
