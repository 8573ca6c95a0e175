#!/usr/bin/env python3
"""A model of 1.25 GiB, as a dump and written again: large_model.py DEPLOY_TESTS CALIB [FOLDER]

Needs 3 GiB of disk in FOLDER (a temporary one) and 5 GiB of memory. Writing must move the weights into a file of data beside
the model; as a dump both must give the same statistics, in the memory that reading has.
"""
import os
import pathlib
import resource
import struct
import subprocess
import sys
import tempfile

ROWS, COLUMNS, WEIGHTS = 4096, 16384, 5  # 256 MiB each


def varint(value):
    return bytes([value & 0x7F | 0x80]) + varint(value >> 7) if value > 0x7F else bytes([value])


def field(number, value):
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def write(path):
    """y = x w0 + x w1 + ...; values of a weight repeat each MiB."""
    block = struct.pack("<262144f", *(((place * 7919) % 65536 - 32768) / 32768 for place in range(262144)))
    raw = ROWS * COLUMNS * 4
    head = field(1, ROWS) + field(1, COLUMNS) + field(2, 1)
    inputs = field(11, field(1, b"x"))
    outputs, nodes = b"", b""
    for weight in range(WEIGHTS):
        nodes += field(1, field(1, b"x") + field(1, b"w%d" % weight) + field(2, b"y%d" % weight) + field(4, b"MatMul"))
        outputs += field(12, field(1, b"y%d" % weight))
    tensors = [head + field(8, b"w%d" % weight) + varint(9 << 3 | 2) + varint(raw) for weight in range(WEIGHTS)]
    lengths = [len(tensor) + raw for tensor in tensors]
    graph = len(inputs + outputs + nodes) + sum(1 + len(varint(length)) + length for length in lengths)
    with open(path, "wb") as file:
        file.write(field(1, 8) + varint(7 << 3 | 2) + varint(graph) + nodes)
        for tensor, length in zip(tensors, lengths):
            file.write(varint(5 << 3 | 2) + varint(length) + tensor)
            for _ in range(raw // len(block)):
                file.write(block)
        file.write(inputs + outputs + field(8, field(2, 13)))


def statistics(calib, path):
    columns = "tensor,values,min,max,mean,std"
    run = subprocess.run([calib, "stats", "--allow-external", "--columns", columns, str(path)],
                         check=True, capture_output=True, text=True)
    return run.stdout


def main():
    program, calib = map(os.path.abspath, sys.argv[1:3])
    with tempfile.TemporaryDirectory(dir=sys.argv[3] if len(sys.argv) > 3 else None) as name:
        folder = pathlib.Path(name)
        source, target = folder / "large.onnx", folder / "out.onnx"
        write(source)
        before = statistics(calib, source)
        reading = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10
        places = {"CALIBSCOPE_MODEL": str(source), "CALIBSCOPE_LIFTED": str(target)}
        subprocess.run([program, "[lifts-a-model]"], env={**os.environ, **places}, check=True, stdout=subprocess.DEVNULL)
        writing = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10
        sizes = [path.stat().st_size for path in (source, target, folder / "out.onnx.data")]
        assert sizes[1] < 1 << 20 and sizes[2] == WEIGHTS * ROWS * COLUMNS * 4, sizes
        source.unlink()
        after = statistics(calib, target)
        assert before == after and before.count("\n") == WEIGHTS + 1, (before, after)
        print(f"{sizes[0] >> 20} MiB -> {sizes[1]} bytes and {sizes[2] >> 20} MiB of data; the same statistics; "
              f"at most {reading} MiB of memory to read, {writing} to write")


if __name__ == "__main__":
    main()
