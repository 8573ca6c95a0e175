#!/usr/bin/env python3
"""Which damage of values without a checksum is told: values.py CALIB DUMP... [--seed N] [--rounds N]

Takes the float32 tensors of at least 1000 values from dumps, stores them without filters or checksums, damages each by itself
in one way after the other, and counts of how many `calib stats` says a word, or shows NaN or infinities that were not
there. Whatever it says of the undamaged values is a false alarm. Needs h5py.
"""
import argparse
import collections
import csv
import io
import pathlib
import random
import re
import subprocess
import tempfile

import h5py
import numpy as np

LEAST_VALUES = 1000
TEXT = b"The quick brown fox jumps over the lazy dog; 0123456789 times, and nobody ever asked it why. "


def bit(first, last):
    """A bit of a value that is not 0, counted from the lowest."""
    def change(data, begin, end, chance):
        for _ in range(100):
            at = begin + 4 * chance.randrange((end - begin) // 4)
            if data[at:at + 4] != bytes(4):
                break
        number = chance.randint(first, last)
        data[at + number // 8] ^= 1 << number % 8
    return change


def blocks(size, content):
    """A block of the disk, wholly within the values."""
    def change(data, begin, end, chance):
        first, last = -(-begin // size), end // size
        if first >= last:
            return False
        at = size * chance.randrange(first, last)
        data[at:at + size] = content(data, size, chance)
        return True
    return change


def shifted(data, begin, end, chance):
    at = chance.randrange(begin, end - 4)
    data[at:end] = data[at + 1:end] + b"\0"


def swapped(data, begin, end, chance):
    data[begin:end] = np.frombuffer(data[begin:end], "<u4").byteswap().tobytes()


def elsewhere(data, size, chance):
    at = chance.randrange(len(data) // size - 1) * size
    return data[at:at + size]


KINDS = {
    "nothing": lambda *_: None,
    "a bit: mantissa, 0 to 22": bit(0, 22),
    "a bit: exponent, 23 to 28": bit(23, 28),
    "a bit: exponent, 29": bit(29, 29),
    "a bit: exponent, 30": bit(30, 30),
    "a bit: sign": bit(31, 31),
    "a byte": lambda data, begin, end, chance: data.__setitem__(chance.randrange(begin, end), chance.randrange(256)),
    "512 bytes: zeros": blocks(512, lambda data, size, chance: bytes(size)),
    "4096 bytes: zeros": blocks(4096, lambda data, size, chance: bytes(size)),
    "512 bytes: ones": blocks(512, lambda data, size, chance: b"\xff" * size),
    "512 bytes: noise": blocks(512, lambda data, size, chance: chance.randbytes(size)),
    "512 bytes: text": blocks(512, lambda data, size, chance: (TEXT * 6)[:size]),
    "512 bytes: others of the file": blocks(512, elsewhere),
    "a byte is missing": shifted,
    "the other order of bytes": swapped,
}


def copy_plain(dumps, path):
    """(dataset, first byte, byte behind the last) of what was copied."""
    names = []
    with h5py.File(path, "w", libver="latest") as target:
        for dump in dumps:
            with h5py.File(dump, "r") as source:
                def take(name, data):
                    if isinstance(data, h5py.Dataset) and data.dtype == np.float32 and data.size >= LEAST_VALUES:
                        copied = target.create_dataset(f"activations/t{len(names)}", data=data[...])
                        names.append(name)
                        for key in ("op_type", "batch_size", "channel_axis", "layout"):
                            if key in data.attrs:
                                copied.attrs[key] = data.attrs[key]
                source.visititems(take)
    found = []
    with h5py.File(path, "r") as file:
        def note(_, data):
            if isinstance(data, h5py.Dataset):
                found.append((data.name.split("/")[-1], data.id.get_offset(), data.id.get_offset() + data.id.get_storage_size()))
        file.visititems(note)
    return found


def answer(calib, path):
    """Tensors of which something is said, and how many values are not finite, by tensor."""
    run = subprocess.run([calib, "stats", path], capture_output=True, text=True, errors="replace", check=False)
    said = set(re.findall(r":/activations/(t\d+): ", run.stderr))
    return said, {row["tensor"]: int(row["nan"]) + int(row["inf"]) for row in csv.DictReader(io.StringIO(run.stdout))}


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("calib")
    options.add_argument("dumps", nargs="+")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--rounds", type=int, default=3)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "plain.h5"
        tensors = copy_plain(given.dumps, path)
        original = path.read_bytes()
        _, finite = answer(given.calib, path)
        print(f"{len(tensors)} tensors, {given.rounds} rounds, seed {given.seed}\n")
        print("| damage | damaged | told | NaN or infinities show | neither |\n| --- | --- | --- | --- | --- |")
        for kind, change in KINDS.items():
            counts = collections.Counter()
            for turn in range(given.rounds if kind != "nothing" else 1):
                chance = random.Random(f"{given.seed} {kind} {turn}")
                data = bytearray(original)
                damaged = []
                for name, begin, end in tensors:
                    before = data[begin:end]
                    if change(data, begin, end, chance) is not False and (data[begin:end] != before or kind == "nothing"):
                        damaged.append(name)
                path.write_bytes(data)
                said, now = answer(given.calib, path)
                for name in damaged:
                    state = "told" if name in said else "shows" if now.get(name, 0) > finite.get(name, 0) else "neither"
                    counts[state] += 1
            print(f"| {kind} | {sum(counts.values())} | {counts['told']} | {counts['shows']} | {counts['neither']} |", flush=True)


if __name__ == "__main__":
    main()
