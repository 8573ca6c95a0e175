#!/usr/bin/env python3
"""Records what an ONNX model computes in ONNX Runtime into a calibration dump that Calibscope opens.

    from record_onnx import record
    record("model.onnx", batches, "dump.h5")  # batches: {input's name: array}, or the array of the only input

Every tensor of floating point that the main graph makes is made an output, and the model is run without optimisation, which
would merge tensors. The dump then has names, operators and geometry of the graph, weights, biases and what was fed: all that
is needed to write a quantized model from it and to check that. Tensors of graphs within the graph (If, Loop, Scan) are left
out: a runtime gives none of them. Needs the packages onnxruntime, onnx, h5py and numpy, and the files beside this one; with
--runner another runtime in place of onnxruntime.
"""
from __future__ import annotations

import argparse
import fnmatch
import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
import onnx
from calibration_dump import DumpWriter
from onnx_graph import Graph
from runner_session import runner

Feeds = Mapping[str, np.ndarray]


def probed(model: onnx.ModelProto, tensors: Iterable[str]) -> onnx.ModelProto:
    """The same model with further outputs, of whatever type the runtime finds."""
    copy = onnx.ModelProto()
    copy.CopyFrom(model)
    outputs = {value.name for value in copy.graph.output}
    for name in tensors:
        if name not in outputs:
            copy.graph.output.add().name = name
    return copy


def onnxruntime_session(model: onnx.ModelProto, folder: str) -> Any:
    """A session of Python's onnxruntime that runs each node as written. `folder`: where the model's external data is."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 3
    if hasattr(options, "add_session_config_entry"):
        options.add_session_config_entry("session.model_external_initializers_file_folder_path", folder)
    return onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])


def record(model: str | os.PathLike[str] | onnx.ModelProto, batches: Iterable[Feeds | np.ndarray],
           path: str | os.PathLike[str], *, limit: int | None = None, tensors: Iterable[str] | None = None,
           keep: Mapping[str, int] | None = None, weights: bool = True, gzip: int | None = None, live: bool = False,
           source: str = "", note: str = "", session: Callable[[onnx.ModelProto, str], Any] = onnxruntime_session) -> None:
    """Runs a model on batches and records it; at most `limit` batches.

    tensors   which ones: globs of names in the graph; None: all. The model's outputs are always recorded
    keep      of tensors that such a glob names only the first so many samples: {"*/Conv_output_0": 16}
    weights   also the weights and biases of layers
    gzip      a level from 1 to 9: smaller and slower
    live      the file can be opened while it is recorded
    session   makes of a model what runs it: with get_outputs(), each with its name, and run(None, feeds)
    """
    proto = model if isinstance(model, onnx.ModelProto) else onnx.load(os.fspath(model), load_external_data=False)
    folder = "." if isinstance(model, onnx.ModelProto) else os.path.dirname(os.path.abspath(os.fspath(model)))
    onnx.load_external_data_for_model(proto, folder)
    graph = Graph(proto)
    name = proto.graph.name if isinstance(model, onnx.ModelProto) else os.path.basename(os.fspath(model))
    wanted = [tensor for tensor in graph.made()
              if tensors is None or any(fnmatch.fnmatchcase(tensor, glob) for glob in tensors)]
    runs = session(probed(proto, wanted), folder)
    with DumpWriter(path, gzip=gzip, live=live, model=name, source=source, note=note, **graph.about()) as dump:
        if weights:
            graph.write_constants(dump)
        writer = _Writer(graph, dump, dict(keep or {}))
        for number, batch in enumerate(batches):
            if number == limit:
                break
            feeds = batch if isinstance(batch, Mapping) else {graph.only_input(): batch}
            graph.write_feeds(dump, number, feeds)
            writer.begin(feeds)
            for tensor, values in feeds.items():
                writer.write(tensor, np.asarray(values))
            for output, values in zip(runs.get_outputs(), runs.run(None, dict(feeds))):
                if isinstance(values, np.ndarray):  # sequences and maps are not tensors
                    writer.write(output.name, values)
            dump.flush()


class _Writer:
    """Activations of one batch after the other, each with the samples that it has."""

    def __init__(self, graph: Graph, dump: DumpWriter, keep: dict[str, int]) -> None:
        self._graph, self._dump, self._keep = graph, dump, keep
        self._seen = 0  # samples of the batches before this one
        self._samples = 0  # of this batch
        self._kept: Counter[str] = Counter()

    def begin(self, feeds: Feeds) -> None:
        self._seen += self._samples
        axes = [np.shape(values) for values in feeds.values() if np.ndim(values) > 1]
        self._samples = axes[0][0] if axes else 0

    def write(self, tensor: str, values: np.ndarray) -> None:
        if values.dtype.kind != "f" or values.ndim == 0:
            return
        most = min((count for glob, count in self._keep.items() if fnmatch.fnmatchcase(tensor, glob)), default=None)
        count = len(values) if most is None else min(len(values), max(0, most - self._kept[tensor]))
        self._kept[tensor] += count
        # Of a tensor whose first axis is another (samples and heads together, for one) nobody can tell.
        samples = range(self._seen, self._seen + count) if len(values) == self._samples else None
        if count:
            self._graph.append(self._dump, tensor, values[:count], samples=samples)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", help="ONNX model")
    parser.add_argument("inputs", nargs="+", metavar="FILE.npz", help="a batch each: arrays by the inputs' names")
    parser.add_argument("-o", "--output", required=True, metavar="DUMP.h5")
    parser.add_argument("--tensors", nargs="+", metavar="GLOB", help="only these; the outputs are always recorded")
    parser.add_argument("--gzip", type=int, choices=range(1, 10), metavar="LEVEL", help="compress, 1 to 9")
    parser.add_argument("--live", action="store_true", help="the dump can be opened while it is recorded")
    parser.add_argument("--runner", metavar="COMMAND", help="runs the model as for calib check, in place of onnxruntime")
    parser.add_argument("--source", default="", metavar="TEXT", help="what was fed")
    arguments = parser.parse_args()
    batches = (dict(np.load(file, allow_pickle=False)) for file in arguments.inputs)
    record(arguments.model, batches, arguments.output, tensors=arguments.tensors, gzip=arguments.gzip,
           live=arguments.live, source=arguments.source,
           session=runner(arguments.runner) if arguments.runner else onnxruntime_session)


if __name__ == "__main__":
    main()
