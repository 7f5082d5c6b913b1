"""Installs, starts and calls each server of `benchmarks.serving.peers` with one model."""

from __future__ import annotations

import base64
import json
import os
import sys
import sysconfig
from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path

from benchmarks.serving.throughput import BATCHED, MODELS, ROWS, SIDE
from edgefleet_agent.cli.measure.load_clients import grpc_infer, http_infer, http_post

CODE = Path(__file__).resolve().parent / "peer_models"
REPOSITORY = CODE.parents[1]
Command = tuple[list[str], dict[str, str]]


@dataclass(frozen=True, slots=True)
class Ports:
    """On loopback."""

    http: int
    grpc: int
    metrics: int


class Peer(ABC):
    """One server."""

    name: str
    packages: tuple[str, ...] = ()
    models: tuple[str, ...] = ("identity", "mobilenet")

    def installed(self, folder: Path) -> bool:
        return not self.packages or (folder / self.name / "bin" / "python").exists()

    @abstractmethod
    def command(self, folder: Path, work: Path, model: str, file: Path, ports: Ports) -> Command:
        """The server's command line and additional environment. `work`: an empty folder, the working directory of the server."""

    @abstractmethod
    def requests(self, model: str) -> dict[str, bytes]:
        """Protocol -> one request: whole over HTTP, the message over gRPC."""

    def environment(self, folder: Path, file: Path, threads: int) -> dict[str, str]:
        """The environment variables that the code in `peer_models` reads."""
        return {
            "EDGEFLEET_PEER_MODEL": str(file),
            "EDGEFLEET_PEER_THREADS": str(threads),
            "PYTHONPATH": str(CODE),
            "PATH": f"{folder / self.name / 'bin'}:{os.environ['PATH']}",
        }


class Edgefleet(Peer):
    """This repository's."""

    name = "edgefleet"
    models = tuple(MODELS)

    def command(self, folder: Path, work: Path, model: str, file: Path, ports: Ports) -> Command:
        where = ["--http", f"127.0.0.1:{ports.http}", "--grpc", f"127.0.0.1:{ports.grpc}"]
        return [sys.executable, "-m", "edgefleet_agent", "serve", str(file.parents[1]), *where], {"PYTHONPATH": str(REPOSITORY)}

    def requests(self, model: str) -> dict[str, bytes]:
        return {"http": http_infer(model, [MODELS[model]]), "grpc": grpc_infer(model, [MODELS[model]])}


class Triton(Peer):
    """The core with its Python backend: one instance for `identity`, one for each core for the others, its own dynamic batching
    where rows may be joined."""

    name = "triton"
    models = tuple(MODELS)
    packages = ("nvidia-pytriton==0.7.0", "onnxruntime", "numpy")

    def command(self, folder: Path, work: Path, model: str, file: Path, ports: Ports) -> Command:
        version = f"{sys.version_info.major}.{sys.version_info.minor}"
        packages = folder / self.name / "lib" / f"python{version}" / "site-packages"
        home = packages / "pytriton" / "tritonserver"
        stub = home / "backends" / "python" / "triton_python_backend_stub"
        if not stub.exists():
            stub.write_bytes((home / "python_backend_stubs" / version / stub.name).read_bytes())
        for program in (stub, home / "bin" / "tritonserver"):
            program.chmod(0o755)
        self._put(work, model)
        env = self.environment(folder, file, 1)
        env["PYTHONPATH"] = f"{packages}:{CODE}"
        env["LD_LIBRARY_PATH"] = f"{packages / 'nvidia_pytriton.libs'}:{sysconfig.get_config_var('LIBDIR')}"
        where = {"model-repository": work / "models", "backend-directory": home / "backends", "http-address": "127.0.0.1"}
        where |= {"http-port": ports.http, "grpc-address": "127.0.0.1", "grpc-port": ports.grpc, "metrics-port": ports.metrics}
        return [str(home / "bin" / "tritonserver"), *(f"--{name}={value}" for name, value in where.items())], env

    def _put(self, work: Path, model: str) -> None:
        case = MODELS[model]
        shape = {"identity": "[16]", BATCHED: f"[{SIDE}]"}.get(model, str(list(case.shape)))
        output, kind = ("MobilenetV2/Predictions/Softmax", "UINT8") if model == "mobilenet" else ("OUTPUT", "FP32")
        rows, batching, dims = (0, "", "[-1, -1]") if model == "mobilenet" else (ROWS, "dynamic_batching {}", "[-1]")
        folder = work / "models" / model
        (folder / "1").mkdir(parents=True)
        code = (CODE / "triton_model.py").read_text(encoding="utf-8")
        (folder / "1" / "model.py").write_text(f"import sys\nsys.path.append({str(CODE)!r})\n{code}", encoding="utf-8")
        count = 1 if model == "identity" else len(os.sched_getaffinity(0))
        (folder / "config.pbtxt").write_text(
            f'name: "{model}" backend: "python" max_batch_size: {rows} {batching}\n'
            f'input [{{name: "{case.name}" data_type: TYPE_{case.datatype} dims: {shape}}}]\n'
            f'output [{{name: "{output}" data_type: TYPE_{kind} dims: {dims}}}]\n'
            f"instance_group [{{kind: KIND_CPU count: {count}}}]\n",
            encoding="utf-8",
        )

    def requests(self, model: str) -> dict[str, bytes]:
        return {"http": http_infer(model, [MODELS[model]]), "grpc": grpc_infer(model, [MODELS[model]])}


class MLServer(Peer):
    """One process; its default of parallel workers is slower."""

    name = "mlserver"
    packages = ("mlserver==1.7.1", "uvloop<0.22", "onnxruntime")

    def command(self, folder: Path, work: Path, model: str, file: Path, ports: Ports) -> Command:
        settings = {
            "http_port": ports.http,
            "grpc_port": ports.grpc,
            "metrics_port": ports.metrics,
            "host": "127.0.0.1",
            "parallel_workers": 0,
            "debug": False,
        }
        (work / "settings.json").write_text(json.dumps(settings), encoding="utf-8")
        settings = {"name": model, "implementation": "mlserver_model.Peer"}
        (work / "model-settings.json").write_text(json.dumps(settings), encoding="utf-8")
        env = self.environment(folder, file, len(os.sched_getaffinity(0)))
        return [str(folder / self.name / "bin" / "mlserver"), "start", "."], env

    def requests(self, model: str) -> dict[str, bytes]:
        case = MODELS[model]
        if model == "identity":
            tensor = {"name": case.name, "shape": case.shape, "datatype": case.datatype, "data": [0.0] * 16}
        else:
            data = base64.b64encode(case.data).decode()
            tensor = {"name": case.name, "shape": [1, 1], "datatype": "BYTES", "data": [data]}
        body = json.dumps({"inputs": [tensor]}).encode()
        return {
            "http": http_post(f"/v2/models/{model}/infer", body, "Content-Type: application/json"),
            "grpc": grpc_infer(model, [case]),
        }


class LitServe(Peer):
    """One worker."""

    name = "litserve"
    packages = ("litserve", "onnxruntime", "numpy", "python-multipart")

    def command(self, folder: Path, work: Path, model: str, file: Path, ports: Ports) -> Command:
        program = [str(folder / self.name / "bin" / "python"), str(CODE / "litserve_model.py"), str(ports.http), "1"]
        return program, self.environment(folder, file, len(os.sched_getaffinity(0)))

    def requests(self, model: str) -> dict[str, bytes]:
        if model == "identity":
            body = json.dumps({"data": [0.0] * 16}).encode()
            return {"http": http_post("/predict", body, "Content-Type: application/json")}
        head = b'--edge\r\nContent-Disposition: form-data; name="frame"; filename="frame"\r\n'
        head += b"Content-Type: application/octet-stream\r\n\r\n"
        body = head + MODELS[model].data + b"\r\n--edge--\r\n"
        return {"http": http_post("/predict", body, "Content-Type: multipart/form-data; boundary=edge")}


class BentoML(Peer):
    """One worker."""

    name = "bentoml"
    packages = ("bentoml", "onnxruntime", "numpy")

    def command(self, folder: Path, work: Path, model: str, file: Path, ports: Ports) -> Command:
        program = [str(folder / self.name / "bin" / "bentoml"), "serve", "bentoml_model:Peer", "--port", str(ports.http)]
        env = self.environment(folder, file, len(os.sched_getaffinity(0)))
        env |= {"BENTOML_HOME": str(work), "BENTOML_DO_NOT_TRACK": "True"}
        return [*program, "--host", "127.0.0.1", "--working-dir", str(CODE)], env

    def requests(self, model: str) -> dict[str, bytes]:
        if model == "identity":
            return {"http": http_post("/infer", json.dumps({"data": [0.0] * 16}).encode(), "Content-Type: application/json")}
        data = base64.b64encode(MODELS[model].data).decode()
        return {"http": http_post("/frame", json.dumps({"data": data}).encode(), "Content-Type: application/json")}


PEERS: dict[str, Peer] = {peer.name: peer for peer in (Edgefleet(), Triton(), MLServer(), LitServe(), BentoML())}
