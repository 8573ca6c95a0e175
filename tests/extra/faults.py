#!/usr/bin/env python3
"""What is left where a write of the programs meets a fault: old or new, never half; the exit code tells.

faults.py [--short] [--kills N] [--seed N] FOLDER-OF-PROGRAMS SAMPLE

Every write path (tables, report in each format, picture, cached results; sessions, copies of unsaved work and exported
decisions, where the tests' session_writer, which writes them as the window does, lies beside the programs) under a full
disk, without permission, on /dev/full, into a closed pipe, stopped by SIGTERM and SIGKILL at random moments, in a locale
with a decimal comma, under odd paths, with clocks set back. Prints a table; exits with 1 where anything was half-written,
and with a line for each.
Where a fault can't be made here (no mount without root, no such locale) the table says so.
"""
import argparse
import hashlib
import json
import os
import random
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ENVIRONMENT = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "LC_ALL": "C.UTF-8"}
NOT_WRITTEN = 4  # exit code of a failed output
UNREADABLE = 3


class Row:
    """A write path under a fault: how often which state was found."""

    def __init__(self):
        self.old = self.new = self.none = self.half = self.parts = 0
        self.codes = set()

    def __str__(self):
        states = [f"{count} {name}" for name, count in
                  (("old", self.old), ("new", self.new), ("none", self.none), ("HALF", self.half)) if count]
        parts = f", {self.parts} parts left" if self.parts else ""
        return f"{', '.join(states)}{parts} | {' '.join(str(code) for code in sorted(self.codes, key=str))}"


def digest_of(path):
    """The content of a file, or of a folder's files with their names; None: nothing is there."""
    path = os.fsencode(path)
    if os.path.isfile(path):
        with open(path, "rb") as file:
            content = file.read()
        # The window's picture follows the locale and the fonts: that it is whole is told by its beginning and end.
        is_png = content.startswith(b"\x89PNG\r\n") and content.endswith(b"IEND\xaeB`\x82")
        return "whole picture" if is_png else hashlib.sha256(content).hexdigest()
    if not os.path.isdir(path):
        return None
    total = hashlib.sha256()
    for folder, folders, files in os.walk(path):
        folders.sort()
        for name in sorted(files):
            place = os.path.join(folder, name)
            with open(place, "rb") as file:
                content = file.read()
            if name.endswith(b".pdf"):
                content = without_dates(content)
            total.update(os.path.relpath(place, path) + b"\0" + hashlib.sha256(content).digest())
    return total.hexdigest()


def without_dates(pdf):
    """A PDF tells when it was made, and has an id made of that: its length and end tell whether it is whole."""
    return b"%PDF" + (b"whole" if pdf.startswith(b"%PDF") and pdf.rstrip().endswith(b"%%EOF") else b"half")


class Write:
    """One way to write: a command whose last argument is the target."""

    def __init__(self, name, command, is_folder=False):
        self.name, self.command, self.is_folder = name, command, is_folder
        self.reference = None

    def argv(self, target):
        return [*self.command, target]

    def run(self, target, prepare=None, **options):
        return subprocess.run(self.argv(target), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, env=options.pop("env", ENVIRONMENT), preexec_fn=prepare,
                              timeout=300, **options)

    def make_old(self, target):
        """What stands there before: for a folder a report of its own, so that it may be replaced."""
        if self.is_folder:
            os.mkdir(target)
            with open(os.path.join(target, "summary.json"), "w") as file:
                file.write("{}")
        else:
            with open(target, "w") as file:
                file.write("old\n")
        return digest_of(target)

    def judge(self, row, folder, target, old):
        found = digest_of(target)
        if found is None:
            row.none += 1
            is_right = old is None
            row.half += not is_right
        elif found == old:
            row.old += 1
        elif found == self.reference:
            row.new += 1
        else:
            row.half += 1
        beside = set(os.listdir(folder)) - {os.path.basename(target)}
        row.parts += len(beside)
        for name in beside:
            place = os.path.join(folder, name)
            shutil.rmtree(place) if os.path.isdir(place) else os.remove(place)


def writes_of(programs, sample, short):
    calib, calibscope = str(programs / "calib"), str(programs / "calibscope")
    tensors = ["--tensor", "swish_13.tmp_0"]
    writes = [Write("calib scales, csv", [calib, "scales", sample, *tensors, "--format", "csv", "-o"]),
              Write("calib stats, table", [calib, "stats", sample, *tensors, "--format", "table", "-o"])]
    if not short:
        writes += [Write("calib info, json", [calib, "info", sample, "--format", "json", "-o"]),
                   Write("calib python", [calib, "python", sample, *tensors, "--preset", "moffett-entropy", "-o"])]
    formats = ["csv"] if short else ["html", "csv", "json", "png", "svg", "pdf"]
    writes += [Write(f"report, {word}", [calibscope, "report", sample, *tensors, "--overwrite", "--format", word, "-o"],
                     True) for word in formats]
    if not short:
        writes.append(Write("snapshot, png", [calibscope, "snapshot", sample, "--view", "browse", "--size", "900x600", "-o"]))
    writer = programs / "session_writer"
    if writer.exists():
        writes += [Write(f"window: {title}", [str(writer), what, "30", "b"]) for what, title in
                   (("session", "session"), ("copy", "copy of unsaved work"), ("decisions", "decisions"))]
    return writes


class Faults:
    def __init__(self, options):
        self.options = options
        self.random = random.Random(options.seed)
        self.table = []
        self.folder = Path(tempfile.mkdtemp(prefix="faults-"))
        self.programs = Path(options.programs).resolve()
        self.sample = os.path.join(self.folder, "sample.h5")
        shutil.copy(options.sample, self.sample)
        self.writes = [write for write in writes_of(self.programs, self.sample, options.short)
                       if write.name.startswith(options.only or "")]

    def place(self):
        folder = tempfile.mkdtemp(dir=self.folder)
        return folder, os.path.join(folder, "target")

    def note(self, write, fault, row, is_right=True):
        self.table.append((write, fault, str(row), "yes" if is_right else "NO"))
        print(f"{write:22} {fault:26} {row}", flush=True)

    def learn(self):
        """The right content of each, twice: what differs between two runs could not be judged."""
        for write in list(self.writes):
            digests = []
            for _ in range(2):
                folder, target = self.place()
                done = write.run(target)
                if done.returncode != 0:
                    sys.exit(f"{write.name} fails without a fault: {done.stderr.decode()}")
                digests.append(digest_of(target))
            if digests[0] != digests[1]:
                sys.exit(f"{write.name}: two runs differ, nothing can be told from its content")
            write.reference = digests[0]

    def once(self, write, fault, codes, allowed=("old",), run=None, with_old=(True, False)):
        """Runs with and without something there before; only `allowed` states and codes are right."""
        row = Row()
        for has_old in with_old:
            folder, target = self.place()
            old = write.make_old(target) if has_old else None
            done = run(write, folder, target) if run else write.run(target)
            row.codes.add(done.returncode)
            write.judge(row, folder, target, old)
        is_right = not row.half and not row.parts and row.codes <= set(codes)
        is_right = is_right and ("new" in allowed or not row.new) and ("old" in allowed or not row.old)
        self.note(write.name, fault, row, is_right)

    def full_disk(self):
        def limited(write, folder, target):
            limit = 200 if not write.is_folder else 100
            return write.run(target, prepare=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
        for write in self.writes:
            self.once(write, "file may not grow", [NOT_WRITTEN, UNREADABLE], run=limited)
        if not self.can_mount():
            self.note("all", "disk full (tmpfs)", "not made: mounting needs root")
            return
        for write in self.writes:
            row = Row()
            folder, _ = self.place()
            # In a mount namespace of its own: a disk of 8 KiB with the old content, which is told from there.
            script = ('mount -t tmpfs -o size=8k tmpfs "$1" && cd "$1" && ' +
                      ('mkdir target && echo "{}" > target/summary.json' if write.is_folder else 'echo old > target') +
                      ' && before=$(find . -type f | sort | xargs sha256sum) && shift && "$@" >/dev/null 2>/dev/null; '
                      'code=$?; [ "$(find . -type f | sort | xargs sha256sum)" = "$before" ] || echo half; exit $code')
            done = subprocess.run(["unshare", "-m", "bash", "-c", script, "x", folder, *write.argv("target")],
                                  stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, env=ENVIRONMENT, timeout=300)
            row.codes.add(done.returncode)
            row.old, row.half = (0, 1) if b"half" in done.stdout else (1, 0)
            small = done.returncode == 0  # what fits is written
            if small:
                row.old, row.half, row.new = 0, 0, 1
            self.note(write.name, "disk full (tmpfs of 8 KiB)", row, not row.half and (small or done.returncode == NOT_WRITTEN))

    @staticmethod
    def can_mount():
        return subprocess.run(["unshare", "-m", "true"], stderr=subprocess.DEVNULL).returncode == 0

    def no_permission(self):
        if os.geteuid() == 0 and not self.can_mount():
            self.note("all", "no permission", "not made: root may write anywhere, and can't mount here")
            return
        for write in self.writes:
            folder, target = self.place()
            old = write.make_old(target)
            if os.geteuid() == 0:
                argv = ["unshare", "-m", "bash", "-c", 'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && shift && "$@"',
                        "x", folder, *write.argv(target)]
            else:
                os.chmod(folder, 0o555)
                argv = write.argv(target)
            done = subprocess.run(argv, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                  env=ENVIRONMENT, timeout=300)
            os.chmod(folder, 0o755)
            row = Row()
            row.codes.add(done.returncode)
            write.judge(row, folder, target, old)
            self.note(write.name, "no permission", row,
                      not row.half and not row.parts and row.old == 1 and done.returncode == NOT_WRITTEN and done.stderr)

    def no_place(self):
        def nowhere(write, folder, target):
            return write.run(os.path.join(folder, "none", "target"))
        for write in self.writes:
            self.once(write, "no such folder", [NOT_WRITTEN], ("old",), nowhere)

    def standard_output(self):
        calib = str(self.programs / "calib")
        cases = [[calib, "--help"], [calib, "--version"], [str(self.programs / "calibscope"), "--version"],
                 [calib, "info", self.sample], [calib, "describe"]]
        for argv in cases:
            name = f"{os.path.basename(argv[0])} {argv[1]}"
            with open("/dev/full", "w") as full:
                done = subprocess.run(argv, stdout=full, stderr=subprocess.PIPE, env=ENVIRONMENT)
            self.note(name, "/dev/full", f"- | {done.returncode}", done.returncode == NOT_WRITTEN and done.stderr)
            reading, writing = os.pipe()
            os.close(reading)
            done = subprocess.run(argv, stdout=writing, stderr=subprocess.PIPE, env=ENVIRONMENT)
            os.close(writing)
            self.note(name, "closed pipe", f"- | {done.returncode}", done.returncode in (NOT_WRITTEN, -signal.SIGPIPE))

    def stopped(self):
        for write in self.writes:
            folder, target = self.place()
            begin = time.monotonic()
            write.run(target)
            whole = time.monotonic() - begin
            for number in (signal.SIGTERM, signal.SIGKILL):
                row = Row()
                for _ in range(self.options.kills):
                    folder, target = self.place()
                    old = write.make_old(target)
                    process = subprocess.Popen(write.argv(target), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                               stderr=subprocess.DEVNULL, env=ENVIRONMENT, start_new_session=True)
                    # Most of them late, where the files are written.
                    time.sleep(whole * (1 - self.random.random() ** 2) * 1.05)
                    process.send_signal(number)
                    row.codes.add(process.wait())
                    write.judge(row, folder, target, old)
                    shutil.rmtree(folder)
                    if number == signal.SIGKILL:  # its engine sees the end of its input
                        time.sleep(0.02)
                allowed = {0, -number} | ({128 + number} if number == signal.SIGTERM else set())
                is_right = not row.half and row.codes <= allowed and (number == signal.SIGKILL or not row.parts)
                self.note(write.name, f"{number.name}, {self.options.kills} times", row, is_right)

    def decimal_comma(self):
        folder, _ = self.place()
        made = shutil.which("localedef") and subprocess.run(
            ["localedef", "-i", "de_DE", "-f", "UTF-8", os.path.join(folder, "de_DE.UTF-8")],
            stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL).returncode in (0, 1)
        if not made or not os.path.isdir(os.path.join(folder, "de_DE.UTF-8")):
            self.note("all", "decimal comma", "not made: no source of de_DE here (package locales)")
            return
        environment = {**ENVIRONMENT, "LC_ALL": "de_DE.UTF-8", "LOCPATH": folder, "LANG": "de_DE.UTF-8"}
        for write in self.writes:
            self.once(write, "decimal comma", [0], ("new",), lambda w, f, t: w.run(t, env=environment))

    def odd_paths(self):
        names = ["a b", "-x", "ü", "'\"$(x)`", "%s%n", "new\nline", "x" * 200, "\udcff\udcfe", "#?&", "~"]
        for write in self.writes:
            row = Row()
            for name in names:
                folder, _ = self.place()
                target = os.path.join(folder, name)
                old = write.make_old(target)
                done = write.run(target)
                row.codes.add(done.returncode)
                write.judge(row, folder, target, old)
            is_right = row.new == len(names) and row.codes == {0} and not row.parts
            if not is_right and not row.half and not row.parts and row.codes <= {0, 2, NOT_WRITTEN}:
                is_right = True
            self.note(write.name, "odd paths", row, is_right)

    def clock_set_back(self):
        """The dump's times in the past and in the future: the answers are of its content."""
        for when, name in ((1, "1970"), (4102444800, "2100")):
            os.utime(self.sample, (when, when))
            for write in self.writes:
                if write.is_folder or "info" in write.name:
                    continue  # reports and info tell the time
                self.once(write, f"dump of {name}", [0], ("new",))
        os.utime(self.sample)

    def cache(self):
        """The engine's cache on a disk that is full, read-only, of other times: the same answers, or none kept."""
        plain, _ = engine_answer(self.programs, self.sample, None)
        for name, prepare in (("full (file may not grow)", lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))),
                              ("none", None)):
            folder, target = self.place()
            for _ in range(2):
                answer, code = engine_answer(self.programs, self.sample, target, prepare)
            left = [file for file in os.listdir(target)] if os.path.isdir(target) else []
            is_right = answer == plain and code == 0 and not any(".part-" in file for file in left)
            self.note("cached results", f"fault: {name}", f"{len(left)} files, same answer: {answer == plain} | {code}", is_right)
        if self.can_mount():
            folder, target = self.place()
            os.mkdir(target)
            answer, code = engine_answer(self.programs, self.sample, target, full=folder + "/list")
            left = Path(folder, "list").read_text().split()
            self.note("cached results", "disk full (tmpfs of 8 KiB)", f"{len(left)} files, same answer: {answer == plain} | {code}",
                      answer == plain and code == 0 and not any(".part-" in file for file in left))
        for change in ("cut", "flipped", "set back"):
            folder, target = self.place()
            engine_answer(self.programs, self.sample, target)
            for file in Path(target).iterdir():
                content = bytearray(file.read_bytes())
                if change == "cut":
                    file.write_bytes(content[:-7])
                elif change == "flipped":
                    content[len(content) // 2] ^= 4
                    file.write_bytes(content)
                else:
                    os.utime(file, (1, 1))
            answer, code = engine_answer(self.programs, self.sample, target)
            self.note("cached results", f"files {change}", f"same answer: {answer == plain} | {code}",
                      answer == plain and code == 0)
        for number in (signal.SIGTERM, signal.SIGKILL):
            folder, target = self.place()
            wrong = 0
            for _ in range(self.options.kills):
                engine_answer(self.programs, self.sample, target, stop=(number, self.random.random() * 0.5))
                answer, code = engine_answer(self.programs, self.sample, target)
                wrong += answer != plain or code != 0
            parts = [file for file in os.listdir(target) if ".part-" in file]
            self.note("cached results", f"{number.name}, {self.options.kills} times", f"{wrong} wrong answers, {len(parts)} parts left | -",
                      not wrong and (number == signal.SIGKILL or not parts))

    def run(self):
        try:
            self.learn()
            steps = [self.full_disk, self.standard_output, self.stopped, self.cache]
            if not self.options.short:
                steps += [self.no_permission, self.no_place, self.decimal_comma, self.odd_paths, self.clock_set_back]
            for step in steps:
                step()
        finally:
            shutil.rmtree(self.folder, ignore_errors=True)
        print("\n| what is written | fault | found, codes | right |\n| --- | --- | --- | --- |")
        for write, fault, row, is_right in self.table:
            print(f"| {write} | {fault} | {row.replace(' | ', '; codes ')} | {is_right} |")
        wrong = [line for line in self.table if line[3] == "NO"]
        for line in wrong:
            print("wrong:", *line, file=sys.stderr)
        return 1 if wrong else 0


def cbor(value):
    """The little of CBOR that requests need."""
    def head(major, length):
        if length < 24:
            return bytes([major << 5 | length])
        return bytes([major << 5 | 27]) + struct.pack(">Q", length)
    if value is None:
        return b"\xf6"
    if isinstance(value, bool):
        return b"\xf5" if value else b"\xf4"
    if isinstance(value, int):
        return head(0, value)
    if isinstance(value, str):
        text = os.fsencode(value)
        return head(3, len(text)) + text
    if isinstance(value, list):
        return head(4, len(value)) + b"".join(cbor(item) for item in value)
    return head(5, len(value)) + b"".join(cbor(key) + cbor(item) for key, item in value.items())


def engine_answer(programs, sample, cache, prepare=None, stop=None, full=None):
    """The frames that an engine answers to opening the dump and to a glance at ten tensors, and its exit code. `full`: where to
    tell what it left on the small disk that its cache lies on then."""
    def frame(value):
        content = cbor(value)
        return struct.pack("<I", len(content)) + content
    requests = [frame({"id": 1, "method": "open", "params": {"path": sample, "allowExternal": False}})]
    for index in range(10):
        said = {"role": None, "batchAxis": None, "batchSize": None, "channelAxis": None, "elementType": None}
        tensor = {"file": sample, "allowExternal": False, "index": index, "layout": said,
                  "part": {"channel": None, "batches": None}}
        requests.append(frame({"id": index + 2, "method": "preview", "params": {"tensor": tensor, "choice": None}}))
    argv = [str(programs / "calib"), "serve"] + (["--cache", cache] if cache else [])
    if full:
        script = 'mount -t tmpfs -o size=8k tmpfs "$1" && "${@:3}"; code=$?; ls "$1" > "$2"; exit $code'
        argv = ["unshare", "-m", "bash", "-c", script, "x", cache, full, *argv]
    process = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                               env=ENVIRONMENT, preexec_fn=prepare)
    process.stdin.write(b"".join(requests))
    process.stdin.flush()
    if stop:
        time.sleep(stop[1])
        process.send_signal(stop[0])
        process.communicate()
        return None, process.returncode
    answers = {}
    stream = process.stdout
    stream.read(len(b"\0calibscope-engine 2\n"))
    while len(answers) < len(requests):
        length = stream.read(4)
        if len(length) < 4:
            break
        content = stream.read(struct.unpack("<I", length)[0])
        stream.read(1)  # the line feed after each frame
        if b"progress" not in content[:16]:
            answers[len(answers)] = content
    process.stdin.close()
    process.wait()
    return json.dumps({key: hashlib.sha256(value).hexdigest() for key, value in answers.items()}), process.returncode


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs")
    parser.add_argument("sample")
    parser.add_argument("--short", action="store_true", help="a few of each")
    parser.add_argument("--kills", type=int, default=0, help="for each path and signal (default: 25, short 3)")
    parser.add_argument("--seed", type=int, default=15)
    parser.add_argument("--only", help="of the write paths, those whose name begins so")
    options = parser.parse_args()
    options.kills = options.kills or (3 if options.short else 25)
    return Faults(options).run()


if __name__ == "__main__":
    sys.exit(main())
