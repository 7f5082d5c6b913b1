"""The NCS2's part of the host process (see `backends.hosted.host_loop`): an old OpenVINO in an old Python."""

from openvino.inference_engine import IECore

ERRORS = ()
DTYPES = {"FP32": "float32", "FP16": "float16", "U8": "uint8", "I8": "int8", "I32": "int32", "I64": "int64", "BOOL": "bool"}


class Ncs2Library:
    """The devices of the old OpenVINO."""

    def __init__(self):
        self.core = IECore()

    def version(self):
        return self.core.get_versions("CPU")["CPU"].build_number.split("-")[0]

    def devices(self):
        found = [device.lower() for device in self.core.available_devices]
        return [device for device in found if device.startswith("myriad")] + ["cpu"]

    def probe(self, device):
        if not any(each.startswith(device) for each in self.devices()):
            raise RuntimeError("Can not init Myriad device: not found")
        return "OpenVINO {}".format(self.version())

    def load(self, files, device, options):
        network = self.core.read_network(*files[:2])
        return Ncs2Model(network, self.core.load_network(network, device.upper(), num_requests=1), device)


class Ncs2Model:
    """One model on one device."""

    def __init__(self, network, loaded, device):
        self.loaded = loaded
        self.device = device
        self.inputs = [tensor(name, info.input_data.shape, info.precision) for name, info in network.input_info.items()]
        self.outputs = [tensor(name, blob.shape, blob.precision) for name, blob in network.outputs.items()]

    def run(self, inputs):
        return self.loaded.infer(inputs)

    def close(self):
        self.loaded = None


def tensor(name, shape, precision):
    return {"name": name, "dtype": DTYPES[precision], "shape": [int(side) for side in shape]}


def lacking(error):
    """`device`: the stick, its permissions or its USB library are missing."""
    parts = ("Can not init Myriad device", "Failed to create plugin", "not registered")
    return "device" if any(each in str(error) for each in parts) else ""


RUNTIME = Ncs2Library
