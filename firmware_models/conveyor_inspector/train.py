"""Train the detector on rendered frames, on one CPU core, and write its weights with batch normalization folded in.

    python firmware_models/conveyor_inspector/train.py --version 1.1.0

PyTorch is needed here only; export, evaluation and the device never see it.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from firmware_models.conveyor_inspector import frames as material
from firmware_models.conveyor_inspector.network import GRID_HEIGHT, GRID_WIDTH, LABELS, LAYERS, STRIDE, Layer

HERE = Path(__file__).resolve().parent
Targets = tuple[Tensor, Tensor, Tensor, Tensor]
"""Of a batch: classes (n, C, gh, gw), distances in strides (n, 4, gh, gw), weight (n, gh, gw), scratch cells (n, 2 gh, 2 gw)."""


@dataclass(frozen=True)
class Recipe:
    """Training data of a version, and the number of steps."""

    scenes: int
    per_scene: int
    variety: float
    narrow: bool
    epochs: int
    colour_jitter: float


RECIPES = {
    "1.0.0": Recipe(scenes=60, per_scene=8, variety=0.1, narrow=True, epochs=30, colour_jitter=0.0),
    "1.1.0": Recipe(scenes=320, per_scene=8, variety=1.0, narrow=False, epochs=24, colour_jitter=0.25),
}
BATCH = 16
PEAK_RATE = 4e-3
BOX_WEIGHT = 1.5
SCRATCH_WEIGHT = 1.0
SCRATCH_TAP = "block5_pw"  # the last layer of stride 8


class Convolution(nn.Module):
    """One layer: padding, convolution, batch normalization (not on the two outputs), activation."""

    def __init__(self, layer: Layer) -> None:
        super().__init__()
        self.layer = layer
        self.has_norm = layer.activation == "relu6"
        groups = layer.channels_in if layer.depthwise else 1
        before, after = layer.padding
        self.uneven = before != after
        self.convolution = nn.Conv2d(
            layer.channels_in, layer.channels_out, layer.kernel, layer.stride,
            padding=0 if self.uneven else before, groups=groups, bias=not self.has_norm,
        )  # fmt: skip
        self.norm = nn.BatchNorm2d(layer.channels_out) if self.has_norm else nn.Identity()

    def forward(self, x: Tensor) -> Tensor:
        """NCHW in, NCHW out."""
        before, after = self.layer.padding
        if self.uneven:
            x = functional.pad(x, (before, after, before, after))
        x = self.norm(self.convolution(x))
        if self.layer.activation == "relu6":
            return functional.relu6(x)
        return functional.relu(x) if self.layer.activation == "relu" else x

    def folded(self) -> tuple[Tensor, Tensor]:
        """Kernel (OIHW) and bias with the normalization's statistics folded in."""
        kernel = self.convolution.weight.detach()
        if not isinstance(self.norm, nn.BatchNorm2d):
            assert self.convolution.bias is not None
            return kernel, self.convolution.bias.detach()
        mean, variance = self.norm.running_mean, self.norm.running_var
        assert mean is not None
        assert variance is not None
        factor = self.norm.weight.detach() / torch.sqrt(variance + self.norm.eps)
        return kernel * factor[:, None, None, None], self.norm.bias.detach() - mean * factor


class Inspector(nn.Module):
    """The layers of ``network.LAYERS``; boxes come in strides here and leave in pixels (folded at the end).

    ``scratch`` is scaffolding for training: it asks the middle of the network where scratches are. Without it the whole-part
    label alone (a line one pixel wide, somewhere on the part) taught nothing in the time given; it is not exported.
    """

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.ModuleList([Convolution(layer) for layer in LAYERS])
        tapped = next(layer for layer in LAYERS if layer.name == SCRATCH_TAP)
        self.scratch = nn.Conv2d(tapped.channels_out, 1, 1)
        nn.init.constant_(self.scratch.bias, -3.0)  # type: ignore[arg-type]  # bias=True above
        by_name = {layer.name: module for layer, module in zip(LAYERS, self.layers, strict=True)}
        for name, value in (("logits", -3.0), ("boxes", 1.8)):
            module = by_name[name]
            assert isinstance(module, Convolution)
            assert module.convolution.bias is not None
            nn.init.constant_(module.convolution.bias, value)
            nn.init.normal_(module.convolution.weight, std=0.01)

    def forward(self, image: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Image NCHW in 0..1 -> logits (n, C, gh, gw), distances in strides (n, 4, gh, gw), scratch logits (n, 2 gh, 2 gw)."""
        values = {"image": image}
        for layer, module in zip(LAYERS, self.layers, strict=True):
            values[layer.name] = module(values[layer.source])
        return values["logits"], values["boxes"], self.scratch(values[SCRATCH_TAP])[:, 0]

    def folded(self) -> dict[str, np.ndarray]:
        """Weights as ``network.load_weights`` reads them, box distances in input pixels."""
        arrays = {}
        for layer, module in zip(LAYERS, self.layers, strict=True):
            assert isinstance(module, Convolution)
            kernel, bias = module.folded()
            scale = STRIDE if layer.name == "boxes" else 1
            arrays[f"{layer.name}/weight"] = (kernel * scale).numpy()
            arrays[f"{layer.name}/bias"] = (bias * scale).numpy()
        return arrays


def grid_targets(truth: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Targets of one frame: classes (C, gh, gw), distances in strides (4, gh, gw), weight (gh, gw) 0 where nothing is asked.

    Cells whose centre lies within 0.9 strides of a part's centre answer for it; the ring around them has no weight.
    """
    y, x = np.mgrid[0:GRID_HEIGHT, 0:GRID_WIDTH].astype(np.float32) * STRIDE + STRIDE / 2
    classes = np.zeros((len(LABELS), GRID_HEIGHT, GRID_WIDTH), np.float32)
    sides = np.zeros((4, GRID_HEIGHT, GRID_WIDTH), np.float32)
    weights = np.ones((GRID_HEIGHT, GRID_WIDTH), np.float32)
    for x1, y1, x2, y2, label, visible in truth:
        if visible < material.PARTIAL_VIEW:
            continue
        away = np.maximum(np.abs(x - (x1 + x2) / 2), np.abs(y - (y1 + y2) / 2)) / STRIDE
        near = away < 0.9
        weights[away < (1.5 if visible >= material.FULL_VIEW else 2.2)] = 0
        if visible < material.FULL_VIEW:
            continue
        weights[near] = 1
        classes[int(label)][near] = 1
        distances = np.stack([x - x1, y - y1, x2 - x, y2 - y]) / STRIDE
        sides[:, near] = distances[:, near]
    return classes, sides, weights


def overlap_loss(found: Tensor, target: Tensor) -> Tensor:
    """1 - GIoU (Rezatofighi et al. 2019) of boxes given as distances (n, 4) from the same point."""
    inner, outer = torch.minimum(found, target), torch.maximum(found, target)
    area = (found[:, 0] + found[:, 2]) * (found[:, 1] + found[:, 3])
    target_area = (target[:, 0] + target[:, 2]) * (target[:, 1] + target[:, 3])
    shared = (inner[:, 0] + inner[:, 2]) * (inner[:, 1] + inner[:, 3])
    hull = (outer[:, 0] + outer[:, 2]) * (outer[:, 1] + outer[:, 3]) + 1e-6
    union = area + target_area - shared + 1e-6
    return 1 - shared / union + (hull - union) / hull


def loss_of(answer: tuple[Tensor, Tensor, Tensor], targets: Targets) -> Tensor:
    """Focal loss (Lin et al. 2017, gamma 2) on classes plus box overlap, both per positive cell, plus scratch cells."""
    (logits, sides, scratch), (classes, target, weights, scratched) = answer, targets
    positives = classes.amax(1) > 0
    count = positives.sum().clamp(min=1)
    chance = torch.sigmoid(logits)
    miss = torch.where(classes > 0, 1 - chance, chance)
    balance = torch.where(classes > 0, 0.6, 0.4)
    entropy = functional.binary_cross_entropy_with_logits(logits, classes, reduction="none")
    focal = (balance * miss**2 * entropy * weights[:, None]).sum() * 4 / count
    found = sides.permute(0, 2, 3, 1)[positives]
    box = overlap_loss(found, target.permute(0, 2, 3, 1)[positives]).sum() / count
    weight = torch.where(scratched > 0, 4.0, 1.0)
    scaffold = functional.binary_cross_entropy_with_logits(scratch, scratched, weight, reduction="sum") / (4 * count)
    return focal + BOX_WEIGHT * box + SCRATCH_WEIGHT * scaffold


def augment(images: Tensor, targets: Targets, jitter: float, draw: torch.Generator) -> tuple[Tensor, Targets]:
    """Mirror the batch along either axis (a part mirrored is a part) and, with `jitter`, change exposure and tint."""
    classes, sides, weights, scratched = targets
    if torch.rand((), generator=draw) < 0.5:
        images, classes, weights, scratched = images.flip(3), classes.flip(3), weights.flip(2), scratched.flip(2)
        sides = sides.flip(3)[:, [2, 1, 0, 3]]
    if torch.rand((), generator=draw) < 0.5:
        images, classes, weights, scratched = images.flip(2), classes.flip(2), weights.flip(1), scratched.flip(1)
        sides = sides.flip(2)[:, [0, 3, 2, 1]]
    if jitter:
        gain = torch.exp(jitter * torch.randn((len(images), 1, 1, 1), generator=draw))
        tint = torch.exp(0.3 * jitter * torch.randn((len(images), 3, 1, 1), generator=draw))
        images = (images * gain * tint).clamp(max=1.0)
    return images, (classes, sides, weights, scratched)


@torch.no_grad()
def _follow(average: Inspector, model: Inspector, keep: float) -> None:
    """Move the running average of weights and statistics towards the model (Polyak averaging)."""
    for mean, live in zip(average.state_dict().values(), model.state_dict().values(), strict=True):
        if mean.is_floating_point():
            mean.mul_(keep).add_(live, alpha=1 - keep)


def train(recipe: Recipe, data: material.Frames, seed: int = 7) -> Inspector:
    """Run a recipe; prints one line an epoch. Deterministic for a given PyTorch build and processor."""
    torch.manual_seed(seed)
    draw = torch.Generator().manual_seed(seed)
    pixels = torch.from_numpy(data.images).permute(0, 3, 1, 2)
    stacked = [np.stack(parts) for parts in zip(*(grid_targets(truth) for truth in data.truths), strict=True)]
    whole = (*(torch.from_numpy(array) for array in stacked), torch.from_numpy(data.scratches).float())
    model, average = Inspector(), Inspector()
    optimizer = torch.optim.AdamW(model.parameters(), lr=PEAK_RATE, weight_decay=1e-3)
    steps = recipe.epochs * (len(data) // BATCH)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, PEAK_RATE, total_steps=steps, pct_start=0.15)
    for epoch in range(recipe.epochs):
        started, total = time.monotonic(), 0.0
        order = torch.randperm(len(data), generator=draw)[: len(data) // BATCH * BATCH].reshape(-1, BATCH)
        for chosen in order:
            images = pixels[chosen].float().div_(255).contiguous(memory_format=torch.channels_last)
            classes, sides, weights, scratched = (target[chosen] for target in whole)
            images, targets = augment(images, (classes, sides, weights, scratched), recipe.colour_jitter, draw)
            loss = loss_of(model(images), targets)
            optimizer.zero_grad()
            torch.autograd.backward(loss)
            nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            optimizer.step()
            schedule.step()
            _follow(average, model, min(0.99, 1 - 1 / schedule.last_epoch))
            total += loss.item()
        print(f"epoch {epoch + 1}/{recipe.epochs}  loss {total / len(order):.4f}  {time.monotonic() - started:.1f} s", flush=True)
    return average.eval()


def main() -> None:
    """Render, train, write ``VERSION/weights.npz``."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--version", choices=sorted(RECIPES), required=True)
    parser.add_argument("--threads", type=int, default=1, help="CPU threads for PyTorch (default 1)")
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    recipe = RECIPES[arguments.version]
    started = time.monotonic()
    data = material.render(material.TRAIN_SEED, recipe.scenes, recipe.per_scene, variety=recipe.variety, narrow=recipe.narrow)
    print(f"{len(data)} frames rendered in {time.monotonic() - started:.0f} s", flush=True)
    model = train(recipe, data)
    path = HERE / arguments.version / "weights.npz"
    path.parent.mkdir(exist_ok=True)
    arrays: dict[str, Any] = dict(model.folded())
    np.savez_compressed(path, **arrays)
    print(f"{path}: trained in {time.monotonic() - started:.0f} s; next: export.py --version {arguments.version}")


if __name__ == "__main__":
    main()
