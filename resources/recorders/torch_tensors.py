"""Tensors in what PyTorch's modules take and return, by name, as arrays, and known again."""
from __future__ import annotations

import weakref
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn


class LeftOut(Exception):
    """Why a tensor is not recorded."""


def tensors_in(value: Any, name: str = "") -> Iterator[tuple[str, Tensor]]:
    """The tensors of nested tuples, lists and dictionaries: name[1][key], as one gets them in Python.

    Not name/1/key: datasets that are called 0, 1, 2 look like the batches of one tensor.
    """
    if isinstance(value, Tensor):
        yield name, value
        return
    if isinstance(value, Mapping):
        parts = value.items()
    elif isinstance(value, tuple) and hasattr(value, "_fields"):
        parts = zip(value._fields, value)
    elif isinstance(value, (tuple, list)):
        parts = enumerate(value)
    else:
        return
    for key, part in parts:
        yield from tensors_in(part, f"{name}[{str(key).replace('/', '.')}]")


def array_of(tensor: Tensor, float16: bool = False) -> tuple[np.ndarray, bool]:
    """The values, and whether they are uint16 patterns of bfloat16, which NumPy does not have. Throws LeftOut.

    8-bit floats become float16, which holds all their values.
    """
    kind = str(tensor.dtype).replace("torch.", "")
    if tensor.is_quantized or not tensor.is_floating_point():
        raise LeftOut(f"holds {kind}; only floating-point tensors are calibrated")
    if tensor.layout != torch.strided:
        raise LeftOut(f"is {tensor.layout}; make it dense")
    if tensor.dim() == 0:
        raise LeftOut("is a single value, not a tensor")
    tensor = tensor.detach()
    if float16 or kind.startswith("float8"):
        tensor = tensor.to(torch.float16)
    elif kind == "bfloat16":
        return tensor.cpu().contiguous().view(torch.int16).numpy().view(np.uint16), True
    return tensor.cpu().numpy(), False


def fed_array(tensor: Tensor) -> np.ndarray | None:
    """All that the tensor holds, integers and single values too; bfloat16 and 8-bit floats as float32. Nothing for
    what NumPy has no array of."""
    if tensor.is_quantized or tensor.layout != torch.strided:
        return None
    tensor = tensor.detach()
    if str(tensor.dtype).startswith(("torch.bfloat16", "torch.float8")):
        tensor = tensor.to(torch.float32)
    return tensor.cpu().numpy().copy()  # the network may write into it


def overflows_float16(tensor: Tensor) -> bool:
    """Whether values are finite, but not as float16."""
    if torch.finfo(tensor.dtype).max <= torch.finfo(torch.float16).max:
        return False
    return bool((tensor.isfinite() & ~tensor.to(torch.float16).isfinite()).any())


def weights_of(module: nn.Module, least_axes: int) -> Iterator[tuple[str, Tensor]]:
    """A module's own parameters; what a parametrization (weight_norm) computes in place of what it is made of."""
    own = dict(module.named_parameters(recurse=False))
    weight = getattr(module, "weight", None)
    if isinstance(weight, Tensor) and "weight" not in own:
        own = {"weight": weight, **{name: other for name, other in own.items() if not name.startswith("weight_")}}
    yield from ((name, value) for name, value in own.items() if value.dim() >= least_axes)


class Makers:
    """Which activation a tensor is, for as long as it lives and nothing writes into it."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[weakref.ref[Tensor], int | None, str]] = {}

    def note(self, tensor: Tensor, name: str) -> None:
        """From now on the tensor is the activation of that name."""
        key = id(tensor)  # not the tensor: it compares element by element
        forget = weakref.ref(tensor, lambda _: self._known.pop(key, None))  # another tensor may get the same id
        self._known[key] = (forget, _version_of(tensor), name)

    def name_of(self, tensor: Tensor) -> str | None:
        """The activation's name; nothing for a tensor of a plain function, or one that was changed since."""
        reference, version, name = self._known.get(id(tensor), (lambda: None, None, None))
        is_same = reference() is tensor and version is not None and version == _version_of(tensor)
        return name if is_same else None


def _version_of(tensor: Tensor) -> int | None:
    """Counts what was written into the tensor; nothing where PyTorch does not (inference mode)."""
    return None if tensor.is_inference() else tensor._version
