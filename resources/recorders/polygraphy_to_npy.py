#!/usr/bin/env python3
"""Makes a folder that Calibscope opens of what Polygraphy saved (--save-outputs, --save-inputs).

    python3 polygraphy_to_npy.py outputs.json acts/   # acts/conv1/0000.npy, acts/conv1/0001.npy, ...
    calibscope acts/         # of several runners: acts/RUNNER

Polygraphy's JSON has each array as the base64 of a .npy, by the name of its tensor, for each iteration of each runner; of
several runners each gets a folder. Arrays of Python objects are refused. Holds the whole JSON in memory. Needs numpy; written
from the format's description and its files, not run with Polygraphy itself.
"""
from __future__ import annotations

import argparse
import base64
import io
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

WRAPPERS = {"lst", "outputs", "values", "dct"}  # keys of Polygraphy's own objects


def arrays_in(node: Any, name: str = "") -> Iterator[tuple[str, np.ndarray]]:
    """All arrays below a node, with the name of the nearest key that is a tensor's, in the file's order."""
    if isinstance(node, dict):
        if isinstance(node.get("array"), str):  # base64
            yield name, np.load(io.BytesIO(base64.b64decode(node["array"])), allow_pickle=False)
            return
        is_own = "polygraphy_class" in node  # else its keys are names of tensors
        for key, value in node.items():
            yield from arrays_in(value, name if is_own and key in WRAPPERS else key)
    elif isinstance(node, list):
        for value in node:
            yield from arrays_in(value, name)


def runners_in(document: Any) -> list[tuple[str, Any]]:
    """Runners and their iterations: [[runner, [iteration, ...]], ...]; without runners all of it under no name."""
    entries = document.get("lst") if isinstance(document, dict) else None
    if entries and all(isinstance(entry, list) and len(entry) == 2 and isinstance(entry[0], str) for entry in entries):
        return [(name, iterations) for name, iterations in entries]
    return [("", document)]


def below(folder: Path, *names: str) -> Path:
    """The folder of that name, which must not lead out of `folder`."""
    parts = [part for name in names for part in name.split("/") if part]
    if not parts or any(part in (".", "..") or "\0" in part for part in parts):
        raise SystemExit(f"the tensor's name {'/'.join(names)!r} can't be the name of a folder")
    return folder.joinpath(*parts)


def convert(source: Path, folder: Path) -> int:
    """Writes all arrays and returns their number."""
    runners = runners_in(json.loads(source.read_text(encoding="utf-8")))
    written: dict[Path, int] = {}
    for runner, iterations in runners:
        for name, array in arrays_in(iterations):
            target = below(folder, *([runner] if len(runners) > 1 else []), name)
            number = written.get(target, 0)
            target.mkdir(parents=True, exist_ok=True)
            np.save(target / f"{number:04}.npy", array, allow_pickle=False)
            written[target] = number + 1
    return sum(written.values())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("json", type=Path)
    parser.add_argument("folder", type=Path, help="where the arrays go; it must not exist")
    given = parser.parse_args()
    if given.folder.exists():
        parser.error(f"{given.folder} exists")
    try:
        count = convert(given.json, given.folder)
    except (OSError, ValueError) as error:  # no JSON, no array, or names that are each other's folder
        shutil.rmtree(given.folder, ignore_errors=True)
        parser.error(f"{given.json}: {error}")
    except SystemExit:
        shutil.rmtree(given.folder, ignore_errors=True)
        raise
    if count == 0:
        parser.error(f"{given.json} has no arrays of Polygraphy")
    print(f"{count} arrays")


if __name__ == "__main__":
    main()
