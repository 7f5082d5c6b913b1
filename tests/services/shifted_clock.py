"""A wall clock of its own for one program: a library to preload, and the file with the seconds that it adds.

A container has the clock of its machine; the kernel's time namespaces have the monotonic clock only. Nothing but the wall clock
is changed, so that waits last as long as ever.
"""

from __future__ import annotations

import shutil
import struct
import subprocess
from pathlib import Path

SOURCE = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const volatile int64_t *shift;

__attribute__((constructor)) static void find(void) {
    const char *path = getenv("CLOCK_SHIFT_FILE");
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0) return;
    void *page = mmap(NULL, sizeof *shift, PROT_READ, MAP_SHARED, file, 0);
    if (page != MAP_FAILED) shift = page;
    close(file);
}

static int64_t seconds(void) { return shift ? *shift : 0; }

int clock_gettime(clockid_t clock, struct timespec *at) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real) real = dlsym(RTLD_NEXT, "clock_gettime");
    int code = real(clock, at);
    if (!code && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) at->tv_sec += seconds();
    return code;
}

int gettimeofday(struct timeval *restrict at, void *restrict zone) {
    struct timespec now;
    (void)zone;
    if (clock_gettime(CLOCK_REALTIME, &now)) return -1;
    at->tv_sec = now.tv_sec;
    at->tv_usec = now.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *at) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (at) *at = now.tv_sec;
    return now.tv_sec;
}
"""
LIBRARY = "usr/lib/shifted_clock.so"
FILE = "etc/clock-shift"
ENVIRONMENT = f"LD_PRELOAD=/{LIBRARY} CLOCK_SHIFT_FILE=/{FILE}"


def why_not() -> str:
    """The missing program of this machine; empty if there is none."""
    return "" if shutil.which("gcc") else "gcc is missing: apt-get install gcc"


def install(tree: Path) -> None:
    """Put the library into the tree of a system; the programs that have `ENVIRONMENT` follow `shift`."""
    command = ["gcc", "-shared", "-fPIC", "-O2", "-x", "c", "-o", str(tree / LIBRARY), "-", "-ldl"]
    subprocess.run(command, input=SOURCE, text=True, check=True)
    (tree / FILE).write_bytes(bytes(8))
    shift(tree, 0.0)


def shift(tree: Path, seconds: float) -> None:
    """Set the clock ahead, or back, of that of the machine; at once, also for programs that run."""
    with (tree / FILE).open("r+b") as file:
        file.write(struct.pack("<q", round(seconds)))
