#!/usr/bin/env python3
"""Text boxes that a quantized detector still finds: task_agreement.py DUMP MODEL.onnx QUANTIZED.onnx... --runner COMMAND

Each model is run as written on the inputs in the dump (`activations/x`). Against the float model's output, a map of
probabilities for each picture, a row gives: SQNR in dB of all pictures and of the median one; the share of pixels on the other side
of 0.3; the intersection over union of the pixels above it; and the text boxes. A box is a connected region of such pixels of 12 or
more with a mean of 0.6, as in PaddleOCR; it is found where a box of the other model overlaps it with an intersection over
union of 0.5. --picture N FILE.png draws picture N, the map of the float model and those of the others, with their boxes.
Needs the packages h5py, numpy, onnx and scipy, and PIL for --picture. The table of resources/docs/measured-meaning.md is made by it.
"""
from __future__ import annotations

import argparse
import shlex
import sys
from pathlib import Path

import h5py
import numpy as np
import onnx
from scipy import ndimage

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "resources/recorders"))
from runner_session import RunnerSession  # noqa: E402

THRESHOLD, BOX_THRESHOLD, LEAST_PIXELS, OVERLAP = 0.3, 0.6, 12, 0.5
Box = tuple[int, int, int, int]  # top, left, bottom, right; the last two are not part of it


def boxes(probabilities: np.ndarray) -> list[Box]:
    labels, _ = ndimage.label(probabilities > THRESHOLD, np.ones((3, 3)))
    found = []
    for number, (rows, columns) in enumerate(ndimage.find_objects(labels), 1):
        inside = labels[rows, columns] == number
        if inside.sum() >= LEAST_PIXELS and probabilities[rows, columns][inside].mean() >= BOX_THRESHOLD:
            found.append((rows.start, columns.start, rows.stop, columns.stop))
    return found


def overlap(one: Box, other: Box) -> float:
    height = min(one[2], other[2]) - max(one[0], other[0])
    width = min(one[3], other[3]) - max(one[1], other[1])
    both = max(0, height) * max(0, width)
    return both / (sum((box[2] - box[0]) * (box[3] - box[1]) for box in (one, other)) - both)


def found(some: list[Box], others: list[Box]) -> int:
    return sum(any(overlap(box, other) >= OVERLAP for other in others) for box in some)


def decibels(signal: float, noise: float) -> float:
    return float("inf") if noise == 0 else 10 * float(np.log10(signal / noise))


def draw(picture: np.ndarray, maps: list[np.ndarray], file: Path) -> None:
    from PIL import Image, ImageDraw

    rgb = picture[::-1].transpose(1, 2, 0)
    tiles = [(rgb - rgb.min()) / (rgb.max() - rgb.min())] + [np.repeat(one[..., None], 3, 2) for one in maps]
    image = Image.fromarray((255 * np.hstack(tiles)).clip(0, 255).astype(np.uint8))
    pen = ImageDraw.Draw(image)
    for number, one in enumerate(maps, 1):
        left = number * one.shape[1]
        for box in boxes(one):
            pen.rectangle((left + box[1], box[0], left + box[3], box[2]), outline=(240, 140, 0))
    image.save(file, optimize=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dump", type=Path)
    parser.add_argument("model", type=Path)
    parser.add_argument("quantized", nargs="+", type=Path)
    parser.add_argument("--runner", required=True, help="as of calib check")
    parser.add_argument("--picture", nargs=2, metavar=("N", "FILE.png"), help="counted from 0")
    given = parser.parse_args()
    with h5py.File(given.dump) as dump:
        pictures = dump["activations/x"][()]

    def maps(path: Path) -> np.ndarray:
        session = RunnerSession(shlex.split(given.runner), onnx.load(path))
        return session.run(None, {"x": pictures})[0][:, 0].astype(float)

    exact = maps(given.model)
    drawn = [exact]
    true_boxes = [boxes(picture) for picture in exact]
    print(f"{'Model':28}{'SQNR dB':>9}{'Median dB':>11}{'Flipped %':>11}{'IoU':>8}{'Boxes':>7}{'Found':>7}{'False':>7}")
    for path in given.quantized:
        changed = maps(path)
        drawn.append(changed)
        signal, noise = (exact ** 2).sum(axis=(1, 2)), ((changed - exact) ** 2).sum(axis=(1, 2))
        median = np.median([decibels(*powers) for powers in zip(signal, noise)])
        above, below = exact > THRESHOLD, changed > THRESHOLD
        made = [boxes(picture) for picture in changed]
        count = sum(map(len, true_boxes))
        hits = sum(map(found, true_boxes, made))
        false = sum(map(len, made)) - sum(map(found, made, true_boxes))
        print(f"{path.stem:28}{decibels(signal.sum(), noise.sum()):9.2f}{median:11.2f}{100 * np.mean(above != below):11.3f}"
              f"{(above & below).sum() / max(1, (above | below).sum()):8.4f}{count:7}{hits:7}{false:7}", flush=True)
    if given.picture:
        number = int(given.picture[0])
        draw(pictures[number], [one[number] for one in drawn], Path(given.picture[1]))


if __name__ == "__main__":
    main()
