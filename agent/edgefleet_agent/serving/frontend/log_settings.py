"""The logging extension: changes the log level and format of the whole process while it runs."""

from __future__ import annotations

import logging
import threading
from collections.abc import Mapping
from typing import Any

from edgefleet_agent.serving.protocol.errors import CallError, Code, invalid

VERBOSE_MAX = 9
FORMATS = {
    "default": logging.Formatter("%(levelname)s %(message)s"),
    "ISO8601": logging.Formatter("%(asctime)s.%(msecs)03dZ %(levelname)s %(message)s", "%Y-%m-%dT%H:%M:%S"),
}
_LEVELS = {"log_info": logging.INFO, "log_warning": logging.WARNING, "log_error": logging.ERROR}


class LogSettings:
    """The settings of `v2/logging`. They apply to the handlers of the root logger from the first change on."""

    def __init__(self) -> None:
        self._settings: dict[str, Any] = {
            "log_file": "",
            "log_info": True,
            "log_warning": True,
            "log_error": True,
            "log_verbose_level": 0,
            "log_format": "default",
        }
        self._lock = threading.Lock()

    def to_json(self) -> dict[str, Any]:
        """The current settings."""
        with self._lock:
            return dict(self._settings)

    def update(self, changes: Mapping[str, Any]) -> dict[str, Any]:
        """Change some settings: all, or none if one is not valid. Returns the new settings.

        Raises:
            CallError: an unknown setting, or a value that is not valid.
        """
        with self._lock:
            fresh = dict(self._settings)
            for name, value in changes.items():
                fresh[name] = _checked(name, value)
            self._settings = fresh
        self._apply(formats="log_format" in changes)
        return fresh

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a record is logged; the method of `logging.Filter`."""
        settings = self._settings
        if record.levelno < logging.INFO:
            return bool(settings["log_verbose_level"])
        setting = next((name for name, level in reversed(_LEVELS.items()) if record.levelno >= level), "log_info")
        return bool(settings[setting])

    def _apply(self, *, formats: bool) -> None:
        root = logging.getLogger()
        level = logging.DEBUG if self._settings["log_verbose_level"] else logging.INFO
        logging.getLogger(__name__.partition(".")[0]).setLevel(level)
        for handler in root.handlers:
            if self.filter not in handler.filters:
                handler.addFilter(self.filter)
            if formats:  # otherwise the format of the process stays
                handler.setFormatter(FORMATS[self._settings["log_format"]])


def _checked(name: str, value: Any) -> Any:
    if name == "log_file":
        raise CallError(Code.UNSUPPORTED, "log file location can not be updated through network protocol")
    if name in _LEVELS:
        if not isinstance(value, bool):
            raise invalid(f"{name} must be true or false")
    elif name == "log_verbose_level":
        if type(value) is not int or not 0 <= value <= VERBOSE_MAX:
            raise invalid(f"log_verbose_level must be a whole number from 0 to {VERBOSE_MAX}")
    elif name == "log_format":
        if not isinstance(value, str) or value not in FORMATS:
            raise invalid(f"log_format must be one of {', '.join(FORMATS)}")
    else:
        raise invalid(f"unknown log setting '{name[:64]}'")
    return value
