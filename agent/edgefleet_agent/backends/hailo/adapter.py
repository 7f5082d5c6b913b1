"""Hailo's part of the host process (see `backends.hosted.host_loop`): HailoRT's Python package, version 4.17 or later.

Written for the public interface of `hailo_platform` (github.com/hailo-ai/hailort, MIT licence). All models of the process share
one device, which HailoRT's scheduler switches between them. Inputs have the type in the file, usually 8-bit pixels; outputs are
float32, because HailoRT knows how each was quantized.

A file that suppresses boxes itself (order HAILO_NMS_BY_CLASS) gives [1, classes, 5, boxes] of y_min, x_min, y_max, x_max in 0..1
and the score, zeros where there is no box. They become rows as of models that suppress on other runtimes, [1, 300, 6] of x1, y1,
x2, y2, score, class, so that the head of the package reads them: in pixels of the input, or by the option `boxes` in `fractions`
of it.
"""

import hailo_platform
import numpy as np
from hailo_platform import (
    HEF,
    ConfigureParams,
    Device,
    FormatType,
    HailoRTException,
    HailoSchedulingAlgorithm,
    HailoStreamInterface,
    InferVStreams,
    InputVStreamParams,
    OutputVStreamParams,
    VDevice,
)

ERRORS = (HailoRTException,)
MISMATCHES = ("INVALID_DRIVER_VERSION", "DRIVER_INVALID_IOCTL", "UNSUPPORTED_FW_VERSION", "UNSUPPORTED_CONTROL_PROTOCOL_VERSION")
BOX_NUMBERS = 5
ROWS, ROW_NUMBERS = 300, 6
BOXES = ("HAILO_NMS", "HAILO_NMS_BY_CLASS")  # the name changed
DTYPES = {FormatType.UINT8: "uint8", FormatType.UINT16: "uint16", FormatType.FLOAT32: "float32"}


class HailoLibrary:
    """The Hailo device of this process."""

    def __init__(self):
        self.device = None

    def version(self):
        return hailo_platform.__version__

    def devices(self):
        return ["hailo"] if Device.scan() else []

    def probe(self, device):
        """Talks to the firmware, which needs no reservation of the device."""
        found = Device.scan()
        if not found:
            raise HailoRTException("no device was found")
        architecture = str(Device(found[0]).control.identify().device_architecture).rpartition(".")[2]
        return "HailoRT {}, {} answers".format(self.version(), architecture)

    def load(self, files, device, options):
        hef = HEF(files[0])
        if self.device is None:
            params = VDevice.create_params()
            params.scheduling_algorithm = HailoSchedulingAlgorithm.ROUND_ROBIN
            self.device = VDevice(params)
        groups = self.device.configure(hef, ConfigureParams.create_from_hef(hef, interface=HailoStreamInterface.PCIe))
        if len(groups) != 1:
            raise ValueError("the file has {} networks; compile one network into one file".format(len(groups)))
        return HailoModel(hef, groups[0], device, options)


class HailoModel:
    """One network on the device."""

    def __init__(self, hef, group, device, options):
        self.device = device
        given, made = hef.get_input_vstream_infos(), hef.get_output_vstream_infos()
        kinds = {info.format.type for info in given}
        if len(kinds) != 1 or not kinds <= set(DTYPES):
            raise ValueError("its inputs are of types that are not supported: {}".format(sorted(map(str, kinds))))
        kind = kinds.pop()
        self.inputs = [tensor(info, DTYPES[kind]) for info in given]
        self.outputs = [tensor(info, "float32") for info in made]
        self.raw = {info.name: [1, *raw_shape(info)] for info in made}
        self.boxes = {info.name for info in made if info.format.order.name in BOXES}
        height, width = [int(side) for side in given[0].shape[:2]]
        self.units = (width, height) if options["boxes"] == "pixels" else (1, 1)
        self.streams = InferVStreams(
            group,
            InputVStreamParams.make(group, format_type=kind),
            OutputVStreamParams.make(group, format_type=FormatType.FLOAT32),
            tf_nms_format=True,
        )
        self.streams.__enter__()

    def run(self, inputs):
        # The library takes the arrays' first side for the number of frames.
        made = self.streams.infer(dict(inputs))
        for name, shape in self.raw.items():
            if list(made[name].shape) != shape:
                raise ValueError("output {} is {}, not {}".format(name, made[name].shape, shape))
        return {name: box_rows(made[name], self.units) if name in self.boxes else made[name] for name in self.raw}

    def close(self):
        self.streams.__exit__(None, None, None)


def tensor(info, dtype):
    order = info.format.order.name
    if order.startswith("HAILO_NMS") and order not in BOXES:
        raise ValueError("output {} is of the order {}, which is not supported".format(info.name, order))
    shape = [ROWS, ROW_NUMBERS] if order in BOXES else raw_shape(info)
    return {"name": info.name, "dtype": dtype, "shape": [1, *shape]}


def raw_shape(info):
    """The shape that HailoRT gives, without the number of frames."""
    if info.format.order.name in BOXES:
        return [info.nms_shape.number_of_classes, BOX_NUMBERS, info.nms_shape.max_bboxes_per_class]
    return [int(side) for side in info.shape]


def box_rows(found, units):
    """The best boxes of [1, classes, 5, boxes] as rows [1, 300, 6], best first; zeros after the last. units: of x and y."""
    boxes = found[0].transpose(0, 2, 1).reshape(-1, BOX_NUMBERS)
    best = np.argsort(-boxes[:, 4], kind="stable")[:ROWS]
    rows = np.zeros((1, ROWS, ROW_NUMBERS), np.float32)
    best = best[boxes[best, 4] > 0]
    rows[0, : len(best), :4] = boxes[best][:, [1, 0, 3, 2]] * np.array(units * 2, np.float32)
    rows[0, : len(best), 4] = boxes[best, 4]
    rows[0, : len(best), 5] = best // max(found.shape[3], 1)
    return rows


def lacking(error):
    """`device`: there is none, another process has it, or its driver is not loaded. `versions`: library, driver and firmware are
    of different versions."""
    text = (type(error).__name__ + " " + str(error)).upper()
    if any(each in text for each in MISMATCHES):
        return "versions"
    return "device" if any(each in text for each in ("OUT_OF_PHYSICAL_DEVICES", "DRIVER", "NO DEVICE WAS FOUND")) else ""


RUNTIME = HailoLibrary
