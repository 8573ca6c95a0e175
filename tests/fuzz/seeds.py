#!/usr/bin/env python3
"""Writes what the fuzzers begin with: seeds.py CORPUS, a folder in it for each target. Needs h5py."""
import pathlib
import struct
import sys
import zlib

import h5py

root = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(root / "tests/extra/damage"))
sys.path.insert(0, str(root / "resources/recorders"))
import sources

corpus = pathlib.Path(sys.argv[1])


def seed(target, name, content):
    folder = corpus / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(content)


def cbor(value):
    """The few kinds of CBOR that messages consist of."""
    def head(major, count):
        for extra, width, limit in (24, "B", 1 << 8), (25, ">H", 1 << 16), (26, ">I", 1 << 32):
            if count < 24:
                return bytes([major << 5 | count])
            if count < limit:
                return bytes([major << 5 | extra]) + struct.pack(width, count)
        return bytes([major << 5 | 27]) + struct.pack(">Q", count)
    if isinstance(value, bool):
        return b"\xf5" if value else b"\xf4"
    if isinstance(value, int):
        return head(0, value) if value >= 0 else head(1, -1 - value)
    if isinstance(value, float):
        return b"\xfb" + struct.pack(">d", value)
    if isinstance(value, str):
        return head(3, len(value.encode())) + value.encode()
    if isinstance(value, list):
        return head(4, len(value)) + b"".join(map(cbor, value))
    return head(5, len(value)) + b"".join(cbor(key) + cbor(one) for key, one in value.items())


for name in sources.SOURCES:
    for version in sources.VERSIONS:
        if name == "virtual" and version == "earliest":
            continue
        path = corpus / "seed.h5"
        corpus.mkdir(parents=True, exist_ok=True)
        sources.write(path, name, version, 1)
        seed("structure", f"{name}-{version}", path.read_bytes())
        path.unlink()
with h5py.File(corpus / "seed.h5", "w", libver="latest") as file:  # all kinds of chunk tables, heaps and trees
    for chunk, limits in ((4, (None,)), (1, (900,)), (64, (64,))):
        file.create_dataset(f"c{chunk}", (64,), "f4", chunks=(chunk,), maxshape=limits)[:] = 1
    file.create_dataset("both", (9, 9), "f4", chunks=(2, 2), maxshape=(None, None))[:] = 1
    for number in range(20):
        file.attrs[f"a{number}"] = "x" * number
        file[f"links/{number}"] = h5py.SoftLink("/both")
seed("structure", "tables", (corpus / "seed.h5").read_bytes())
(corpus / "seed.h5").unlink()

values = bytes(range(200)) * 4
seed("chunks", "gzip", bytes([0, 3, 199, 5, 0]) + zlib.compress(values))
seed("chunks", "plain", bytes([0, 3, 199, 0, 0]) + values)
seed("chunks", "lzf", bytes([1, 50]) + b"\x05abcdef\x20\x05\xe0\x10\x03\x02xyz")
seed("chunks", "lzf-chunk", bytes([0, 3, 2, 3, 0]) + b"\x0babcdefghijkl")
seed("chunks", "shuffle", bytes([2, 3]) + values)

request = {"id": 1, "method": "open", "params": {"file": {"path": "a.h5", "external": False}}}
seed("protocol", "request", bytes([1]) + cbor(request))
frame = cbor(request)
seed("protocol", "frames", bytes([2]) + 2 * (struct.pack("<I", len(frame)) + frame))
seed("protocol", "preamble", bytes([3]) + b"banner\0calibscope-engine 1\n" + struct.pack("<I", len(frame)) + frame)
seed("protocol", "reply", bytes([1]) + cbor({"id": 1, "error": {"message": "a sentence", "fault": "input"}}))
seed("protocol", "profile", bytes([0]) + cbor({"moments": {"count": 3, "mean": 0.5}, "extents": []}))

for path in (root / "resources/recipes").glob("*.json"):
    seed("texts", path.name, bytes([0]) + path.read_bytes())
for path in (root / "resources/presets").glob("*.json"):
    seed("texts", path.name, bytes([1]) + path.read_bytes())
for kind, text in ((2, "alpha=99.9;bins=2048"), (3, "sqnr_db>=30"), (4, "-1.5e-7"), (5, "conv1.weight*con?1.*"),
                   (6, "ünïcode"), (7, 'kind:weight -"two words" sqnr<30 zeros>50 is:flagged')):
    seed("texts", f"text-{kind}", bytes([kind]) + text.encode())

array = '{"data": %s, "dtype": "float32", "CLS": "numpy.array"}'
encoding = '{"bitwidth": 8, "dtype": "int", "is_symmetric": "False", "max": 1.5, "min": -1, "offset": -100, "scale": 0.01}'
listed = '{"name": "%s", "dtype": "INT", "enc_type": "%s", "bw": 8, "is_sym": false, "scale": [0.5], "offset": [-114]}'
scale_files = (  # in the order of the formats' list
    "TRT-8205-EntropyCalibration2\nonnx::Conv_1: 3c96d93c\nzero: 00000000\n",
    "a: 1.5\nb::c:2e-3\n",
    '{"act_quant_info": {"a": 1.5, "b": NaN}}',
    "2\nw 2 3f800000 c0000000\nv 1 3f000000\n",
    "conv_param_0 127.500000 inf \nconv 36.124500 \n",
    '{"a": {"lowest": %s, "highest": %s, "CLS": "TensorData"}}' % (array % "-1", array % "[2]"),
    '{"a": [-1.5, 2.25], "b": [0, Infinity]}',
    "a 1.5\nb 2.5\n",
    "",
    '{"version": "0.6.1", "activation_encodings": {"a": [%s]}, "param_encodings": {"w": [%s, %s]}}' % (3 * (encoding,)),
    '{"version": "1.0.0", "activation_encodings": [%s], "param_encodings": [%s]}'
    % (listed % ("a", "PER_TENSOR"), listed % ("w", "PER_CHANNEL")),
    "---\nGlowToolsVersion: ''\n...\n---\n- NodeOutputName:  'a:0'\n  Min:             -1.5\n"
    "  Max:             2\n  Histogram:       [ 1, 2,\n    3 ]\n...\n")
flat = struct.pack("<IHHHHIiII", 12, 0, 6, 8, 4, 6, 6, 4, 1)  # a table whose vector holds one pair
flat += struct.pack("<I", 16) + struct.pack("<HHHHxxxx", 8, 12, 4, 8) + struct.pack("<iII", 12, 8, 12)
flat += struct.pack("<I", 1) + b"a\0\0\0" + struct.pack("<I", 3) + b"1.5\0"
for kind, text in enumerate(scale_files):
    seed("scale_files", f"format-{kind}", bytes([kind]) + (text.encode() or flat))
    seed("scale_files", f"any-{kind}", bytes([len(scale_files)]) + (text.encode() or flat))
