"""As much of PyTorch's interface as record_torch.py uses, on NumPy, for where PyTorch is not.

Names, attributes and defaults of the modules are those of PyTorch 2; their values are computed by definition. It tests the
recorder's own code; whether PyTorch behaves so, tests/extra/run.sh tells where it is installed.
"""
from __future__ import annotations

import sys
import types
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import numpy as np
from stand_in_session import conv


class DType:
    def __init__(self, name: str, numpy: Any) -> None:
        self.name, self.numpy = name, numpy

    def __str__(self) -> str:
        return f"torch.{self.name}"


float32, float16, int64 = (DType(name, np.dtype(name)) for name in ("float32", "float16", "int64"))
_DTYPES = {kind.numpy: kind for kind in (float32, float16, int64)}


class Tensor:
    is_quantized = False
    layout = "strided"

    def __init__(self, values: Any) -> None:
        self.values = np.asarray(values)
        self._version = 0

    dtype = property(lambda self: _DTYPES[self.values.dtype])
    shape = property(lambda self: self.values.shape)

    def dim(self) -> int:
        return self.values.ndim

    def __len__(self) -> int:
        return len(self.values)

    def numpy(self) -> np.ndarray:
        return self.values

    def detach(self) -> Tensor:
        return self

    cpu = detach

    def to(self, kind: DType) -> Tensor:
        return Tensor(self.values.astype(kind.numpy))

    def is_floating_point(self) -> bool:
        return self.values.dtype.kind == "f"

    def is_inference(self) -> bool:
        return False

    def isfinite(self) -> Tensor:
        return Tensor(np.isfinite(self.values))

    def __and__(self, other: Tensor) -> Tensor:
        return Tensor(self.values & other.values)

    def __invert__(self) -> Tensor:
        return Tensor(~self.values)

    def any(self) -> bool:
        return bool(self.values.any())

    def __add__(self, other: Tensor) -> Tensor:
        return Tensor(self.values + other.values)


class Module:
    def __init__(self) -> None:
        self._modules: OrderedDict[str, Module] = OrderedDict()
        self._parameters: OrderedDict[str, Tensor] = OrderedDict()
        self._before: list[Any] = []
        self._after: list[Any] = []
        self.training = True

    def __setattr__(self, name: str, value: Any) -> None:
        if isinstance(value, Module):
            self._modules[name] = value
        elif isinstance(value, Tensor) and "_parameters" in self.__dict__:
            self._parameters[name] = value
        object.__setattr__(self, name, value)

    def named_modules(self, prefix: str = "") -> Iterator[tuple[str, Module]]:
        yield prefix, self
        for name, module in self._modules.items():
            yield from module.named_modules(f"{prefix}.{name}" if prefix else name)

    def modules(self) -> Iterator[Module]:
        return (module for _, module in self.named_modules())

    def named_children(self) -> Iterator[tuple[str, Module]]:
        return iter(self._modules.items())

    def named_parameters(self, recurse: bool = True) -> Iterator[tuple[str, Tensor]]:
        return iter(self._parameters.items())

    def eval(self) -> Module:
        for module in self.modules():
            module.training = False
        return self

    def _register(self, hooks: list[Any], hook: Callable[..., Any]) -> Any:
        hooks.append(hook)
        return SimpleNamespace(remove=lambda: hooks.remove(hook))

    def register_forward_pre_hook(self, hook: Any, *, prepend: bool = False, with_kwargs: bool = False) -> Any:
        return self._register(self._before, hook)

    def register_forward_hook(self, hook: Any, *, prepend: bool = False, with_kwargs: bool = False) -> Any:
        return self._register(self._after, hook)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        for hook in self._before:
            hook(self, args, kwargs)
        output = self.forward(*args, **kwargs)
        for hook in self._after:
            hook(self, args, kwargs, output)
        return output


def _parameter(*shape: int) -> Tensor:
    return Tensor(np.random.default_rng(sum(shape)).normal(size=shape).astype(np.float32))


class Conv2d(Module):
    def __init__(self, inputs: int, outputs: int, kernel: int, stride: int = 1, padding: Any = 0, groups: int = 1,
                 bias: bool = True, dilation: int = 1, padding_mode: str = "zeros") -> None:
        super().__init__()
        self.kernel_size, self.stride, self.dilation = (kernel, kernel), (stride, stride), (dilation, dilation)
        self.padding = padding if isinstance(padding, str) else (padding, padding)
        self.groups, self.padding_mode = groups, padding_mode
        self.weight = _parameter(outputs, inputs // groups, kernel, kernel)
        if bias:
            self.bias = _parameter(outputs)

    def forward(self, x: Tensor) -> Tensor:
        bias = self._parameters.get("bias")
        return Tensor(conv(x.values, self.weight.values, bias.values if bias else None, self.stride, 2 * self.padding,
                           self.groups))


class ConvTranspose2d(Conv2d):
    output_padding = (1, 1)


class Linear(Module):
    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__()
        self.weight, self.bias = _parameter(outputs, inputs), _parameter(outputs)

    def forward(self, x: Tensor) -> Tensor:
        return Tensor((x.values @ self.weight.values.T + self.bias.values).astype(np.float32))


class ReLU(Module):
    def forward(self, x: Tensor) -> Tensor:
        return Tensor(np.maximum(x.values, 0))


class Flatten(Module):
    start_dim, end_dim = 1, -1

    def forward(self, x: Tensor) -> Tensor:
        return Tensor(x.values.reshape(len(x.values), -1))


class AvgPool2d(Module):
    """Whole maps alone."""

    def __init__(self, kernel: int) -> None:
        super().__init__()
        self.kernel_size, self.stride, self.padding = kernel, kernel, 0
        self.ceil_mode, self.count_include_pad, self.divisor_override = False, True, None

    def forward(self, x: Tensor) -> Tensor:
        return Tensor(x.values.mean((2, 3), keepdims=True))


class Sequential(Module):
    def __init__(self, *modules: Module) -> None:
        super().__init__()
        for place, module in enumerate(modules):
            setattr(self, str(place), module)

    def forward(self, x: Any) -> Any:
        for module in self._modules.values():
            x = module(x)
        return x


def described(name: str, **attributes: Any) -> Module:
    """A module of PyTorch's of that class, which is only looked at."""
    module = type(name, (Module,), {"__module__": "torch.nn.modules.some"})()
    for attribute, value in attributes.items():
        setattr(module, attribute, value)
    return module


@contextmanager
def no_grad() -> Iterator[None]:
    yield


def install() -> None:
    """From now on `import torch` gives this."""
    torch, nn = types.ModuleType("torch"), types.ModuleType("torch.nn")
    for kind in (Conv2d, ConvTranspose2d, Linear, ReLU, Flatten, AvgPool2d, Sequential):
        kind.__module__ = "torch.nn.modules.some"
        setattr(nn, kind.__name__, kind)
    nn.Module = Module
    torch.nn, torch.Tensor, torch.no_grad, torch.strided, torch.__version__ = nn, Tensor, no_grad, "strided", "stand-in"
    torch.float16, torch.float32 = float16, float32
    torch.jit = SimpleNamespace(ScriptModule=type("ScriptModule", (), {}))
    torch.finfo = lambda kind: np.finfo(kind.numpy)
    sys.modules.update({"torch": torch, "torch.nn": nn})
