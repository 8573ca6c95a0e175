#!/usr/bin/env python3
"""Records what a PyTorch network computes into a calibration dump that Calibscope opens.

    from record_torch import record
    record(network, batches, "dump.h5")

runs the network on each batch, in evaluation mode and without gradients, and writes the input and every module's
output as they come: memory holds one tensor of one batch at a time, however many batches there are. Or run it yourself:

    with Recorder(network, "dump.h5"):
        for images, labels in loader:
            network(images.to(device))

Names in the dump:
    input            what the network is called with; input[0], input[1] if there are several
    layer1.0.conv2   a module's output, by the module's name
    gate#2           the output of a module's second call in one pass of the network (shared modules)
    lstm[1][0]       outputs that are tuples, lists or dictionaries: by index and key
    conv1.weight     parameters with two axes or more, biases of layers, and with `biases` all others with one axis
A module that returns a tensor which another one made (Sequential, Identity) adds nothing. What plain functions compute
(x + y, F.relu) is recorded where a module returns it. Needs PyTorch 1.13 or 2, h5py 3, NumPy 1 or 2, and the files
beside this one.
"""
from __future__ import annotations

import argparse
import contextlib
import fnmatch
import inspect
import os
import warnings
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

import torch_operators
from calibration_dump import DumpWriter, RecordingWarning
from torch_tensors import LeftOut, Makers, array_of, fed_array, overflows_float16, tensors_in, weights_of

Choice = Sequence["str | type[nn.Module]"]


def record(model: nn.Module, batches: Iterable[Any], path: str | os.PathLike[str], *, limit: int | None = None,
           forward: Callable[[nn.Module, Any], object] | None = None, **options: Any) -> None:
    """Runs a network on batches and records it; at most `limit` batches.

    A batch that is a tuple or list is passed as arguments, a dictionary as keyword arguments, anything else as the one
    argument; `forward(model, batch)` does otherwise, as in `lambda model, batch: model(batch[0].cuda())`. The options
    are those of Recorder.
    """
    with Recorder(model, path, **options):
        for number, batch in enumerate(batches):
            if number == limit:
                break
            if forward is not None:
                forward(model, batch)
            elif isinstance(batch, Mapping):
                model(**batch)
            elif isinstance(batch, (tuple, list)):
                model(*batch)
            else:
                model(batch)


class Recorder:
    """Records every pass of a network inside a `with` statement.

    Inside, the network is in evaluation mode and no gradients are kept; behind it the network is as before, also after
    an exception, and then there is no file.

    modules   which ones: their names, globs of names (`layer1.*`) and classes (`nn.Conv2d`); None: all
    biases    all parameters with one axis; without it those alone that are biases of layers
    feeds     also what the network was called with, exactly as it was, so that it can be run again
    keep      of tensors that such a glob names only the first so many samples: {"features.*": 16}
    mask      which positions of activations count: by such globs functions that are called as the network is and return a
              tensor with the activation's first axes, other than 0 where it counts, as in
              {"encoder*": lambda input_ids, attention_mask: attention_mask}
    exported  the network as torch.onnx.export() wrote it (a path, or an onnx.ModelProto): the dump then has the names
              of its graph, which other programs ask for. Needs the package onnx
    float16   values rounded to float16: half the size
    gzip      a level from 1 to 9: smaller and slower
    live      the file can be opened while it is recorded, and holds the tensors of the first pass
    model_name, source, note    texts for the file's attributes: which network, on which data
    """

    def __init__(self, model: nn.Module, path: str | os.PathLike[str], *, modules: Choice | None = None,
                 biases: bool = False, feeds: bool = True, keep: Mapping[str, int] | None = None,
                 mask: Mapping[str, Callable[..., Tensor]] | None = None,
                 exported: Any = None, float16: bool = False, gzip: int | None = None,
                 live: bool = False, model_name: str | None = None, source: str = "", note: str = "") -> None:
        for module in model.modules():
            is_compiled = hasattr(module, "_orig_mod") or getattr(module, "_compiled_call_impl", None) is not None
            if is_compiled or isinstance(module, torch.jit.ScriptModule):
                raise TypeError(f"{type(module).__name__} runs no hooks; record the network before it is scripted, "
                                "traced or compiled")
        self._model = model
        own = {module: name for name, module in model.named_modules() if "parametrizations" not in name.split(".")}
        self._input_name = _free_name("input", own.values())
        self._names = {module: name or _free_name("output", own.values()) for module, name in own.items()}
        self._chosen = {module for module, name in self._names.items() if _is_chosen(module, name, modules)}
        if not self._chosen:
            raise ValueError(f"no module of {type(model).__name__} is one of {modules}; named_modules() lists them")
        self._biases = biases
        self._feeds = feeds
        self._float16 = float16
        self._keep = dict(keep or {})
        self._mask = dict(mask or {})
        self._exported = _exported_names(exported)
        self._open: Callable[[], DumpWriter] = lambda: DumpWriter(
            path, gzip=gzip, live=live, model=type(model).__name__ if model_name is None else model_name, source=source,
            framework=f"PyTorch {torch.__version__}", note=note)

    def __enter__(self) -> Recorder:
        self._makers = Makers()
        self._layouts: dict[str, str | None] = {}  # of the activations that were written
        self._inputs: dict[str, list[str] | None] = {}  # of the operators that made them
        self._weights: dict[nn.Module, list[str]] = {}
        self._called: set[nn.Module] = set()
        self._passes = 0
        self._seen = 0  # samples of the passes before this one
        self._samples = 0  # of this pass
        self._masks: dict[str, np.ndarray] = {}  # of this pass, by their globs
        self._kept: Counter[str] = Counter()  # samples of tensors that were written
        self._calls: Counter[nn.Module] = Counter()  # in this pass
        self._running: list[list[str] | None] = []  # names of the inputs of the modules that run now
        self._warned: set[str] = set()
        with contextlib.ExitStack() as stack:
            self._dump = stack.enter_context(self._open())
            stack.push(self._describe)
            for module in self._model.modules():
                stack.callback(setattr, module, "training", module.training)
            self._model.eval()
            stack.enter_context(torch.no_grad())
            for module in self._names:
                stack.callback(_register(module.register_forward_pre_hook, self._before).remove)
                stack.callback(_register(module.register_forward_hook, self._after).remove)
            self._write_weights()
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *exception: Any) -> None:
        self._stack.__exit__(*exception)

    def _before(self, module: nn.Module, args: tuple[Any, ...], kwargs: Mapping[str, Any] | None = None) -> None:
        """Notes the names of a module's inputs before the module can change them."""
        if module is self._model or not self._running:  # a new pass; the one before may have ended in an exception
            self._running.clear()
            self._calls.clear()
        if module is self._model:
            value = args[0] if len(args) == 1 and not kwargs else {**dict(enumerate(args)), **(kwargs or {})}
            given = list(tensors_in(value, self._input_name))
            self._masks = {glob: fed_array(of(*args, **(kwargs or {}))) for glob, of in self._mask.items()}
            self._seen += self._samples
            self._samples = next((len(tensor) for _, tensor in given if tensor.dim() > 0), 0)
            graph_names = self._exported.inputs if self._exported and len(given) == len(self._exported.inputs) else []
            for place, (name, tensor) in enumerate(given):
                self._makers.note(tensor, name)
                graph_name = graph_names[place] if graph_names else None
                self._feed(graph_name or name, name, tensor)
                self._write(name, tensor, about={"op_type": "Input", "graph_name": graph_name})
            self._passes += 1
        tensors = [tensor for _, tensor in tensors_in((args, kwargs or {}))]
        names = [self._makers.name_of(tensor) for tensor in tensors]
        if len(names) == 1 and names[0] in self._layouts and not self._layouts[names[0]]:
            self._layouts[names[0]] = torch_operators.input_layout_of(module, tensors[0].dim())
        # One that a plain function made has no name: then nothing is said of any.
        self._running.append(None if None in names or not names else names)  # type: ignore[arg-type]

    def _after(self, module: nn.Module, _args: tuple[Any, ...], *kwargs_and_output: Any) -> None:
        """Records what a module returned."""
        inputs = self._running.pop() if self._running else None
        self._called.add(module)
        self._calls[module] += 1
        call = self._calls[module]
        name = self._names[module] + (f"#{call}" if call > 1 else "")
        if not torch_operators.is_operator(module):
            inputs = None  # its own are not those of the operator that made the output
        for place, (part, tensor) in enumerate(tensors_in(kwargs_and_output[-1], name)):
            maker = self._makers.name_of(tensor)
            if maker in self._layouts or (maker and module not in self._chosen):
                continue  # another module's output, unchanged
            self._makers.note(tensor, part)
            if module in self._chosen:
                self._write(part, tensor, module, inputs, self._about(module, place, part == name))
        if module is self._model:
            if self._passes == 1:
                self._describe_activations()
            self._dump.flush()

    def _about(self, module: nn.Module, place: int, is_whole: bool) -> dict[str, Any]:
        """Facts recorded of a module's output, or of one of several."""
        about: dict[str, Any] = {"op_type": torch_operators.operator_of(module), "node": self._names[module],
                                 "output_index": place or None, **torch_operators.attributes_of(module)}
        if self._exported and is_whole:
            found = self._exported.of_module(self._names[module], self._calls[module])
            if module is self._model and len(self._exported.outputs) == 1:
                found = (self._exported.outputs[0], "")
            if found:
                about["graph_name"] = found[0]
        return about

    def _feed(self, input_name: str, name: str, tensor: Tensor) -> None:
        array = fed_array(tensor) if self._feeds else None
        if array is not None:
            self._dump.add_feed(self._passes, input_name, array, activation=name)

    def _append(self, name: str, array: np.ndarray, is_bfloat16: bool, about: Mapping[str, Any]) -> bool:
        """Writes as many samples as are to be kept, and tells which of the calibration set they are."""
        samples = range(self._seen, self._seen + len(array)) if len(array) == self._samples else None
        most = min((count for glob, count in self._keep.items() if fnmatch.fnmatchcase(name, glob)), default=None)
        if most is not None:
            left = max(0, most - self._kept[name])
            array, samples = array[:left], samples[:left] if samples is not None else None
            if left == 0:
                return True
        self._kept[name] += len(array)
        mask = next((mask for glob, mask in self._masks.items() if fnmatch.fnmatchcase(name, glob)), None)
        return self._dump.append(name, array, is_bfloat16=is_bfloat16, samples=samples,
                                 mask=None if mask is None else mask[:len(array)], **about)

    def _write(self, name: str, tensor: Tensor, module: nn.Module | None = None,
               inputs: list[str] | None = None, about: Mapping[str, Any] | None = None) -> None:
        array = self._array_of(name, tensor)
        if array is None or not self._append(name, *array, about or {}):
            return
        if module and inputs:
            inputs = inputs + self._weights.get(module, [])
        if name in self._layouts:
            if self._inputs[name] != inputs:
                self._inputs[name] = None  # not the same in every pass
            return
        input_layout = self._layouts.get(inputs[0]) if inputs else None
        self._layouts[name] = torch_operators.layout_of(module, tensor.dim(), input_layout) if module else None
        self._inputs[name] = inputs

    def _write_weights(self) -> None:
        """Writes the parameters of the chosen modules, shared ones once."""
        uses: dict[int, list[tuple[nn.Module, str, Tensor]]] = {}
        for module, module_name in self._names.items():
            if module in self._chosen:
                for name, weight in weights_of(module, least_axes=1):
                    if weight.dim() < 2 and not (self._biases or torch_operators.is_bias(module, name)):
                        continue
                    full = name if module is self._model else f"{module_name}.{name}"
                    uses.setdefault(id(weight), []).append((module, full, weight))
        for users in uses.values():
            module, name, weight = users[0]
            array = self._array_of(name, weight)
            if array is None:
                continue
            consumers = [self._names[user] for user, _, _ in users]
            about = {"op_type": torch_operators.operator_of(module),
                     "consumer": consumers if len(consumers) > 1 else consumers[0]}
            if self._exported:
                about["graph_name"] = self._exported.of_parameter(name, tuple(weight.shape))
            if weight.dim() == 1 and torch_operators.is_bias(module, name.rpartition(".")[2]):
                self._dump.add_bias(name, array[0], is_bfloat16=array[1], **about)
            else:
                axis = torch_operators.channel_axis_of(module, tuple(weight.shape))
                self._dump.add_weight(name, array[0], is_bfloat16=array[1], channel_axis=axis, **about)
            for user, _, _ in users:
                self._weights.setdefault(user, []).append(name)

    def _array_of(self, name: str, tensor: Tensor) -> Any:
        try:
            if self._float16 and tensor.is_floating_point() and overflows_float16(tensor):
                self._warn_once(name, "has values beyond 65504, which are infinite as float16")
            return array_of(tensor, self._float16)
        except LeftOut as reason:
            self._warn_once(name, f"is left out: it {reason}")
            return None

    def _warn_once(self, name: str, sentence: str) -> None:
        if name not in self._warned:
            self._warned.add(name)
            warnings.warn(f"{name} {sentence}", RecordingWarning, stacklevel=2)

    def _describe(self, kind: type | None, *_: Any) -> None:
        """Writes what is known of the activations when all are there."""
        if kind is not None:
            return
        self._describe_activations()
        idle = [self._names[module] for module in self._chosen - self._called if torch_operators.is_operator(module)]
        if idle:
            warnings.warn(f"no pass called {', '.join(sorted(idle))}: without activations in the dump",
                          RecordingWarning, stacklevel=2)

    def _describe_activations(self) -> None:
        for name, layout in self._layouts.items():
            self._dump.set_attribute(name, "layout", layout)
            self._dump.set_attribute(name, "inputs", self._inputs[name])


def _exported_names(exported: Any) -> Any:
    if exported is None:
        return None
    import onnx
    from exported_names import ExportedNames

    return ExportedNames(onnx.load(os.fspath(exported)) if isinstance(exported, (str, os.PathLike)) else exported)


def _register(register: Callable[..., Any], hook: Callable[..., None]) -> Any:
    """Registers a hook; PyTorch 2 passes keyword arguments to those that ask for them."""
    asks = {"with_kwargs": True} if "with_kwargs" in inspect.signature(register).parameters else {}
    return register(hook, **asks)


def _free_name(name: str, taken: Collection[str]) -> str:
    while name in taken:
        name += "_"
    return name


def _is_chosen(module: nn.Module, name: str, choice: Choice | None) -> bool:
    return choice is None or any(fnmatch.fnmatchcase(name, item) if isinstance(item, str) else isinstance(module, item)
                                 for item in choice)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--demo", metavar="FILE", required=True,
                        help="record a small convolutional network on random images into FILE")
    parser.add_argument("--batches", type=int, default=4, help="of 8 images, the last one of 3 (4)")
    parser.add_argument("--float16", action="store_true", help="round values to float16")
    parser.add_argument("--gzip", type=int, choices=range(1, 10), metavar="LEVEL", help="compress, 1 to 9")
    arguments = parser.parse_args()

    import demo_network
    network = demo_network.DemoNetwork()
    record(network, demo_network.images(arguments.batches), arguments.demo, float16=arguments.float16,
           gzip=arguments.gzip, source="random images")
    print(f"{arguments.demo}: open it with Calibscope, or list it with: calib info {arguments.demo}")


if __name__ == "__main__":
    main()
