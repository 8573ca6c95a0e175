#!/usr/bin/env python3
"""What the programs make of damaged dumps: damage.py CALIB [--variants N] [--seed N] [--jobs N] [--keep FOLDER]

Writes dumps of many kinds in both ends of the format's versions, damages each in many ways, half of them with checksums of
metadata mended afterwards, and runs `calib stats`, `calib scales` and `calib info` on every variant, each in a process of its
own under limits. Prints how they answered, by what was damaged, and names variants that were answered wrongly. Needs h5py.
"""
import argparse
import collections
import concurrent.futures
import csv
import io
import os
import pathlib
import random
import resource
import struct
import subprocess
import sys
import tempfile
import time

import sources

SECONDS = 5
MEMORY = 512 << 20
SIGNATURES = [b"OHDR", b"OCHK", b"BTHD", b"BTIN", b"BTLF", b"FRHP", b"FHIB", b"FAHD", b"FADB", b"EAHD", b"EAIB", b"EASB",
              b"EADB", b"SMTB", b"\x89HDF"]
LONGEST_BLOCK = 2100


def lookup3(data):
    """The format's checksum of metadata (Bob Jenkins)."""
    mask = 0xFFFFFFFF
    rot = lambda x, k: ((x << k) | (x >> (32 - k))) & mask
    a = b = c = (0xDEADBEEF + len(data)) & mask
    position = 0
    while len(data) - position > 12:
        x, y, z = struct.unpack_from("<III", data, position)
        a, b, c = (a + x) & mask, (b + y) & mask, (c + z) & mask
        a = ((a - c) & mask) ^ rot(c, 4); c = (c + b) & mask
        b = ((b - a) & mask) ^ rot(a, 6); a = (a + c) & mask
        c = ((c - b) & mask) ^ rot(b, 8); b = (b + a) & mask
        a = ((a - c) & mask) ^ rot(c, 16); c = (c + b) & mask
        b = ((b - a) & mask) ^ rot(a, 19); a = (a + c) & mask
        c = ((c - b) & mask) ^ rot(b, 4); b = (b + a) & mask
        position += 12
    if position == len(data):
        return c
    x, y, z = struct.unpack("<III", data[position:].ljust(12, b"\0"))
    a, b, c = (a + x) & mask, (b + y) & mask, (c + z) & mask
    for one, two, turn in ("cb", "", 14), ("ac", "", 11), ("ba", "", 25), ("cb", "", 16), ("ac", "", 4), ("ba", "", 14), ("cb", "", 24):
        numbers = {"a": a, "b": b, "c": c}
        left, right = one[0], one[1]
        numbers[left] = ((numbers[left] ^ numbers[right]) - rot(numbers[right], turn)) & mask
        a, b, c = numbers["a"], numbers["b"], numbers["c"]
    return c


def checked_blocks(data):
    """(first byte, place of the checksum) of structures that end in one."""
    found = []
    for signature in SIGNATURES:
        at = data.find(signature)
        while at >= 0:
            for length in range(8, min(LONGEST_BLOCK, len(data) - at - 3)):
                end = at + length
                # Cheap first: nearly all lengths fail here.
                if lookup3(data[at:end]) == struct.unpack_from("<I", data, end)[0]:
                    found.append((at, end))
                    break
            at = data.find(signature, at + 1)
    return found


class Source:
    def __init__(self, folder, calib, name, version, seed):
        self.name = f"{name}-{version}"
        self.path = folder / f"{self.name}.h5"
        sources.write(self.path, name, version, seed)
        self.bytes = self.path.read_bytes()
        self.values = sources.stretches_of_values(str(self.path))
        self.blocks = checked_blocks(self.bytes) if version == "latest" else []
        self.answers = answers_of(calib, self.path)
        if any(answer.code for answer in self.answers.values()):
            sys.exit(f"{self.path}: {[answer.error for answer in self.answers.values()]}")

    def kind_of(self, damaged):
        """What was hit: metadata, values under a checksum, values without one, or nothing but padding."""
        if len(damaged) != len(self.bytes):
            return "length"
        changed = [at for at in range(len(damaged)) if damaged[at] != self.bytes[at]]
        kinds = set()
        for at in changed:
            inside = [checked for first, last, checked in self.values if first <= at < last]
            kinds.add("metadata" if not inside else "values, checksum" if inside[0] else "values, no checksum")
        # What nothing can witness comes first: where it is hit, too, a wrong number is its fault.
        for kind in ("values, no checksum", "metadata", "values, checksum"):
            if kind in kinds:
                return kind
        return "nothing"


def stretch(random_, size, longest):
    length = min(size, random_.choice([1, 1, 2, 4, 8, 16, 64, random_.randint(1, longest)]))
    first = random_.randrange(size - length + 1)
    return first, length


def damage(random_, source):
    """One way of many in which a file's bytes go wrong; its name, and the bytes."""
    data = bytearray(source.bytes)
    size = len(data)
    way = random_.choice(["flip", "flip", "flip", "byte", "byte", "zeros", "ones", "noise", "cut", "swap", "shift", "copy",
                          "number", "number", "number"])
    first, length = stretch(random_, size, 512)
    # Metadata is small: half of all damage is led to it.
    if random_.random() < 0.5:
        for _ in range(50):
            if not any(begin <= first < end for begin, end, _ in source.values):
                break
            first, length = stretch(random_, size, 512)
    if way == "flip":
        for _ in range(random_.choice([1, 1, 1, 3])):
            data[min(first + random_.randrange(length), size - 1)] ^= 1 << random_.randrange(8)
    elif way == "byte":
        data[first] = random_.choice([0, 1, 2, 0x7F, 0x80, 0xFF, random_.randrange(256)])
    elif way == "zeros":
        data[first:first + length] = bytes(length)
    elif way == "ones":
        data[first:first + length] = b"\xff" * length
    elif way == "noise":
        data[first:first + length] = random_.randbytes(length)
    elif way == "cut":
        data = data[:first]
    elif way == "swap":
        other = random_.randrange(size - length + 1)
        if abs(other - first) >= length:
            data[first:first + length], data[other:other + length] = data[other:other + length], data[first:first + length]
    elif way == "shift":
        by = random_.choice([1, 2, 4, 8])
        data[first:first + length] = (bytes(by) + data[first:first + length])[:length]
    elif way == "copy":
        other = random_.randrange(size - length + 1)
        data[first:first + length] = data[other:other + length]
    elif way == "number":  # a size, count or address that is a little or far off
        first = min(first // 4 * 4, size - 8)
        width = random_.choice([2, 4, 8])
        number = int.from_bytes(data[first:first + width], "little")
        number = random_.choice([number + 1, number - 1, number + 8, number - 8, number * 2, number // 2, number + 256,
                                 size, size - 1, 0, 1, (1 << 8 * width) - 1, 1 << (8 * width - 1)])
        data[first:first + width] = (number % (1 << 8 * width)).to_bytes(width, "little")
    if source.blocks and random_.random() < 0.5 and len(data) == size:
        way += ", mended"
        for begin, end in source.blocks:
            if data[begin:end] != source.bytes[begin:end]:
                data[end:end + 4] = struct.pack("<I", lookup3(bytes(data[begin:end])))
    return way, bytes(data)


Answer = collections.namedtuple("Answer", "code output error seconds memory")


def run(calib, command, path):
    def limit():
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (8 * MEMORY, 8 * MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (2 * SECONDS, 2 * SECONDS))

    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as error:
        begin = time.monotonic()
        process = subprocess.Popen([calib, command, str(path)], stdout=output, stderr=error, stdin=subprocess.DEVNULL, preexec_fn=limit)
        deadline = begin + 4 * SECONDS  # of the clock: other programs run, too
        while True:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                break
            if time.monotonic() > deadline:
                process.kill()
                _, status, usage = os.wait4(process.pid, 0)
                break
            time.sleep(0.003)
        process.returncode = 0
        output.seek(0)
        error.seek(0)
        code = -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
        seconds = usage.ru_utime + usage.ru_stime
        if time.monotonic() > deadline:
            seconds = max(seconds, SECONDS + 1)
        return Answer(code, output.read().decode(errors="replace").replace(str(path), "FILE").replace(path.name, "FILE"),
                      error.read().decode(errors="replace").replace(str(path), "FILE"), seconds, usage.ru_maxrss << 10)


def answers_of(calib, path):
    return {command: run(calib, command, path) for command in ("info", "stats", "scales")}


def rows_of(answer):
    rows = collections.defaultdict(list)
    for row in csv.DictReader(io.StringIO(answer.output)):
        rows[row.get("tensor")].append(row)
    return rows


def verdict(source, answers, command):
    answer, original = answers[command], source.answers[command]
    if answer.seconds > SECONDS:
        return "hang"
    if answer.memory > MEMORY:
        return "memory"
    if answer.code < 0 or answer.code >= 128:
        return "crash without a sentence"
    if "internal error" in answer.error:
        return "internal error"
    if "its reader crashed" in answer.error:
        return "crash, told"
    told = [line for one in (answer, answers["info"]) for line in one.error.splitlines()
            if line not in original.error and line not in source.answers["info"].error]
    if answer.output == original.output:
        return "as the original" if not told else "as the original, warned"
    mine, theirs = rows_of(answer), rows_of(original)
    worst = "refused"
    for tensor in set(mine) | set(theirs):
        if mine.get(tensor) == theirs.get(tensor):
            continue
        is_told = any(str(tensor) in line for line in told) or any(
            "FILE: " in line or ":/: " in line for line in told) or any(
            row.get("notes") not in [other.get("notes") for other in theirs.get(tensor, [])] for row in mine.get(tensor, []))
        if tensor not in mine:
            state = "refused" if told else "left out in silence"
        elif is_told:
            state = "warned"
        elif tensor not in theirs:
            state = "renamed in silence"
        else:
            state = "WRONG IN SILENCE"
        worst = max(worst, state, key=["refused", "warned", "renamed in silence", "left out in silence", "WRONG IN SILENCE"].index)
    return worst


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("calib")
    options.add_argument("--variants", type=int, default=2000)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--jobs", type=int, default=1)
    options.add_argument("--keep", type=pathlib.Path, help="folder for variants that were answered wrongly")
    options.add_argument("--source", help="only of this name")
    given = options.parse_args()
    if given.keep:
        given.keep.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        names = [(name, version) for name in sources.SOURCES for version in sources.VERSIONS
                 if not (name == "virtual" and version == "earliest") and given.source in (None, name)]
        originals = [Source(folder, given.calib, name, version, given.seed) for name, version in names]
        counts = collections.Counter()
        wrong = []

        def try_one(number):
            random_ = random.Random(f"{given.seed} {number}")
            source = originals[number % len(originals)]
            way, data = damage(random_, source)
            kind = source.kind_of(data)
            path = folder / f"{source.name}-{number}.h5"
            path.write_bytes(data)
            answers = answers_of(given.calib, path)
            states = {command: verdict(source, answers, command) for command in ("stats", "scales")}
            path.unlink()
            return number, source, way, kind, data, states, answers

        with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
            tried = 0
            for number, source, way, kind, data, states, answers in pool.map(try_one, range(given.variants)):
                tried += 1
                if tried % 500 == 0:
                    print(f"{tried} variants", file=sys.stderr, flush=True)
                for command, state in states.items():
                    counts[state, kind] += 1
                    if state not in ("as the original", "as the original, warned", "refused", "warned"):
                        first = next((at for at in range(min(len(data), len(source.bytes))) if data[at] != source.bytes[at]), -1)
                        wrong.append(f"{source.name}-{number} {command}: {state}: {way}, {kind}, at byte {first}")
                        if given.keep:
                            (given.keep / f"{source.name}-{number}.h5").write_bytes(data)
    kinds = ["metadata", "values, no checksum", "values, checksum", "length", "nothing"]
    print(f"{given.variants} variants of {len(originals)} sources, seed {given.seed}, two commands each\n")
    print("| answer | " + " | ".join(kinds) + " | all |\n|" + " --- |" * (len(kinds) + 2))
    for state in sorted({state for state, _ in counts}, key=lambda state: -sum(counts[state, kind] for kind in kinds)):
        numbers = [counts[state, kind] for kind in kinds]
        print(f"| {state} | " + " | ".join(map(str, numbers)) + f" | {sum(numbers)} |")
    print("\n" + "\n".join(wrong))


if __name__ == "__main__":
    main()
