"""The hardened unit allows the devices and sockets that sources and runtimes need, and no others."""

from __future__ import annotations

from pathlib import Path

UNIT = Path(__file__).resolve().parents[2] / "deploy" / "edgefleet-agent.service"

DEVICES = {
    "video4linux": "cameras (agent/edgefleet_agent/sources/cameras/v4l2.py)",
    "media": "cameras behind a media controller",
    "usb_device": "Coral USB, NCS2",
    "apex": "Coral PCIe",
    "hailo": "Hailo PCIe",
    "accel": "Intel NPU",
    "drm": "Intel and AMD graphics, hardware decoders",
    "kfd": "AMD graphics: ROCm computes by /dev/kfd",
    "nvidia": "NVIDIA",
    "nvidia-frontend": "NVIDIA",
    "nvidia-uvm": "NVIDIA",
    "nvhost": "Jetson",
    "nvmap": "Jetson",
    "iio": "accelerometers (agent/edgefleet_agent/sources/sensors/iio.py)",
    "ttyUSB": "agent/edgefleet_agent/sources/sensors/serial.py",
    "ttyACM": "agent/edgefleet_agent/sources/sensors/serial.py",
    "ttyS": "agent/edgefleet_agent/sources/sensors/serial.py",
    "ttyAMA": "agent/edgefleet_agent/sources/sensors/serial.py",
}
"""Driver name of a character device to the component that needs it."""

FAMILIES = {
    "AF_UNIX": "the worker, status, systemd",
    "AF_INET": "broker, cameras, the local API",
    "AF_INET6": "the same",
    "AF_NETLINK": "names of interfaces and addresses, hot-plugged devices",
    "AF_CAN": "agent/edgefleet_agent/sources/sensors/can.py",
}


def unit_values(key: str) -> list[str]:
    lines = UNIT.read_text(encoding="utf-8").splitlines()
    return [line.partition("=")[2] for line in lines if line.startswith(f"{key}=")]


def test_devices() -> None:
    assert set(unit_values("DeviceAllow")) == {f"char-{name} rw" for name in DEVICES}


def test_address_families() -> None:
    assert set(unit_values("RestrictAddressFamilies")[0].split()) == set(FAMILIES)
