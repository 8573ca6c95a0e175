#!/usr/bin/python3
"""A dump with a layer of every kind, scales for its operands, and what NumPy finds of them: layers.h5,
layers-scales.json, layers.json. Geometry is recorded in half of them and has to be found in the others.

    make_layers.py FOLDER
"""
import json
import pathlib
import sys

import h5py
import numpy as np

import layer_errors as oracle

random = np.random.default_rng(17)
SAMPLES = 4


def short(values):
    """With the digits of float16, so that the file is small."""
    return values.astype(np.float16).astype(np.float32)


def gaussian(*shape):
    return short(random.standard_normal(shape))


def skewed(*shape):
    """An activation with channels of many sizes, and few large values."""
    values = random.standard_t(3, shape) * np.exp(random.normal(0, 1, (1, shape[1]) + (1,) * (len(shape) - 2)))
    return short(np.maximum(values, -0.3))


LAYERS = {}


def layer(name, op, x, w, f, channel_axis=1, bias=True, weight_axis=0, affine=False, record=None, weight_first=False,
          attributes=None, no_weight_scale=False):
    """record: attributes of the layer's geometry that are written; None: none."""
    LAYERS[name] = dict(op=op, x=x, w=w, f=f, channel_axis=channel_axis, bias=bias, weight_axis=weight_axis, affine=affine,
                        record=record, weight_first=weight_first, no_weight_scale=no_weight_scale)


def conv_layer(name, x, w, strides, pads, dilations, group, recorded, **more):
    record = dict(strides=strides, pads=pads, dilations=dilations, group=group, kernel_shape=list(w.shape[2:]))
    layer(name, "Conv", x, w, lambda a, b: oracle.conv(a, b, strides, pads, dilations, group),
          record=record if recorded else None, **more)


def transposed_layer(name, x, w, strides, pads, dilations, group, more_pads, recorded):
    record = dict(strides=strides, pads=pads, dilations=dilations, group=group, output_padding=more_pads)
    layer(name, "ConvTranspose", x, w, lambda a, b: oracle.conv_transpose(a, b, strides, pads, dilations, group, more_pads),
          record=record if recorded else None, weight_axis=1)


def layers():
    for recorded in (True, False):
        of = "recorded" if recorded else "found"
        conv_layer(f"plain.{of}", skewed(SAMPLES, 5, 9, 8), gaussian(7, 5, 3, 3), [1, 1], [1, 1, 1, 1], [1, 1], 1, recorded)
        conv_layer(f"stride.{of}", skewed(SAMPLES, 4, 11, 10), gaussian(6, 4, 3, 3), [2, 2], [0, 0, 1, 1], [1, 1], 1, recorded)
        conv_layer(f"asymmetric.{of}", skewed(SAMPLES, 4, 8, 9), gaussian(5, 4, 2, 4), [1, 1], [0, 1, 1, 2], [1, 1], 1,
                   recorded)
        conv_layer(f"dilated.{of}", skewed(SAMPLES, 4, 12, 12), gaussian(6, 4, 3, 3), [1, 1], [2, 2, 2, 2], [2, 2], 1, recorded)
        conv_layer(f"groups.{of}", skewed(SAMPLES, 8, 7, 7), gaussian(12, 2, 3, 3), [1, 1], [1, 1, 1, 1], [1, 1], 4, recorded)
        conv_layer(f"depthwise.{of}", skewed(SAMPLES, 9, 8, 8), gaussian(9, 1, 5, 5), [1, 1], [2, 2, 2, 2], [1, 1], 9, recorded)
        conv_layer(f"line.{of}", skewed(SAMPLES, 3, 40), gaussian(8, 3, 5), [2], [2, 2], [1], 1, recorded)
        conv_layer(f"volume.{of}", skewed(SAMPLES, 2, 5, 4, 6), gaussian(3, 2, 2, 3, 3), [1, 1, 1], [0, 1, 1, 0, 1, 1],
                   [1, 1, 1], 1, recorded)
        transposed_layer(f"up.{of}", skewed(SAMPLES, 4, 5, 6), gaussian(4, 3, 2, 2), [2, 2], [0, 0, 0, 0], [1, 1], 1, [0, 0],
                         recorded)
        transposed_layer(f"up.more.{of}", skewed(SAMPLES, 4, 5, 6), gaussian(4, 3, 3, 3), [2, 2], [1, 1, 1, 1], [1, 1], 2,
                         [1, 1], recorded)
    conv_layer("affine", skewed(SAMPLES, 6, 10, 10), gaussian(8, 6, 3, 3), [1, 1], [1, 1, 1, 1], [1, 1], 1, True, affine=True)
    conv_layer("float.weight", skewed(SAMPLES, 6, 6, 6), gaussian(8, 6, 1, 1), [1, 1], [0, 0, 0, 0], [1, 1], 1, True,
               no_weight_scale=True)
    # More products in each output than are added exactly in float32.
    conv_layer("long", skewed(SAMPLES, 130, 4, 4), gaussian(6, 130, 3, 3), [1, 1], [1, 1, 1, 1], [1, 1], 1, False)
    conv_layer("many", skewed(4, 6, 32, 32), gaussian(4, 6, 3, 3), [1, 1], [1, 1, 1, 1], [1, 1], 1, False)
    layer("gemm", "Gemm", skewed(SAMPLES * 4, 20), gaussian(20, 7), lambda a, b: oracle.gemm(a, b, False, 1.0), weight_axis=1,
          record=dict(transB=0))
    layer("gemm.half", "Gemm", skewed(SAMPLES * 4, 16), gaussian(7, 16), lambda a, b: oracle.gemm(a, b, True, 0.5),
          record=dict(transB=1, alpha=0.5))
    layer("linear.square", "Gemm", skewed(SAMPLES, 3, 5, 12), gaussian(12, 12), lambda a, b: oracle.gemm(a, b, True, 1.0),
          channel_axis=3)
    layer("matmul", "MatMul", skewed(SAMPLES, 5, 14), gaussian(14, 9), oracle.product, channel_axis=2, bias=False, weight_axis=1)
    layer("matmul.stacked", "MatMul", skewed(SAMPLES, 3, 5, 14), gaussian(3, 14, 4), oracle.product, channel_axis=3,
          bias=False, weight_axis=None)
    layer("attention", "MatMul", gaussian(SAMPLES, 2, 7, 6), gaussian(SAMPLES, 2, 6, 5), oracle.product, channel_axis=3,
          bias=False, weight_axis=None)
    layer("weight.first", "MatMul", skewed(SAMPLES, 10, 6), gaussian(8, 10), lambda a, b: oracle.product(b, a),
          bias=False, weight_axis=0, weight_first=True)


def scale_of(values, axis, affine):
    """min-max in float32: scales, zero points and the ends of the levels."""
    if affine:
        low, high = min(float(values.min()), 0.0), max(float(values.max()), 0.0)
        scale = (high - low) / 255
        return [scale], [int(round(-128 - low / scale))], -128, 127
    if axis is None:
        return [float(np.abs(values).max()) / 127], [0], -127, 127
    largest = np.abs(np.moveaxis(values, axis, 0).reshape(values.shape[axis], -1)).max(axis=1)
    return [float(m) / 127 for m in largest], [0] * len(largest), -127, 127


def main():
    folder = pathlib.Path(sys.argv[1])
    layers()
    expected = {}
    outcomes = []
    with h5py.File(folder / "layers.h5", "w") as file:
        file.attrs["format"] = "calibration-dump"
        file.attrs["format_version"] = 1

        def tensor(name, role, values, scale, **attributes):
            packed = dict(chunks=values.shape, compression="gzip", shuffle=True) if values.nbytes > 4096 else {}
            data = file.create_dataset(f"{role}s/{name}", data=values, **packed)
            for key, value in attributes.items():
                data.attrs[key] = value
            if scale is None:
                return
            scales, zeros, low, _ = scale
            kind = "symmetric-restricted" if low == -127 else "affine"
            outcome = dict(tensor=name, role=role, calibrator="min-max", scheme=kind, bits=8)
            if len(scales) == 1:
                outcome.update(scale=scales[0], zero_point=zeros[0])
            else:
                outcome.update(channel="*", scale=max(scales), zero_point=0, channels=dict(scale=scales, zero_point=zeros))
            outcomes.append(outcome)

        for name, one in LAYERS.items():
            x, w, op = one["x"], one["w"], one["op"]
            plain = one["f"](x, w)
            bias = np.zeros(plain.shape[one["channel_axis"]])
            if one["bias"]:
                bias = random.standard_normal(bias.shape)
            shape = [1] * plain.ndim
            shape[one["channel_axis"]] = -1
            y = (plain + bias.reshape(shape)).astype(np.float32)
            is_pair = name == "attention"
            x_scale = scale_of(x, None, one["affine"])
            w_scale = None if one["no_weight_scale"] else scale_of(w, one["weight_axis"], False)
            tensor(f"{name}.x", "activation", x, x_scale, op_type="Relu", batch_size=2)
            if is_pair:
                tensor(f"{name}.w", "activation", w, w_scale, op_type="Relu", batch_size=2)
            elif one["weight_axis"] is None:
                tensor(f"{name}.w", "weight", w, w_scale, op_type=op)
            else:
                tensor(f"{name}.w", "weight", w, w_scale, op_type=op, channel_axis=one["weight_axis"])
            inputs = [f"{name}.w", f"{name}.x"] if one["weight_first"] else [f"{name}.x", f"{name}.w"]
            tensor(name, "activation", y, None, op_type=op, batch_size=2, inputs=inputs, **(one["record"] or {}))
            fx = oracle.quantized(x, *x_scale)
            fw = None if w_scale is None else oracle.quantized(w, *w_scale, one["weight_axis"])
            expected[name], _ = oracle.figures(one["f"], x, w, fx, fw, y, one["channel_axis"])
    for file, value in (("layers-scales.json", dict(outcomes=outcomes)), ("layers.json", expected)):
        with open(folder / file, "w") as out:
            json.dump(value, out, indent=0)
            out.write("\n")


main()
