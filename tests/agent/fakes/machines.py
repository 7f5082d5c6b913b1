"""Trees of /proc, /sys, /dev and /etc of the machines that profiles describe: only the files that distinguish them.

Written from the vendors' public documentation and kernel sources, not copied from devices.
"""

from __future__ import annotations

from pathlib import Path

Tree = dict[str, str]
"""Path to content; a path that ends with / is an empty folder."""


def tree(*, machine: str, compatible: tuple[str, ...] = (), usb: tuple[str, ...] = (), pci: tuple[str, ...] = ()) -> Tree:
    """usb: vendor:device; pci: vendor:device:class."""
    files = {"proc/sys/kernel/arch": f"{machine}\n"}
    if compatible:
        files["proc/device-tree/compatible"] = "".join(f"{name}\0" for name in compatible)
    for index, ids in enumerate(usb, 1):
        vendor, device = ids.split(":")
        files |= {
            f"sys/bus/usb/devices/1-{index}/idVendor": f"{vendor}\n",
            f"sys/bus/usb/devices/1-{index}/idProduct": f"{device}\n",
        }
        files[f"sys/bus/usb/devices/1-{index}:1.0/bInterfaceNumber"] = "00\n"
    for index, ids in enumerate(pci):
        vendor, device, kind = ids.split(":")
        folder = f"sys/bus/pci/devices/0000:00:{index:02x}.0"
        files |= {f"{folder}/vendor": f"0x{vendor}\n", f"{folder}/device": f"0x{device}\n", f"{folder}/class": f"0x{kind}\n"}
    return files


PC = ("8086:3e1f:060000", "10de:1f08:030000")
"""A host bridge and a graphics card of another vendor."""
KEYBOARD = "046d:c31c"
INTEL_GRAPHICS = "8086:9a49:030000"

MACHINES: dict[str, Tree] = {
    "cpu-x86": tree(machine="x86_64", usb=(KEYBOARD,), pci=PC),
    "cpu-arm64": tree(machine="aarch64", compatible=("fsl,imx8mp-evk", "fsl,imx8mp")),
    "raspberry-pi-4": tree(machine="aarch64", compatible=("raspberrypi,4-model-b", "brcm,bcm2711")),
    "raspberry-pi-5": tree(machine="aarch64", compatible=("raspberrypi,5-model-b", "brcm,bcm2712")),
    "coral-usb": tree(machine="x86_64", usb=(KEYBOARD, "1a6e:089a"), pci=PC),
    "coral-usb, used before, on a Raspberry Pi": tree(
        machine="aarch64", compatible=("raspberrypi,4-model-b", "brcm,bcm2711"), usb=("18d1:9302",)
    ),
    "coral-pcie": tree(machine="x86_64", pci=(*PC, "1ac1:089a:0000ff")) | {"dev/apex_0": "", "sys/module/apex/": ""},
    "coral-dev-board": tree(machine="aarch64", compatible=("fsl,imx8mq-phanbell", "fsl,imx8mq"), pci=("1ac1:089a:0000ff",))
    | {"dev/apex_0": ""},
    "coral-dev-board-mini": tree(machine="aarch64", compatible=("google,excelsior", "mediatek,mt8167"), usb=("18d1:9302",)),
    "jetson-orin-nano": tree(
        machine="aarch64", compatible=("nvidia,p3768-0000+p3767-0005", "nvidia,p3767-0005", "nvidia,tegra234")
    )
    | {"etc/nv_tegra_release": "# R36 (release), REVISION: 4.3, GCID: 38968081, BOARD: generic, EABI: aarch64\n"},
    "jetson-orin-nx": tree(
        machine="aarch64", compatible=("nvidia,p3768-0000+p3767-0000", "nvidia,p3767-0000", "nvidia,tegra234")
    ),
    "jetson-orin-agx": tree(machine="aarch64", compatible=("nvidia,p3737-0000+p3701-0005", "nvidia,tegra234")),
    "jetson-orin, another carrier": tree(machine="aarch64", compatible=("acme,camera", "nvidia,tegra234")),
    "jetson-legacy": tree(
        machine="aarch64", compatible=("nvidia,p3449-0000-b00+p3448-0000-b00", "nvidia,jetson-nano", "nvidia,tegra210")
    ),
    "jetson-legacy, Xavier": tree(machine="aarch64", compatible=("nvidia,p2972-0000", "nvidia,tegra194")),
    "intel-npu": tree(machine="x86_64", pci=("8086:7d55:030000", "8086:7d1d:120000"))
    | {"dev/accel/accel0": "", "dev/dri/renderD128": "", "sys/module/intel_vpu/": "", "sys/module/i915/": ""},
    "intel-gpu": tree(machine="x86_64", pci=(INTEL_GRAPHICS,)) | {"dev/dri/renderD128": "", "sys/module/i915/": ""},
    "nvidia-gpu": tree(machine="x86_64", pci=PC) | {"dev/nvidia0": "", "sys/module/nvidia/": ""},
    "amd-gpu": tree(machine="x86_64", pci=("1002:744c:030000",)) | {"dev/kfd": "", "dev/dri/renderD128": ""},
    "hailo-8": tree(machine="x86_64", pci=(*PC, "1e60:2864:0b4000")) | {"dev/hailo0": ""},
    "hailo-raspberry-pi-5": tree(
        machine="aarch64", compatible=("raspberrypi,5-model-b", "brcm,bcm2712"), pci=("1e60:2864:0b4000",)
    ),
    "rockchip-rk3588": tree(machine="aarch64", compatible=("radxa,rock-5b", "rockchip,rk3588")),
    "rockchip-rk3588, RK3588S": tree(machine="aarch64", compatible=("xunlong,orangepi-5", "rockchip,rk3588s")),
    "rockchip-rk3576": tree(machine="aarch64", compatible=("radxa,rock-4d", "rockchip,rk3576")),
    "rockchip-rk356x": tree(machine="aarch64", compatible=("radxa,rock3a", "rockchip,rk3568")),
    "synaptics-sl2610": tree(machine="aarch64", compatible=("syna,sl2619-rdk", "syna,sl2619")),
    "ncs2": tree(machine="x86_64", usb=("03e7:2485",), pci=PC),
}
"""Profile (and more words after a comma) to the tree of such a machine."""


def write(files: Tree, root: Path) -> Path:
    """The tree as files under `root`."""
    for name, content in files.items():
        path = root / name
        if name.endswith("/"):
            path.mkdir(parents=True)
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return root
