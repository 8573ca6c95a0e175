"""What PyTorch's modules are called in ONNX, and how their outputs are laid out."""
from __future__ import annotations

import json
import math
import re
from typing import Any

from torch import nn

# Where a module's output has its channels.
_SECOND = "second"  # axis 1
_LAST = "last"
_AS_INPUT = "as input"  # element by element, so the output is laid out as the input

# By the class's name without 1d, 2d or 3d.
_OPERATORS: dict[str, tuple[str, str | None]] = {
    "Conv": ("Conv", _SECOND), "ConvTranspose": ("ConvTranspose", _SECOND),
    "Linear": ("Gemm", _LAST), "Bilinear": ("Bilinear", _LAST),
    "BatchNorm": ("BatchNormalization", _SECOND), "SyncBatchNorm": ("BatchNormalization", _SECOND),
    "InstanceNorm": ("InstanceNormalization", _SECOND), "GroupNorm": ("GroupNormalization", _SECOND),
    "LayerNorm": ("LayerNormalization", _AS_INPUT), "RMSNorm": ("RMSNormalization", _AS_INPUT),
    "LocalResponseNorm": ("LRN", _SECOND),
    "MaxPool": ("MaxPool", _SECOND), "AvgPool": ("AveragePool", _SECOND),
    "AdaptiveMaxPool": ("MaxPool", _SECOND), "AdaptiveAvgPool": ("AveragePool", _SECOND),
    "Upsample": ("Resize", _SECOND), "UpsamplingNearest": ("Resize", _SECOND), "UpsamplingBilinear": ("Resize", _SECOND),
    "PixelShuffle": ("DepthToSpace", _SECOND), "PixelUnshuffle": ("SpaceToDepth", _SECOND),
    "ZeroPad": ("Pad", _SECOND), "ConstantPad": ("Pad", _SECOND), "ReflectionPad": ("Pad", _SECOND),
    "ReplicationPad": ("Pad", _SECOND),
    "Embedding": ("Gather", _LAST), "EmbeddingBag": ("EmbeddingBag", _LAST),
    "RNN": ("RNN", None), "LSTM": ("LSTM", None), "GRU": ("GRU", None),
    "MultiheadAttention": ("Attention", None),
    "Flatten": ("Flatten", None), "Unflatten": ("Reshape", None),
    "Identity": ("Identity", _AS_INPUT), "Dropout": ("Dropout", _AS_INPUT),
    "ReLU": ("Relu", _AS_INPUT), "ReLU6": ("Clip", _AS_INPUT), "Hardtanh": ("Clip", _AS_INPUT),
    "LeakyReLU": ("LeakyRelu", _AS_INPUT), "PReLU": ("PRelu", _AS_INPUT), "ELU": ("Elu", _AS_INPUT),
    "SELU": ("Selu", _AS_INPUT), "CELU": ("Celu", _AS_INPUT), "GELU": ("Gelu", _AS_INPUT),
    "SiLU": ("Swish", _AS_INPUT), "Mish": ("Mish", _AS_INPUT), "Hardswish": ("HardSwish", _AS_INPUT),
    "Hardsigmoid": ("HardSigmoid", _AS_INPUT), "Sigmoid": ("Sigmoid", _AS_INPUT), "Tanh": ("Tanh", _AS_INPUT),
    "Softplus": ("Softplus", _AS_INPUT), "Softsign": ("Softsign", _AS_INPUT),
    "Softmax": ("Softmax", _AS_INPUT), "LogSoftmax": ("LogSoftmax", _AS_INPUT),
}
_DIMENSIONS = re.compile(r"^(?:Lazy)?(\w+?)(?:([123])d)?$")
_CHANNELS_SECOND = {2: "NC", 3: "NCT", 4: "NCHW", 5: "NCDHW"}
_CHANNELS_LAST = {2: "NC", 3: "NTC", 4: "NHWC"}


def _known(module: nn.Module) -> tuple[str, str | None, int | None] | None:
    """ONNX operator, place of the channels, and spatial axes (None: any) of PyTorch's own modules and their heirs."""
    for kind in type(module).__mro__:
        if kind.__module__.startswith("torch."):
            name, dimensions = _DIMENSIONS.match(kind.__name__).groups()  # type: ignore[union-attr]
            if name in _OPERATORS:
                return (*_OPERATORS[name], int(dimensions) if dimensions else None)
    return None


def is_operator(module: nn.Module) -> bool:
    """Whether a module computes something itself, and does not only call others."""
    children = (name for name, _ in module.named_children() if name != "parametrizations")
    return _known(module) is not None or next(children, None) is None


def operator_of(module: nn.Module) -> str | None:
    """The ONNX operator, or the class's name for a module of one's own; nothing for one that calls others."""
    known = _known(module)
    if known and known[0] == "Flatten" and (module.start_dim, module.end_dim) != (1, -1):
        return "Reshape"  # ONNX's Flatten makes a matrix
    if known:
        return known[0]
    return type(module).__name__ if is_operator(module) else None


def layout_of(module: nn.Module, rank: int, input_layout: str | None) -> str | None:
    """One letter for each axis of a module's output: "NCHW"; nothing where it can't be determined."""
    operator, channels, dimensions = _known(module) or (None, None, None)
    if channels == _AS_INPUT:
        return input_layout
    if channels == _LAST:
        return _CHANNELS_LAST.get(rank)
    has_batches = dimensions is None or rank == dimensions + 2 or (operator == "BatchNormalization" and rank == 2)
    return _CHANNELS_SECOND.get(rank) if channels == _SECOND and has_batches else None


def input_layout_of(module: nn.Module, rank: int) -> str | None:
    """The layout that a module expects of its input."""
    if type(module).__name__ in ("Embedding", "EmbeddingBag"):  # of indices
        return None
    return layout_of(module, rank, None)


def is_bias(module: nn.Module, parameter: str) -> bool:
    """Whether a module's parameter is added to what a layer multiplies."""
    return parameter == "bias" and operator_of(module) in ("Conv", "ConvTranspose", "Gemm")


def geometry_of(module: nn.Module) -> dict[str, object]:
    """The geometry of a layer as ONNX spells it; nothing where ONNX pads with zeros and the module does otherwise."""
    operator = operator_of(module)
    if operator == "Gemm":
        return {"transB": 1}
    if operator not in ("Conv", "ConvTranspose") or getattr(module, "padding_mode", "zeros") != "zeros":
        return {}
    dilations = list(module.dilation)
    kernel = list(module.kernel_size)
    if isinstance(module.padding, str):
        total = [0 if module.padding == "valid" else rate * (length - 1) for rate, length in zip(dilations, kernel)]
        pads = [every // 2 for every in total] + [every - every // 2 for every in total]
    else:
        pads = 2 * list(module.padding)
    geometry: dict[str, object] = {"kernel_shape": kernel, "strides": list(module.stride), "pads": pads,
                                   "dilations": dilations, "group": module.groups}
    if operator == "ConvTranspose":
        geometry["output_padding"] = list(module.output_padding)
    return geometry


def attributes_of(module: nn.Module) -> dict[str, object]:
    """What a dump tells of the operator: a layer's geometry as attributes of their own, of all others the attributes
    that ONNX has for them as `op_attributes`, the text of a JSON object. What would be something else in ONNX than in
    PyTorch is left out rather than recorded wrongly."""
    operator = operator_of(module)
    if operator in ("Conv", "ConvTranspose", "Gemm"):
        return geometry_of(module)
    known = _known(module)
    tell = _ATTRIBUTES.get(operator or "") if known else None
    found = tell(module, known[2]) if tell and known else {}
    if not all(math.isfinite(value) for value in _numbers_in(found)):
        return {}
    return {"op_attributes": json.dumps(found, sort_keys=True)} if found else {}


def _numbers_in(value: Any) -> list[float]:
    if isinstance(value, (int, float)):
        return [value]
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [number for part in parts for number in _numbers_in(part)]


def _each(value: Any, axes: int | None) -> list[int]:
    """One number for each spatial axis, as PyTorch takes one for all of them."""
    return [int(one) for one in value] if isinstance(value, (tuple, list)) else [int(value)] * (axes or 1)


def _pool(module: Any, axes: int | None) -> dict[str, Any]:
    if not hasattr(module, "kernel_size") or getattr(module, "divisor_override", None) is not None:
        return {}  # an adaptive pool is none of ONNX's, but for the global one
    kernel = _each(module.kernel_size, axes)
    stride = _each(module.kernel_size if module.stride is None else module.stride, axes)
    found: dict[str, Any] = {"kernel_shape": kernel, "strides": stride, "pads": 2 * _each(module.padding, axes),
                             "ceil_mode": int(module.ceil_mode)}
    if hasattr(module, "dilation"):
        found["dilations"] = _each(module.dilation, axes)
    if hasattr(module, "count_include_pad"):
        found["count_include_pad"] = int(module.count_include_pad)
    return found


def _clip(module: Any, _axes: int | None) -> dict[str, Any]:
    return {"min": float(module.min_val), "max": float(module.max_val)}


def _pad(module: Any, axes: int | None) -> dict[str, Any]:
    name = type(module).__name__
    mode = "reflect" if "Reflection" in name else "edge" if "Replication" in name else "constant"
    sides = _each(module.padding, 2 * (axes or 1))  # PyTorch: of the last axis first, begin and end of each
    begins, ends = sides[::2][::-1], sides[1::2][::-1]
    found: dict[str, Any] = {"mode": mode, "pads": [0, 0, *begins, 0, 0, *ends]}
    if mode == "constant":
        found["value"] = float(getattr(module, "value", 0.0))
    return found


def _resize(module: Any, _axes: int | None) -> dict[str, Any]:
    mode = {"nearest": "nearest", "linear": "linear", "bilinear": "linear", "trilinear": "linear",
            "bicubic": "cubic"}.get(module.mode)
    if mode is None:
        return {}
    if mode == "nearest":
        return {"mode": mode, "coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"}
    found = {"mode": mode, "coordinate_transformation_mode":
             "align_corners" if module.align_corners else "pytorch_half_pixel"}
    return found if mode == "linear" else {**found, "cubic_coeff_a": -0.75}


def _recurrent(module: Any, _axes: int | None) -> dict[str, Any]:
    if module.num_layers != 1:
        return {}  # several nodes in ONNX
    return {"hidden_size": int(module.hidden_size), "layout": int(module.batch_first),
            "direction": "bidirectional" if module.bidirectional else "forward"}


def _softmax(module: Any, _axes: int | None) -> dict[str, Any]:
    return {} if getattr(module, "dim", None) is None else {"axis": int(module.dim)}


def _with_epsilon(module: Any, _axes: int | None) -> dict[str, Any]:
    return {} if module.eps is None else {"epsilon": float(module.eps)}


def _layer_norm(module: Any, axes: int | None) -> dict[str, Any]:
    return {"axis": -len(module.normalized_shape), **_with_epsilon(module, axes)}


# By ONNX operator: the attributes of a module over so many spatial axes.
_ATTRIBUTES: dict[str, Any] = {
    "MaxPool": _pool, "AveragePool": _pool, "Clip": _clip, "Pad": _pad, "Resize": _resize,
    "RNN": _recurrent, "LSTM": _recurrent, "GRU": _recurrent, "Softmax": _softmax, "LogSoftmax": _softmax,
    "BatchNormalization": _with_epsilon, "InstanceNormalization": _with_epsilon,
    "LayerNormalization": _layer_norm, "RMSNormalization": _layer_norm,
    "GroupNormalization": lambda module, axes: {"num_groups": int(module.num_groups), **_with_epsilon(module, axes)},
    "LRN": lambda module, axes: {"size": int(module.size), "alpha": float(module.alpha), "beta": float(module.beta),
                                 "bias": float(module.k)},
    "Flatten": lambda module, axes: {"axis": 1},
    "Gather": lambda module, axes: {"axis": 0},
    "DepthToSpace": lambda module, axes: {"blocksize": int(module.upscale_factor), "mode": "CRD"},
    "LeakyRelu": lambda module, axes: {"alpha": float(module.negative_slope)},
    "Elu": lambda module, axes: {"alpha": float(module.alpha)},
    "Celu": lambda module, axes: {"alpha": float(module.alpha)},
    "Gelu": lambda module, axes: {"approximate": str(getattr(module, "approximate", "none"))},
    "HardSigmoid": lambda module, axes: {"alpha": 1 / 6, "beta": 0.5},
}


def channel_axis_of(module: nn.Module, weight_shape: tuple[int, ...]) -> int | None:
    """The axis of a weight that holds the output channels; of tables, that of the rows."""
    if not (operator_of(module) or "").startswith("ConvTranspose"):
        return 0
    groups = getattr(module, "groups", 1)
    if groups == 1:
        return 1
    return 0 if weight_shape[1] == 1 else None  # depthwise; else a channel is a group on axis 0 and a place on axis 1
