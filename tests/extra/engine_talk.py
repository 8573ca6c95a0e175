"""Talks to calib serve: its frames, as much of CBOR as they use, and what /proc tells of processes."""

import os
import struct
import subprocess

PREAMBLE = b"\0calibscope-engine 2\n"


def encode(value):
    def head(major, count):
        if count < 24:
            return bytes([major << 5 | count])
        for code, form, limit in ((24, ">B", 1 << 8), (25, ">H", 1 << 16), (26, ">I", 1 << 32), (27, ">Q", 1 << 64)):
            if count < limit:
                return bytes([major << 5 | code]) + struct.pack(form, count)
        raise ValueError(count)

    if value is None:
        return b"\xf6"
    if isinstance(value, bool):
        return b"\xf5" if value else b"\xf4"
    if isinstance(value, int):
        return head(0, value) if value >= 0 else head(1, -1 - value)
    if isinstance(value, str):
        data = value.encode()
        return head(3, len(data)) + data
    if isinstance(value, list):
        return head(4, len(value)) + b"".join(map(encode, value))
    return head(5, len(value)) + b"".join(encode(key) + encode(item) for key, item in value.items())


def decode(data, at=0):
    """The value that begins there, and where it ends."""
    major, extra = data[at] >> 5, data[at] & 31
    at += 1
    if major == 7 and extra in (25, 26, 27):
        form, size = {25: (">e", 2), 26: (">f", 4), 27: (">d", 8)}[extra]
        return struct.unpack_from(form, data, at)[0], at + size
    if major == 7:
        return {20: False, 21: True, 22: None}[extra], at
    count = extra
    if extra >= 24:
        size = 1 << (extra - 24)
        count = int.from_bytes(data[at : at + size], "big")
        at += size
    if major == 0:
        return count, at
    if major == 1:
        return -1 - count, at
    if major in (2, 3):
        piece = bytes(data[at : at + count])
        return (piece if major == 2 else piece.decode(errors="replace")), at + count
    items = []
    for _ in range(count * (2 if major == 5 else 1)):
        item, at = decode(data, at)
        items.append(item)
    return (dict(zip(items[::2], items[1::2])) if major == 5 else items), at


class Engine:
    def __init__(self, program, *options):
        """A program, or with what it is started by: ["srun", "-n1", "calib"]."""
        words = [program] if isinstance(program, str) else program
        self.process = subprocess.Popen(
            [*words, "serve", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self.last = 0
        if self.process.stdout.read(len(PREAMBLE)) != PREAMBLE:
            raise EOFError("no greeting")

    def send(self, method, params):
        self.last += 1
        data = encode({"id": self.last, "method": method, "params": params})
        self.process.stdin.write(struct.pack("<I", len(data)) + data)
        self.process.stdin.flush()
        return self.last

    def reply(self):
        while True:
            head = self.process.stdout.read(4)
            if len(head) < 4:
                raise EOFError("the engine has ended")
            message, _ = decode(self.process.stdout.read(struct.unpack("<I", head)[0]))
            self.process.stdout.read(1)  # the line feed after each frame
            if "progress" not in message:
                return message

    def ask(self, method, params):
        self.send(method, params)
        return self.reply()

    def end(self):
        self.process.stdin.close()
        return self.process.wait(10)


def preview(path, index):
    layout = dict.fromkeys(("role", "batchAxis", "batchSize", "channelAxis", "elementType"))
    part = dict.fromkeys(("channel", "batches"))
    tensor = {"file": path, "allowExternal": False, "index": index, "layout": layout, "part": part}
    return {"tensor": tensor, "choice": None}


def status(pid, name):
    """A line of /proc/PID/status; None where the process is gone."""
    try:
        with open(f"/proc/{pid}/status") as lines:
            for line in lines:
                if line.startswith(name + ":"):
                    return line.split(":")[1].strip()
    except OSError:
        return None
    return None


def children(pid):
    found = []
    try:
        for thread in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{thread}/children") as ids:
                found += map(int, ids.read().split())
    except OSError:
        pass
    return found
