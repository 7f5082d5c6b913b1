"""Runs a program that dies with its parent, with all the open files it may have:
`python -I -S die_with_parent.py PARENT UID GID PROGRAM ARGUMENT…`.

It requests a signal from the kernel at the parent's death (PR_SET_PDEATHSIG). That setting is lost when a process changes its
user, so the user is changed first, and the program must not change it again. This runs as a separate process, because between
fork and exec of a process with threads almost no call is safe. The parent is the *thread* that started the process: it has to
keep running.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import sys

PR_SET_PDEATHSIG = 1


def main() -> None:
    """Raise the limit of open files, change the user, request the signal, and execute the program."""
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
