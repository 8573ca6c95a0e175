#!/usr/bin/env python3
"""What the programs make of damaged dumps: damage.py CALIB [--variants N] [--seed N] [--jobs N] [--by WHOM] [--keep FOLDER]

Writes dumps of many kinds in both ends of the format's versions, damages each in many ways, half of them with checksums of
metadata mended afterwards, and gives every variant to `calib stats` and `calib scales`, each in a process of its own under
limits, and to an engine as the window asks it; `scales` computes all recipes for every fourth variant, else one calibrator.
Prints how they answered, by what was damaged, and names variants that were answered wrongly though a structure or a checksum
was hit. Needs h5py.
"""
import argparse
import collections
import concurrent.futures
import csv
import functools
import io
import os
import pathlib
import random
import resource
import struct
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import engine_talk
import sources

SECONDS = 5  # of the processor
PATIENCE = 120  # seconds of the clock: other programs run, too
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
    def __init__(self, folder, given, name, version):
        self.name = f"{name}-{version}"
        self.path = folder / f"{self.name}.h5"
        sources.write(self.path, name, version, given.seed)
        self.bytes = self.path.read_bytes()
        self.values = sources.stretches_of_values(str(self.path))
        self.blocks = checked_blocks(self.bytes) if version == "latest" else []
        commands = {"info"}.union(*(commands_of(number, given.by) for number in range(4)))
        self.answers = {command: answer_of(given.calib, command, self.path) for command in commands}
        if any(answer.problem or (answer.told and name != "virtual") for answer in self.answers.values()):
            sys.exit(f"{self.path}: {[answer.told for answer in self.answers.values()]}")

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


# problem: how it went wrong as a whole, or nothing; rows: by tensor, values and notes; told: sentences.
Answer = collections.namedtuple("Answer", "problem rows told seconds memory")


def run(calib, command, path):
    def limit():
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (8 * MEMORY, 8 * MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (2 * SECONDS, 2 * SECONDS))

    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as error:
        begin = time.monotonic()
        process = subprocess.Popen([calib, *command.split(), str(path)], stdout=output, stderr=error, stdin=subprocess.DEVNULL, preexec_fn=limit)
        deadline = begin + PATIENCE
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
        code = os.waitstatus_to_exitcode(status)
        seconds = usage.ru_utime + usage.ru_stime
        if time.monotonic() > deadline:
            seconds = max(seconds, SECONDS + 1)
        said = error.read().decode(errors="replace").replace(str(path), "FILE")
        rows = collections.defaultdict(list)
        for row in csv.DictReader(io.StringIO(output.read().decode(errors="replace"))):
            row.pop("file", None)
            rows[row.get("tensor")].append((row, row.pop("notes", None)))
        problem = ("crash without a sentence" if code < 0 or code >= 128 or (code and not said) else
                   "internal error" if "internal error" in said else
                   "crash, told" if "its reader crashed" in said else None)
        return Answer(problem, rows, said.splitlines(), seconds, usage.ru_maxrss << 10)


MIN_MAX = {"calibrator": "min-max", "settings": {}, "scheme": "symmetric-restricted"}


class Window:
    """What the window asks of an engine: to open a dump, and everything of each tensor."""

    def __init__(self, calib):
        self.calib = calib
        self.engine = None

    def answer(self, path):
        if not self.engine:
            self.engine = engine_talk.Engine(self.calib)
        engine, pid = self.engine, self.engine.process.pid
        watch = threading.Timer(PATIENCE, engine.process.kill)
        watch.start()
        begin = processor_seconds(pid)
        problem, rows, told, seconds, memory = None, {}, [], 0, 0
        try:
            opened = engine.ask("open", {"path": str(path), "allowExternal": False})
            told += self.sentences(opened, path)
            tensors = opened.get("result", {}).get("tensors", [])
            for index, tensor in enumerate(tensors):
                view = {"tensor": engine_talk.preview(str(path), index)["tensor"], "histograms": [], "choices": [MIN_MAX],
                        "exactMetrics": True, "channelMetrics": False, "curves": False}
                reply = engine.ask("view", view)
                told += [f"{tensor['path']}: {sentence}" for sentence in self.sentences(reply, path)]
                if "result" in reply:
                    profile, outcome = reply["result"]["profile"], reply["result"]["outcomes"][0]
                    del profile["info"], outcome["file"]
                    rows[tensor["path"]] = [((profile, outcome), outcome["whole"].pop("notes"))]
            seconds = processor_seconds(pid) - begin
            memory = int((engine_talk.status(pid, "VmHWM") or "0 kB").split()[0]) << 10
        except (EOFError, BrokenPipeError, OSError):
            problem = "engine ended"
            seconds = 0 if watch.is_alive() else SECONDS + 1
        watch.cancel()
        if problem or seconds > SECONDS or memory > MEMORY:
            self.end()
        return Answer(problem, rows, told, seconds, memory)

    @staticmethod
    def sentences(reply, path):
        found = reply.get("result", {}).get("warnings", []) if "result" in reply else [reply["error"]["message"]]
        return [sentence.replace(str(path), "FILE") for sentence in found]

    def end(self):
        if self.engine:
            self.engine.process.kill()
            self.engine.process.wait()
            self.engine = None


def processor_seconds(pid):
    with open(f"/proc/{pid}/stat") as line:
        fields = line.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


ENGINES = threading.local()


def commands_of(number, whom):
    """All calibrators take three times as long as the rest together: every fourth variant has to do."""
    scales = "scales" if number % 4 == 0 else "scales --calibrator min-max"
    return [scales if one == "scales" else one for one in whom]


def answer_of(calib, command, path):
    if command != "window":
        return run(calib, command, path)
    if not hasattr(ENGINES, "window"):
        ENGINES.window = Window(calib)
    return ENGINES.window.answer(path)


def verdict(source, command, answer, info):
    """`info()`: what `calib info` says of it, asked only where the command itself said nothing."""
    original = source.answers[command]
    if answer.seconds > SECONDS:
        return "hang"
    if answer.memory > MEMORY:
        return "memory"
    if answer.problem:
        return answer.problem
    told = [line for line in answer.told if line not in original.told]
    mine, theirs = answer.rows, original.rows
    if mine == theirs:
        return "as the original" if not told else "as the original, warned"
    order = ["refused", "warned", "warned by info alone", "renamed in silence", "left out in silence", "WRONG IN SILENCE"]
    worst = "refused"
    for tensor in set(mine) | set(theirs):
        if mine.get(tensor) == theirs.get(tensor):
            continue

        def is_told(lines):
            return any(str(tensor) in line or "FILE: " in line or ":/: " in line for line in lines)

        notes = [[note for _, note in rows.get(tensor, [])] for rows in (mine, theirs)]
        if tensor not in mine:
            state = "refused" if told else "left out in silence" if len(mine) < len(theirs) else "renamed in silence"
        elif is_told(told) or notes[0] != notes[1]:
            state = "warned"
        elif is_told([line for line in info().told if line not in source.answers["info"].told]):
            state = "warned by info alone"
        else:
            state = "renamed in silence" if tensor not in theirs else "WRONG IN SILENCE"
        worst = max(worst, state, key=order.index)
    return worst


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("calib")
    options.add_argument("--variants", type=int, default=2000)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--jobs", type=int, default=1)
    options.add_argument("--by", type=lambda words: words.split(","), default=["stats", "scales", "window"],
                         help="stats, scales, window: of these only, separated by commas")
    options.add_argument("--keep", type=pathlib.Path, help="folder for variants that were answered wrongly")
    options.add_argument("--source", help="only of this name")
    given = options.parse_args()
    if given.keep:
        given.keep.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        names = [(name, version) for name in sources.SOURCES for version in sources.VERSIONS
                 if not (name in sources.ONLY_LATEST and version == "earliest") and given.source in (None, name)]
        originals = [Source(folder, given, name, version) for name, version in names]
        counts, by_command, by_way = collections.Counter(), collections.Counter(), collections.Counter()
        wrong = []

        def try_one(number):
            random_ = random.Random(f"{given.seed} {number}")
            source = originals[number % len(originals)]
            way, data = damage(random_, source)
            kind = source.kind_of(data)
            path = folder / f"{source.name}-{number}.h5"
            path.write_bytes(data)
            info = functools.cache(lambda: run(given.calib, "info", path))
            states = {command: verdict(source, command, answer_of(given.calib, command, path), info)
                      for command in commands_of(number, given.by)}
            path.unlink()
            return number, source, way, kind, data, states

        with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
            tried = 0
            for number, source, way, kind, data, states in pool.map(try_one, range(given.variants)):
                tried += 1
                if tried % 500 == 0:
                    print(f"{time.strftime('%H:%M:%S')} {tried} variants", file=sys.stderr, flush=True)
                for command, state in states.items():
                    counts[state, kind] += 1
                    by_command[state, command] += 1
                    if kind == "values, no checksum":
                        by_way[way.split(",")[0], state] += 1
                    if state not in ("as the original", "as the original, warned", "refused", "warned"):
                        first = next((at for at in range(min(len(data), len(source.bytes))) if data[at] != source.bytes[at]), -1)
                        wrong.append(f"{source.name}-{number} {command}: {state}: {way}, {kind}, at byte {first}")
                        if kind != "values, no checksum":
                            print(wrong[-1], file=sys.stderr, flush=True)
                        if given.keep:
                            (given.keep / f"{source.name}-{number}.h5").write_bytes(data)
    kinds = ["metadata", "values, no checksum", "values, checksum", "length", "nothing"]
    states = sorted({state for state, _ in counts}, key=lambda state: -sum(counts[state, kind] for kind in kinds))
    print(f"{given.variants} variants of {len(originals)} sources, seed {given.seed}, each by {', '.join(given.by)}\n")
    table("answer", states, kinds, counts)
    table("answer", states, sorted({command for _, command in by_command}), by_command)
    print("of values without a checksum, by what happened to them:\n")
    table("damage", sorted({way for way, _ in by_way}), states, by_way)
    print("\n".join(line for line in wrong if ", values, no checksum," not in line))


def table(title, rows, columns, counts):
    print(f"| {title} | " + " | ".join(columns) + " | all |\n|" + " --- |" * (len(columns) + 2))
    for row in rows:
        numbers = [counts[row, column] for column in columns]
        print(f"| {row} | " + " | ".join(map(str, numbers)) + f" | {sum(numbers)} |")
    print()


if __name__ == "__main__":
    main()
