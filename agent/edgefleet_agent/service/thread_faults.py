"""Ends the process on an internal fault in any thread: a restarted pipeline is better than a partly working one."""

from __future__ import annotations

import os
import sys
import threading
import traceback

from edgefleet_contract.core.disk_fault import disk_fault
from edgefleet_contract.core.errors import StoreError

FAULT_EXIT_CODE = 70


def end_process_on_thread_fault() -> None:
    """Install a hook: an exception that a thread does not catch is printed and ends the process with `FAULT_EXIT_CODE`."""

    def end(fault: threading.ExceptHookArgs) -> None:
        if fault.exc_type is BrokenPipeError:  # the reader of stdout has closed the pipe
            os._exit(141)
        if text := disk_fault(fault.exc_value):
            print(f"edgefleet-agent: {text}", file=sys.stderr, flush=True)
            os._exit(StoreError.exit_code)
        name = fault.thread.name if fault.thread else "a thread"
        print(f"edgefleet-agent: internal fault in {name}; please report it", file=sys.stderr)
        traceback.print_exception(fault.exc_type, fault.exc_value, fault.exc_traceback)
        sys.stderr.flush()
        os._exit(FAULT_EXIT_CODE)

    threading.excepthook = end
