#!/usr/bin/env python3
"""What a quantized text detector still finds, or a reader reads: task_agreement.py DUMP MODEL.onnx QUANTIZED.onnx... --runner COMMAND

Each model is run as written on the inputs in the dump (`activations/x`). Against the float model's output, a map of
probabilities for each picture, a row gives: SQNR in dB of all pictures and of the median one; the share of pixels on the other side
of 0.3; the intersection over union of the pixels above it; and the text boxes. A box is a connected region of such pixels of 12 or
more with a mean of 0.6, as in PaddleOCR; it is found where a box of the other model overlaps it with an intersection over
union of 0.5. With --keys FILE the output is a row of probabilities for each step of a line of text, of a blank, the characters in
the file and a space: a row gives the share of steps with another choice, the lines that read the same, and the characters (of so
many) to be changed, inserted or removed for the float model's text. --held-out leaves out every other sample from the first on: those that
`calib improve` calibrates on. --picture N FILE.png draws picture N, the map of the float model and those of the others, with their boxes.
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


def read(line: np.ndarray, characters: list[str]) -> str:
    """The best class of each step, repetitions and blanks (class 0) left out."""
    best = line.argmax(axis=1)
    return "".join(characters[one - 1] for one, before in zip(best, [0, *best]) if one not in (0, before))


def edits(one: str, other: str) -> int:
    row = list(range(len(other) + 1))
    for above, letter in enumerate(one, 1):
        corner, row[0] = row[0], above
        for column, match in enumerate(other, 1):
            corner, row[column] = row[column], min(row[column] + 1, row[column - 1] + 1, corner + (letter != match))
    return row[-1]


def of_boxes(exact: np.ndarray, changed: np.ndarray) -> list[float]:
    above, below = exact > THRESHOLD, changed > THRESHOLD
    true, made = [boxes(one) for one in exact], [boxes(one) for one in changed]
    return [100 * np.mean(above != below), (above & below).sum() / max(1, (above | below).sum()), sum(map(len, true)),
            sum(map(found, true, made)), sum(map(len, made)) - sum(map(found, made, true))]


def of_text(exact: np.ndarray, changed: np.ndarray, characters: list[str]) -> list[float]:
    true, made = ([read(line, characters) for line in lines] for lines in (exact, changed))
    return [100 * np.mean(exact.argmax(axis=2) != changed.argmax(axis=2)), sum(map(str.__eq__, true, made)), len(true),
            sum(map(edits, true, made)), sum(map(len, true))]


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
    parser.add_argument("--keys", type=Path, help="of a reader: its characters, one a line")
    parser.add_argument("--held-out", action="store_true")
    parser.add_argument("--picture", nargs=2, metavar=("N", "FILE.png"), help="counted from 0")
    given = parser.parse_args()
    with h5py.File(given.dump) as dump:
        pictures = dump["activations/x"][slice(1, None, 2) if given.held_out else slice(None)]

    def maps(path: Path) -> np.ndarray:
        session = RunnerSession(shlex.split(given.runner), onnx.load(path))
        return session.run(None, {"x": pictures})[0].astype(float)

    exact = maps(given.model)
    drawn = [exact]
    characters = given.keys.read_text(encoding="utf-8").split("\n")[:exact.shape[-1] - 2] + [" "] if given.keys else []
    titles = ["Flipped %", "Same", "Of", "Edits", "Of"] if given.keys else ["Flipped %", "IoU", "Boxes", "Found", "False"]
    print(f"{'Model':28}{'SQNR dB':>9}{'Median dB':>11}" + "".join(f"{title:>11}" for title in titles))
    for path in given.quantized:
        changed = maps(path)
        drawn.append(changed)
        signal, noise = ((values ** 2).reshape(len(exact), -1).sum(axis=1) for values in (exact, changed - exact))
        median = np.median([decibels(*powers) for powers in zip(signal, noise)])
        figures = of_text(exact, changed, characters) if given.keys else of_boxes(exact[:, 0], changed[:, 0])
        print(f"{path.stem:28}{decibels(signal.sum(), noise.sum()):9.2f}{median:11.2f}"
              + "".join(f"{figure:11.5g}" for figure in figures), flush=True)
    if given.picture:
        number = int(given.picture[0])
        draw(pictures[number], [one[number, 0] for one in drawn], Path(given.picture[1]))


if __name__ == "__main__":
    main()
