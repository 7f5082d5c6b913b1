"""Train the classifier on simulated bearings, on one CPU core, and write its weights with batch normalization folded in.

    python firmware_models/bearing_anomaly/train.py

PyTorch is needed here only; export, evaluation and the device never see it.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from firmware_models.bearing_anomaly.network import LAYERS, Layer
from firmware_models.bearing_anomaly.windows import TRAIN_SEED, Windows, render

HERE = Path(__file__).resolve().parent
VERSION = "1.0.0"
MACHINES, PER_MACHINE = 700, 4
EPOCHS, BATCH, PEAK_RATE = 14, 64, 4e-3


class Convolution(nn.Module):
    """One layer: padding, convolution, batch normalization (not on the logits), activation."""

    def __init__(self, layer: Layer) -> None:
        super().__init__()
        self.layer = layer
        self.convolution = nn.Conv2d(layer.channels_in, layer.channels_out, layer.kernel, layer.stride, bias=not layer.relu6)
        self.norm = nn.BatchNorm2d(layer.channels_out) if layer.relu6 else nn.Identity()

    def forward(self, x: Tensor) -> Tensor:
        """NCHW in, NCHW out."""
        top, left, bottom, right = self.layer.pads
        x = self.norm(self.convolution(functional.pad(x, (left, right, top, bottom))))
        return functional.relu6(x) if self.layer.relu6 else x

    def folded(self) -> tuple[Tensor, Tensor]:
        """Kernel and bias with the normalization's statistics folded in."""
        kernel = self.convolution.weight.detach()
        if not isinstance(self.norm, nn.BatchNorm2d):
            assert self.convolution.bias is not None
            return kernel, self.convolution.bias.detach()
        mean, variance = self.norm.running_mean, self.norm.running_var
        assert mean is not None
        assert variance is not None
        factor = self.norm.weight.detach() / torch.sqrt(variance + self.norm.eps)
        return kernel * factor[:, None, None, None], self.norm.bias.detach() - mean * factor


def train(data: Windows, seed: int = 7) -> nn.Sequential:
    """Prints one line an epoch. Deterministic for a given PyTorch build and processor."""
    torch.manual_seed(seed)
    draw = torch.Generator().manual_seed(seed)
    pictures = torch.from_numpy(data.pictures)[:, None]
    classes = torch.from_numpy(data.classes)
    model = nn.Sequential(*(Convolution(layer) for layer in LAYERS), nn.Flatten())
    optimizer = torch.optim.AdamW(model.parameters(), lr=PEAK_RATE, weight_decay=1e-2)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, PEAK_RATE, total_steps=EPOCHS * (len(data) // BATCH), pct_start=0.2)
    for epoch in range(EPOCHS):
        began_s, total = time.monotonic(), 0.0
        order = torch.randperm(len(data), generator=draw)[: len(data) // BATCH * BATCH].reshape(-1, BATCH)
        for chosen in order:
            images = pictures[chosen].float().div_(255)
            if torch.rand((), generator=draw) < 0.5:  # damage sounds the same backwards as far as this network can hear
                images = images.flip(3)
            loss = functional.cross_entropy(model(images), classes[chosen], label_smoothing=0.05)
            optimizer.zero_grad()
            torch.autograd.backward(loss)
            optimizer.step()
            schedule.step()
            total += loss.item()
        print(f"epoch {epoch + 1}/{EPOCHS}  loss {total / len(order):.4f}  {time.monotonic() - began_s:.1f} s", flush=True)
    return model.eval()


def main() -> None:
    """Simulate, train, write `VERSION/weights.npz`."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--threads", type=int, default=1, help="CPU threads for PyTorch (default 1)")
    torch.set_num_threads(parser.parse_args().threads)
    began_s = time.monotonic()
    data = render(TRAIN_SEED, MACHINES, PER_MACHINE)
    print(f"{len(data)} windows simulated in {time.monotonic() - began_s:.0f} s", flush=True)
    model = train(data)
    arrays: dict[str, np.ndarray] = {}
    for module in model:
        if isinstance(module, Convolution):
            kernel, bias = module.folded()
            arrays[f"{module.layer.name}/weight"], arrays[f"{module.layer.name}/bias"] = kernel.numpy(), bias.numpy()
    path = HERE / VERSION / "weights.npz"
    path.parent.mkdir(exist_ok=True)
    with path.open("wb") as file:
        np.savez_compressed(file, **arrays)
    print(f"{path}: trained in {time.monotonic() - began_s:.0f} s; next: export.py")


if __name__ == "__main__":
    main()
