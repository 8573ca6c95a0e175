#!/usr/bin/env python3
"""Writes what the fuzzers begin with: seeds.py CORPUS, a folder in it for each target. Needs h5py."""
import hashlib
import io
import json
import pathlib
import struct
import sys
import zipfile
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
        if name in sources.ONLY_LATEST and version == "earliest":
            continue
        path = corpus / "seed.h5"
        corpus.mkdir(parents=True, exist_ok=True)
        sources.write(path, name, version, 1)
        for target in "structure", "dump":
            seed(target, f"{name}-{version}", path.read_bytes())
        path.unlink()
with h5py.File(corpus / "seed.h5", "w", libver="latest") as file:  # all kinds of chunk tables, heaps and trees
    for chunk, limits in ((4, (None,)), (1, (900,)), (64, (64,))):
        file.create_dataset(f"c{chunk}", (64,), "f4", chunks=(chunk,), maxshape=limits)[:] = 1
    file.create_dataset("both", (9, 9), "f4", chunks=(2, 2), maxshape=(None, None))[:] = 1
    for number in range(20):
        file.attrs[f"a{number}"] = "x" * number
        file[f"links/{number}"] = h5py.SoftLink("/both")
for target in "structure", "dump":
    seed(target, "tables", (corpus / "seed.h5").read_bytes())
(corpus / "seed.h5").unlink()

for name, descr, order in (("c", "<f4", False), ("fortran", ">i2", True), ("records", "[('a', '<f4')]", False)):
    text = f"{{'descr': {descr if descr[0] == '[' else repr(descr)}, 'fortran_order': {order}, 'shape': (2, 5), }}\n".encode()
    array = b"\x93NUMPY\1\0" + struct.pack("<H", len(text)) + text + bytes(range(40 if descr[-1] != "2" else 20))
    seed("dump", "npy-" + name, array)
    for kind in zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED:
        archive = io.BytesIO()
        with zipfile.ZipFile(archive, "w", kind) as members:
            for member in "a.npy", "b/c.npy":
                with members.open(member, "w", force_zip64=True) as file:
                    file.write(array)
        seed("dump", f"npz-{name}-{kind}", archive.getvalue())
header = b'{"a.weight":{"dtype":"F32","shape":[2,2],"data_offsets":[2,18]},"b":{"dtype":"BF16","shape":[1],"data_offsets":[0,2]}}'
seed("dump", "safetensors", struct.pack("<Q", len(header)) + header + bytes(18))
text = lambda name: struct.pack("<Q", len(name)) + name
header = (b"GGUF" + struct.pack("<IQQ", 3, 1, 2) + text(b"general.alignment") + struct.pack("<II", 4, 32) + text(b"tokens")
          + struct.pack("<IIQ", 9, 8, 1) + text(b"a") + text(b"a.weight") + struct.pack("<IQQIQ", 2, 256, 2, 12, 0))
seed("dump", "gguf", header + bytes(-len(header) % 32) + bytes(range(144)) * 2)

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
seed("protocol", "preamble", bytes([3]) + b"banner\0calibscope-engine 2\n" + struct.pack("<I", len(frame)) + frame)
seed("protocol", "reply", bytes([1]) + cbor({"id": 1, "error": {"message": "a sentence", "fault": "input"}}))
profile = cbor({"view": {"moments": {"count": 3, "mean": 0.5}, "extents": []}, "tools": []})
seed("protocol", "profile", bytes([0]) + profile)
seed("profile", "whole", bytes([1]))
seed("profile", "changed", bytes([1, 0, 9, 7, 1, 8, 200]))
seed("profile", "index", bytes([3]))

key = b"fuzzed\0key"
for name, content in (("text", b"content"), ("profile", profile)):
    body = b"calibscope kept\n" + struct.pack("<QQ", 16 + 16 + len(key) + len(content) + 32, len(key)) + key + content
    seed("kept", name, b"\0" + body + hashlib.sha256(body).digest())
    seed("kept", name + "-mended", b"\1" + body + bytes(32))

for kind in range(18):
    seed("elements", f"kind-{kind}", bytes([kind, kind & 1]) + struct.pack("<6d", 0.0, -1.5, 3e300, 1e-300, float("inf"), float("nan")))

range_from = {"calibrator": "min-max", "settings": {}, "scheme": "affine", "tensor": "b", "path": "/b"}
choice = {"calibrator": "percentile", "settings": {"alpha": "99.9"}, "scheme": "symmetric-restricted", "granularity": "tensor",
          "recipe": "nvidia-entropy", "note": "a sentence", "range_from": [range_from]}
session = {
    "format": "calibscope session", "version": 3, "written_by": "0.1.0", "shown": 0,
    "dumps": [{
        "path": "../d.h5", "absolute": "/nowhere/d.h5", "size": 10, "modified": "2024-01-01T00:00:00Z",
        "header_sha256": "00", "external": True, "selected": "/a",
        "said": {"/a": {"confirmed": True, "role": "weight", "batch_axis": 0, "batch_size": 4, "channel_axis": -1,
                        "element_type": "bfloat16"}},
        "by_hand": {"/a": {"low": -0.1, "high": "inf"}}, "pins": ["/a"], "excluded": ["/b"],
        "decisions": {"/a": {"id": "x", "label": "y", "choice": choice, "remark": "z"}},
        "zooms": {"values": {"tensor": "/a", "x": {"low": 0, "high": 1}, "y": {"low": 0, "high": 1}}},
        "compared": {"mode": "difference", "pairs": {"/a": "/b"}, "path": "e.h5", "absolute": "/nowhere/e.h5"}}],
    "shared": {"display": {"log_count": True, "log_x": False, "signed": True, "quantity": "density", "quantized": True,
                           "axes_linked": False, "table": True},
               "recipe": "nvidia-entropy", "ticks": {"percentile": True}, "hand_scheme": "symmetric",
               "edits": {"x": choice}, "added": [{"id": "y", "label": "z", "choice": choice}], "baseline": "x",
               "lower_plot": "error"},
    "layout": {"page": "values", "docks": "00ff", "card": "metrics", "filter": "conv"},
    "autosave_of": "/nowhere/s.calsession", "autosave_of_sha256": "00ff"}
seed("session", "session", json.dumps(session).encode())
seed("session", "former", json.dumps(session | {"version": 1}).encode())

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
flat = bytes.fromhex(  # calibration.flatbuffers with the pair a, 1.5
    "0c00000000000600080004000600000004000000010000000c00000008000c00040008000800000010000000040000000300"
    "0000312e35000100000061000000")
for kind, text in enumerate(scale_files):
    seed("scale_files", f"format-{kind}", bytes([kind]) + (text.encode() or flat))
    seed("scale_files", f"any-{kind}", bytes([len(scale_files)]) + (text.encode() or flat))


def varint(value):
    return bytes([value & 0x7F | 0x80]) + varint(value >> 7) if value > 0x7F else bytes([value])


def proto(*fields):
    """A message of (field, value): numbers, bytes and texts."""
    message = b""
    for number, value in fields:
        if isinstance(value, int):
            message += varint(number << 3) + varint(value)
        else:
            value = value.encode() if isinstance(value, str) else value
            message += varint(number << 3 | 2) + varint(len(value)) + value
    return message


def node(op, inputs, output, *attributes):
    return (1, proto(*((1, name) for name in inputs), (2, output), (4, op), *((5, one) for one in attributes)))


def tensor(name, *fields):
    return (5, proto(*fields, (8, name)))


ints = lambda name, *values: proto((1, name), (20, 7), *((8, value) for value in values))
weight = tensor("w", (1, 2), (1, 3), (2, 1), (9, bytes(24)))
branch = proto(node("Clip", "x", "c", proto((1, "max"), (20, 1)) + b"\x15\0\0\x80?"), node("Softmax", "c", "s"), (12, proto((1, "s"))))
graphs = {
    "layers": proto((2, "g"), weight, (11, proto((1, "x"))), node("MatMul", "xw", "m"), node("Dropout", "m", "y"), (12, proto((1, "y")))),
    "moves": proto((2, "g"), weight, node("Transpose", "w", "t", ints("perm", 1, 0)),
                   node("Slice", "t", "p", ints("starts", 1), ints("ends", 9)), node("Concat", "pp", "q", proto((1, "axis"), (3, 0), (20, 2))),
                   node("Unsqueeze", "q", "u", ints("axes", 0)), node("LSTM", "xuu", "h")),
    "branches": proto((2, "g"), node("If", "b", "y", proto((1, "then_branch"), (6, branch), (20, 5)))),
    "outside": proto((2, "g"), tensor("w", (1, 2), (2, 1), (13, proto((1, "location"), (2, "w.bin"))), (14, 1)), node("MatMul", "xw", "m")),
}
for name, graph in graphs.items():
    seed("model", name, proto((1, 4), (7, graph), (8, proto((2, 9)))))
