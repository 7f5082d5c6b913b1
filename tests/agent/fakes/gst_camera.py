"""An IP camera for the tests: GStreamer's RTSP server. Runs under Debian's own Python, which has its bindings.

    /usr/bin/python3 gst_camera.py PORT WIDTH HEIGHT RATE CODEC [USER PASSWORD]

Prints `ready` once it listens. Two streams: /main of the given size, /sub of half of it.
"""

import sys

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstRtspServer", "1.0")
from gi.repository import GLib, Gst, GstRtspServer  # noqa: E402 - versions come first

ENCODERS = {
    "h264": "x264enc tune=zerolatency speed-preset=ultrafast key-int-max=10 bitrate=500 ! rtph264pay name=pay0 pt=96",
    "h265": "x265enc tune=zerolatency speed-preset=ultrafast key-int-max=10 bitrate=500 ! rtph265pay name=pay0 pt=96",
    "jpeg": "jpegenc ! rtpjpegpay name=pay0 pt=26",
}


def main() -> None:
    port, width, height, rate, codec = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4], sys.argv[5]
    Gst.init(None)
    server = GstRtspServer.RTSPServer(address="127.0.0.1", service=port)
    token = None
    if len(sys.argv) > 6:
        auth = GstRtspServer.RTSPAuth()
        token = GstRtspServer.RTSPToken()
        token.set_string("media.factory.role", "viewer")
        auth.add_basic(GstRtspServer.RTSPAuth.make_basic(sys.argv[6], sys.argv[7]), token)
        server.set_auth(auth)
    for path, part in (("/main", 1), ("/sub", 2)):
        factory = GstRtspServer.RTSPMediaFactory()
        caps = f"video/x-raw,format=I420,width={width // part},height={height // part},framerate={rate}/1"
        factory.set_launch(f"( videotestsrc is-live=true pattern=ball ! {caps} ! {ENCODERS[codec]} )")
        if token is not None:
            permissions = GstRtspServer.RTSPPermissions()
            permissions.add_permission_for_role("viewer", "media.factory.access", True)
            permissions.add_permission_for_role("viewer", "media.factory.construct", True)
            factory.set_permissions(permissions)
        server.get_mount_points().add_factory(path, factory)
    if not server.attach(None):
        sys.exit("the port is taken")
    print("ready", flush=True)
    GLib.MainLoop().run()


main()
