"""Rockchip's part of the host process (see `backends.hosted.host_loop`): librknnrt.so by ctypes, in the agent's own Python.

The library itself is used, not `rknn-toolkit-lite2`: only it gives the names, types and shapes of tensors. Numbers and fields are
those of Rockchip's API reference of RKNNRT 2.x (rknn_api.h).

Inputs, by the option `inputs`: `pixels`, 8-bit pixels for pictures and float32 for others, which the library converts as was
chosen when the model was compiled (its mean, deviation and quantization); `stored`, what the NPU takes, without any conversion.
Outputs are what the NPU stored, with their scale and zero point; 16-bit floats become float32.
"""

import ctypes
import os

import numpy as np

ERRORS = ()
DIMS_MAX, NAME_BYTES = 16, 256
IN_OUT_NUM, INPUT_ATTR, OUTPUT_ATTR, SDK_VERSION = 0, 1, 2, 5
NHWC = 1
AFFINE = 2
TYPES = ("float32", "float16", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "bool")
FLOAT32, FLOAT16, UINT8 = 0, 1, 3
CORES = {"auto": 0, "0": 1, "1": 2, "2": 4, "0_1": 3, "0_1_2": 7}
CODES = {
    -1: "RKNN_ERR_FAIL",
    -2: "RKNN_ERR_TIMEOUT",
    -3: "RKNN_ERR_DEVICE_UNAVAILABLE",
    -4: "RKNN_ERR_MALLOC_FAIL",
    -5: "RKNN_ERR_PARAM_INVALID",
    -6: "RKNN_ERR_MODEL_INVALID",
    -7: "RKNN_ERR_CTX_INVALID",
    -8: "RKNN_ERR_INPUT_INVALID",
    -9: "RKNN_ERR_OUTPUT_INVALID",
    -10: "RKNN_ERR_DEVICE_UNMATCH",
    -13: "RKNN_ERR_TARGET_PLATFORM_UNMATCH",
}
NO_DRIVER = "the driver RKNPU is not loaded"
Context = ctypes.c_uint32 if ctypes.sizeof(ctypes.c_void_p) == 4 else ctypes.c_uint64


class Counts(ctypes.Structure):
    """Numbers of tensors."""

    _fields_ = [("inputs", ctypes.c_uint32), ("outputs", ctypes.c_uint32)]


class Attributes(ctypes.Structure):
    """The description of a tensor."""

    _fields_ = [
        ("index", ctypes.c_uint32),
        ("n_dims", ctypes.c_uint32),
        ("dims", ctypes.c_uint32 * DIMS_MAX),
        ("name", ctypes.c_char * NAME_BYTES),
        ("n_elems", ctypes.c_uint32),
        ("size", ctypes.c_uint32),
        ("fmt", ctypes.c_int),
        ("type", ctypes.c_int),
        ("qnt_type", ctypes.c_int),
        ("fl", ctypes.c_int8),
        ("zp", ctypes.c_int32),
        ("scale", ctypes.c_float),
        ("w_stride", ctypes.c_uint32),
        ("size_with_stride", ctypes.c_uint32),
        ("pass_through", ctypes.c_uint8),
        ("h_stride", ctypes.c_uint32),
    ]


class Input(ctypes.Structure):
    """An array to compute on."""

    _fields_ = [
        ("index", ctypes.c_uint32),
        ("buf", ctypes.c_void_p),
        ("size", ctypes.c_uint32),
        ("pass_through", ctypes.c_uint8),
        ("type", ctypes.c_int),
        ("fmt", ctypes.c_int),
    ]


class Output(ctypes.Structure):
    """An array for a result."""

    _fields_ = [
        ("want_float", ctypes.c_uint8),
        ("is_prealloc", ctypes.c_uint8),
        ("index", ctypes.c_uint32),
        ("buf", ctypes.c_void_p),
        ("size", ctypes.c_uint32),
    ]


class Versions(ctypes.Structure):
    """Versions of library and driver."""

    _fields_ = [("api", ctypes.c_char * 256), ("driver", ctypes.c_char * 256)]


class RknnLibrary:
    """The library."""

    def __init__(self):
        self.library = ctypes.CDLL(os.environ["EDGEFLEET_RKNN_LIBRARY"])
        self.known = "unknown"

    def version(self):
        return self.known

    def devices(self):
        # Without a model the library does not tell whether there is an NPU.
        return ["rknpu"] if is_driver_loaded() else []

    def probe(self, device):
        if not is_driver_loaded():
            raise RuntimeError(NO_DRIVER)
        return "the driver and the library"

    def load(self, files, device, options):
        with open(files[0], "rb") as file:
            data = file.read()
        context = Context()
        # Flags 0: high priority, nothing asynchronous.
        code = self.library.rknn_init(ctypes.byref(context), data, ctypes.c_uint32(len(data)), ctypes.c_uint32(0), None)
        if code < 0:
            raise RuntimeError(failed("rknn_init", code))
        model = RknnModel(self.library, context, device)
        try:
            model.describe(options)
        except (RuntimeError, ValueError):
            model.close()
            raise
        self.known = model.version
        return model


class RknnModel:
    """One model in its context."""

    def __init__(self, library, context, device):
        self.library, self.context, self.device = library, context, device
        self.inputs, self.outputs, self.given, self.made, self.version = [], [], [], [], "unknown"

    def describe(self, options):
        """Reads the tensors, and chooses the cores."""
        if options["cores"] != "auto":
            mask = ctypes.c_int(CORES[options["cores"]])
            self.check("rknn_set_core_mask", self.library.rknn_set_core_mask(self.context, mask))
        versions, counts = Versions(), Counts()
        self.query(SDK_VERSION, versions)
        self.version = versions.api.decode(errors="replace").split(" ")[0] or "unknown"
        self.query(IN_OUT_NUM, counts)
        self.stored = options["inputs"] == "stored"
        self.given = [self.attributes(INPUT_ATTR, index) for index in range(counts.inputs)]
        self.made = [self.attributes(OUTPUT_ATTR, index) for index in range(counts.outputs)]
        self.inputs = [tensor(each, each.type if self.stored else converted(each)) for each in self.given]
        self.outputs = [tensor(each, FLOAT32 if each.type == FLOAT16 else each.type) for each in self.made]

    def run(self, inputs):
        arrays = [np.ascontiguousarray(inputs[each["name"]]) for each in self.inputs]
        given = (Input * len(arrays))()
        for index, array in enumerate(arrays):
            kind = TYPES.index(str(array.dtype))
            given[index] = Input(index, array.ctypes.data, array.nbytes, int(self.stored), kind, self.given[index].fmt)
        self.check("rknn_inputs_set", self.library.rknn_inputs_set(self.context, ctypes.c_uint32(len(arrays)), given))
        self.check("rknn_run", self.library.rknn_run(self.context, None))
        results = {each["name"]: np.empty(each["shape"], each["dtype"]) for each in self.outputs}
        made = (Output * len(results))()
        for index, array in enumerate(results.values()):
            made[index] = Output(int(self.made[index].type == FLOAT16), 1, index, array.ctypes.data, array.nbytes)
        count = ctypes.c_uint32(len(results))
        self.check("rknn_outputs_get", self.library.rknn_outputs_get(self.context, count, made, None))
        self.check("rknn_outputs_release", self.library.rknn_outputs_release(self.context, count, made))
        return results

    def close(self):
        self.library.rknn_destroy(self.context)

    def attributes(self, command, index):
        found = Attributes(index=index)
        self.query(command, found)
        return found

    def query(self, command, into):
        size = ctypes.c_uint32(ctypes.sizeof(into))
        self.check("rknn_query", self.library.rknn_query(self.context, ctypes.c_int(command), ctypes.byref(into), size))

    def check(self, function, code):
        if code < 0:
            raise RuntimeError(failed(function, code))


def converted(found):
    """The type from which the library converts an input."""
    return UINT8 if found.n_dims == 4 and found.fmt == NHWC else FLOAT32


def tensor(found, kind):
    name = found.name.decode(errors="replace")
    if not 0 <= kind < len(TYPES):
        raise ValueError("tensor {} is of type {}, which is not supported".format(name, kind))
    described = {"name": name, "dtype": TYPES[kind], "shape": list(found.dims[: found.n_dims])}
    if found.qnt_type == AFFINE and kind == found.type:
        described.update(scale=float(found.scale), zero_point=int(found.zp))
    return described


def failed(function, code):
    return "{}: {} ({})".format(function, CODES.get(code, "error"), code)


def is_driver_loaded(root="/"):
    """Whether the kernel has Rockchip's driver."""
    return any(os.path.exists(os.path.join(root, path)) for path in ("dev/rknpu", "sys/bus/platform/drivers/RKNPU"))


def lacking(error):
    """`library`: it cannot be loaded. `device`: the driver or the NPU is missing; without a driver, `rknn_init` just fails.
    `versions`: the driver is not the library's."""
    text = str(error)
    if isinstance(error, OSError):
        return "library"
    if "DEVICE_UNMATCH" in text:
        return "versions"
    failed = text.startswith("rknn_init: RKNN_ERR_FAIL") and not is_driver_loaded()
    return "device" if failed or text == NO_DRIVER or "DEVICE_UNAVAILABLE" in text else ""


RUNTIME = RknnLibrary
