"""Hailo's part of the host process (see `backends.hosted.host_loop`): HailoRT's Python package, version 4.17 or later.

Written for the public interface of `hailo_platform` (github.com/hailo-ai/hailort, MIT licence). All models of the process share
one device, which HailoRT's scheduler switches between them. Inputs have the type in the file, usually 8-bit pixels; outputs are
float32, because HailoRT knows how each was quantized. Outputs of detections (NMS) are [1, classes, 5, boxes]: y_min, x_min,
y_max, x_max, score, zeros where there is no box.
"""

import hailo_platform
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
BOX_NUMBERS = 5
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

    def load(self, files, device, options):
        hef = HEF(files[0])
        if self.device is None:
            params = VDevice.create_params()
            params.scheduling_algorithm = HailoSchedulingAlgorithm.ROUND_ROBIN
            self.device = VDevice(params)
        groups = self.device.configure(hef, ConfigureParams.create_from_hef(hef, interface=HailoStreamInterface.PCIe))
        if len(groups) != 1:
            raise ValueError("the file has {} networks; compile one network into one file".format(len(groups)))
        return HailoModel(hef, groups[0], device)


class HailoModel:
    """One network on the device."""

    def __init__(self, hef, group, device):
        self.device = device
        given, made = hef.get_input_vstream_infos(), hef.get_output_vstream_infos()
        kinds = {info.format.type for info in given}
        if len(kinds) != 1 or not kinds <= set(DTYPES):
            raise ValueError("its inputs are of types that are not supported: {}".format(sorted(map(str, kinds))))
        kind = kinds.pop()
        self.inputs = [tensor(info, DTYPES[kind]) for info in given]
        self.outputs = [tensor(info, "float32") for info in made]
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
        for each in self.outputs:
            if list(made[each["name"]].shape) != each["shape"]:
                raise ValueError("output {} is {}, not {}".format(each["name"], made[each["name"]].shape, each["shape"]))
        return {each["name"]: made[each["name"]] for each in self.outputs}

    def close(self):
        self.streams.__exit__(None, None, None)


def tensor(info, dtype):
    order = info.format.order.name
    if order.startswith("HAILO_NMS") and order not in BOXES:
        raise ValueError("output {} is of the order {}, which is not supported".format(info.name, order))
    if order in BOXES:
        shape = [info.nms_shape.number_of_classes, BOX_NUMBERS, info.nms_shape.max_bboxes_per_class]
    else:
        shape = [int(side) for side in info.shape]
    return {"name": info.name, "dtype": dtype, "shape": [1, *shape]}


def is_missing(error):
    """Whether the library's error means that there is no device, that another process has it, or that its driver is missing."""
    text = type(error).__name__ + " " + str(error)
    return "OUT_OF_PHYSICAL_DEVICES" in text or "DRIVER" in text.upper()


RUNTIME = HailoLibrary
