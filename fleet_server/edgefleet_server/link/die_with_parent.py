"""Runs a program that dies with its parent, with all the open files it may have:
`python -I -S die_with_parent.py PARENT UID GID PROGRAM ARGUMENT…`.

The kernel is asked for a signal at the parent's death. That setting is lost when a process changes its user, so the change comes
first and the program must not change it again. Done in a process of its own, because nothing safe can be done between fork and
exec of a process with threads. The parent is, exactly, the *thread* that started us: it has to live on.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import sys

PR_SET_PDEATHSIG = 1


def main() -> None:
    """Raise the limit, change the user, ask for the signal, become the program."""
    parent, uid, gid = map(int, sys.argv[1:4])
    program = sys.argv[4:]
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # every device is an open file
    if uid >= 0:
        os.setgroups([gid])
        os.setgid(gid)
        os.setuid(uid)
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != parent:
        sys.exit("the parent is gone")
    os.execvp(program[0], program)  # noqa: S606 (no shell is the point)


if __name__ == "__main__":
    main()
