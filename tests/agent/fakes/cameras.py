"""Cameras that tests can switch on, freeze and disconnect."""

from __future__ import annotations

import shutil
import signal
import socket
import subprocess
import threading
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import TracebackType

DEBIAN_PYTHON = "/usr/bin/python3"
PACKAGES = "python3-gi gir1.2-gst-rtsp-server-1.0 gstreamer1.0-plugins-base gstreamer1.0-plugins-good gstreamer1.0-plugins-ugly"
_NEEDS = """
import gi
gi.require_version("Gst", "1.0")
gi.require_version("GstRtspServer", "1.0")
from gi.repository import Gst, GstRtspServer
Gst.init(None)
assert all(map(Gst.ElementFactory.find, ("videotestsrc", "x264enc", "rtph264pay", "jpegenc")))
"""


@cache
def no_rtsp_server() -> str:
    """Reason why no RTSP server can run here; empty if one can."""
    python = shutil.which(DEBIAN_PYTHON)
    if python and subprocess.run([python, "-c", _NEEDS], capture_output=True, check=False).returncode == 0:
        return ""
    return f"GStreamer's RTSP server is not installed: apt-get install {PACKAGES}"


@cache
def no_h265_camera() -> str:
    """Reason why no H.265 camera can run here; empty if one can."""
    encoder = _NEEDS.replace('"jpegenc"', '"x265enc"')
    python = shutil.which(DEBIAN_PYTHON)
    if python and subprocess.run([python, "-c", encoder], capture_output=True, check=False).returncode == 0:
        return ""
    return "GStreamer's encoder of H.265 is not installed: apt-get install gstreamer1.0-plugins-bad"


def free_port() -> int:
    """A port without a listener at this moment."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


class RtspCamera:
    """An IP camera at a fixed port, off at first."""

    def __init__(self, *, login: tuple[str, str] | None = None) -> None:
        self.port = free_port()
        self._login = login
        self._process: subprocess.Popen[str] | None = None

    def url(self, path: str = "main") -> str:
        """The address with the credentials in it."""
        user = "{}:{}@".format(*self._login) if self._login else ""
        return f"rtsp://{user}127.0.0.1:{self.port}/{path}"

    def on(self, width: int = 320, height: int = 240, rate: int = 15, codec: str = "h264") -> None:
        """Switch the camera on; returns once it listens."""
        script = Path(__file__).with_name("gst_camera.py")
        command = [DEBIAN_PYTHON, str(script), str(self.port), str(width), str(height), str(rate), codec, *(self._login or ())]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == "ready\n"

    def kill(self) -> None:
        """Disconnect the camera at once."""
        if self._process is not None:
            self._process.send_signal(signal.SIGCONT)
            self._process.kill()
            self._process.communicate()
            self._process = None

    def freeze(self) -> None:
        """Stop the camera's program: connections stay open, without data."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Continue the camera's program."""
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)

    def __enter__(self) -> RtspCamera:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.kill()


class TcpCamera:
    """A TCP server in place of a camera; the test defines its behaviour for each connection."""

    def __init__(self, serve: Callable[[socket.socket], None], port: int = 0) -> None:
        self._serve = serve
        self._listener = socket.create_server(("127.0.0.1", port))
        self._open: list[socket.socket] = []
        self.port = int(self._listener.getsockname()[1])
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self._open.append(connection)
            threading.Thread(target=self._speak, args=(connection,), daemon=True).start()

    def _speak(self, connection: socket.socket) -> None:
        try:
            self._serve(connection)
        except OSError:
            return
        finally:
            connection.close()

    def __enter__(self) -> TcpCamera:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for connection in self._open:
            connection.close()
