#!/usr/bin/env python3
"""Reads quantized models with ONNX's own package and NumPy, and compares them with what the decisions ask for.

    read_quantized.py PROGRAM

PROGRAM (deploy_tests) writes its cases: NAME.float.onnx, NAME.onnx and the decisions NAME.json. What each case
must have come to is in EXPECTED, written by hand; nothing is taken from the program's own account.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import onnx
from onnx import numpy_helper

INT8, UINT8, INT32, FLOAT = onnx.TensorProto.INT8, onnx.TensorProto.UINT8, onnx.TensorProto.INT32, onnx.TensorProto.FLOAT
INT16, UINT16, INT4 = onnx.TensorProto.INT16, onnx.TensorProto.UINT16, 22
failures = []


def check(condition, *what):
    if not condition:
        failures.append(' '.join(str(part) for part in what))


# ---- graphs ----------------------------------------------------------------------------------------------------------

def graphs(model):
    """Pairs of scope and graph, outer ones first; a scope is the names of nodes and attributes around it."""
    found = []

    def walk(graph, scope):
        found.append((scope, graph))
        for node in graph.node:
            for attribute in node.attribute:
                if attribute.type == onnx.AttributeProto.GRAPH:
                    walk(attribute.g, f'{scope}/{node.name}.{attribute.name}'.lstrip('/'))
    walk(model.graph, '')
    return found


def around(scope):
    """The scope and all that it lies in, inner ones first."""
    while True:
        yield scope
        if not scope:
            return
        scope = scope.rpartition('/')[0]


def has(graph, name):
    return (name in [i.name for i in graph.input] or name in [i.name for i in graph.initializer] or
            any(name in node.output for node in graph.node))


def owner(by_scope, scope, name):
    return next((around_it for around_it in around(scope) if has(by_scope[around_it], name)), None)


def users(model, scope, name):
    """Names of the nodes, in all graphs, that take this graph's tensor, with the place of the input."""
    by_scope = dict(graphs(model))
    return sorted(f'{node.name}:{i}' for inner, graph in by_scope.items() for node in graph.node
                  for i, taken in enumerate(node.input)
                  if taken == name and owner(by_scope, inner, name) == scope)


def initializer(graph, name):
    return next((tensor for tensor in graph.initializer if tensor.name == name), None)


def axis_of(node):
    return next((attribute.i for attribute in node.attribute if attribute.name == 'axis'), None)


def check_valid(case, model):
    """Each name is defined once, and before it is taken."""
    known_to_package = onnx.ModelProto()
    known_to_package.CopyFrom(model)
    for node in known_to_package.graph.node:  # blocks are younger than this package may be
        for attribute in [a for a in node.attribute if a.name == 'block_size']:
            node.attribute.remove(attribute)
    onnx.checker.check_model(known_to_package)
    def walk(graph, known):
        known = known | {i.name for i in graph.input} | {i.name for i in graph.initializer}
        for node in graph.node:
            for name in node.input:
                check(not name or name in known, case, f'{node.name} takes {name} before it is made')
            for attribute in node.attribute:
                if attribute.type == onnx.AttributeProto.GRAPH:
                    walk(attribute.g, known)
            for name in node.output:
                check(name not in known, case, f'{name} is made twice')
            known = known | set(node.output)
        for output in graph.output:
            check(output.name in known, case, f'nobody makes the output {output.name}')
    walk(model.graph, set())


def check_node_names(case, float_model, model):
    """No new node has another one's name, nor a tensor's of the float model."""
    before = [node.name for _, graph in graphs(float_model) for node in graph.node]
    after = [node.name for _, graph in graphs(model) for node in graph.node]
    check(len(after) - len(set(after)) <= len(before) - len(set(before)), case, 'a node name is there twice')
    tensors = {name for _, graph in graphs(float_model) for node in graph.node for name in [*node.input, *node.output]}
    check(not (set(after) - set(before)) & tensors, case, "a node has a tensor's name")


def unpack(model):
    """Integers of 4 bits become int8, as this package may not know them: two in a byte, the first in the lower half."""
    packed = set()
    for scope, graph in graphs(model):
        for tensor in graph.initializer:
            if tensor.data_type != INT4:
                continue
            count = int(np.prod(tensor.dims))
            halves = [half for byte in tensor.raw_data for half in (byte & 15, byte >> 4)]
            check(len(halves) == count + count % 2 and not any(halves[count:]), tensor.name, 'has other bytes')
            values = np.array([half - 16 if half > 7 else half for half in halves[:count]], np.int8)
            packed.add((scope, tensor.name))
            tensor.CopyFrom(numpy_helper.from_array(values.reshape(tuple(tensor.dims)), tensor.name))
    return packed


# ---- integers --------------------------------------------------------------------------------------------------------

def along(values, axis, rank):
    """Scales in the shape in which they meet a tensor of that rank."""
    values = np.asarray(values)
    if axis is None:
        return values.reshape(())
    shape = [1] * rank
    shape[axis] = -1
    return values.reshape(shape)


def quantized(values, scale, zero, low, high):
    """What QuantizeLinear is defined to give, in float32."""
    steps = np.rint((values / scale).astype(np.float32))
    return np.clip(steps.astype(np.float64) + zero, low, high).astype(np.int64)


def float_values(model, scope, name):
    """A constant's values in the float model; of what a Concat makes of constants, too."""
    graph = dict(graphs(model))[scope]
    tensor = initializer(graph, name)
    if tensor is not None:
        return numpy_helper.to_array(tensor)
    node = next(node for node in graph.node if name in node.output)
    assert node.op_type == 'Concat'
    return np.concatenate([float_values(model, scope, part) for part in node.input], axis_of(node))


# ---- what is to be there ---------------------------------------------------------------------------------------------

def numbered(name, names):
    """The name, or the one with the largest number behind it that is there: the writer's own."""
    found = [name] + [f'{name}_{i}' for i in range(2, 9)]
    return next((n for n in reversed(found) if n in names), None)


def check_pair(case, model, decisions, tensor, expected):
    """tensor is "name" or "name@scope"; expected has takers, and what differs from the decision."""
    name, _, scope = tensor.partition('@')
    graph = dict(graphs(model))[scope]
    source = expected.get('from', name)
    makers = [node for node in graph.node if node.op_type == 'QuantizeLinear' and node.input[0] == source]
    if len(makers) != 1:
        check(False, case, f'{tensor} has {len(makers)} QuantizeLinear')
        return
    quantize = makers[0]
    takers = [node for node in graph.node if node.input[0] == quantize.output[0]]
    check(len(takers) == 1 and takers[0].op_type == 'DequantizeLinear', case, f'{tensor}: no pair')
    dequantize = takers[0]
    check(list(quantize.input[1:]) == list(dequantize.input[1:]), case, f'{tensor}: other scales behind')
    check(len(quantize.input) == 3, case, f'{tensor}: no zero point')
    scale = initializer(graph, quantize.input[1])
    zero = initializer(graph, quantize.input[2])
    kind = expected.get('type', INT8)
    check(scale.data_type == FLOAT and zero.data_type == kind, case, f'{tensor}: other types')
    decided = next(d for d in decisions if d['tensor'] == name and d['scope'] == scope)
    axis = expected.get('axis')
    check(axis_of(quantize) == axis and axis_of(dequantize) == axis, case, f'{tensor}: other axis')
    rank = 0 if axis is None else 1
    check(len(scale.dims) == rank and len(zero.dims) == rank, case, f'{tensor}: scale of another rank')
    scales = expected.get('scales', decided['scales'])
    check(np.allclose(numpy_helper.to_array(scale).reshape(-1), np.float32(scales),
                      rtol=0 if 'scales' not in expected else 1e-6, atol=0), case, f'{tensor}: other scale')
    shift = {UINT8: 128, UINT16: 32768}.get(kind, 0)
    zeros = [z + shift for z in expected.get('zeros', decided['zero_points'])]
    check(numpy_helper.to_array(zero).reshape(-1).tolist() == zeros, case, f'{tensor}: other zero point')
    check(users(model, scope, dequantize.output[0]) == sorted(expected['takers']), case,
          f'{tensor}: taken by {users(model, scope, dequantize.output[0])}')
    # Directly behind what makes it, in the graph where that is.
    places = [place for place, node in enumerate(graph.node) if source in node.output]
    order = list(graph.node)
    inside = places[0] if places else -1
    between = order[inside + 1:order.index(quantize)]
    check(all(node.op_type in ('QuantizeLinear', 'DequantizeLinear') for node in between), case,
          f'{tensor}: not directly behind its maker')
    check(order.index(dequantize) == order.index(quantize) + 1, case, f'{tensor}: not in a row')


def check_weight(case, float_model, model, packed, decisions, tensor, expected):
    name, _, scope = tensor.partition('@')
    graph = dict(graphs(model))[scope]
    found = [node for node in graph.node if node.op_type == 'DequantizeLinear' and
             node.name.startswith(f'{name}_DequantizeLinear')]
    if len(found) != 1:
        check(False, case, f'{tensor} has {len(found)} DequantizeLinear')
        return
    node = found[0]
    integers, scale, zero = (initializer(graph, i) for i in node.input)
    check(integers.data_type == INT8 and zero.data_type == INT8 and scale.data_type == FLOAT, case,
          f'{tensor}: other types')
    for one in (integers, zero):
        check(((scope, one.name) in packed) == expected.get('packed', False), case, f'{tensor}: other width')
    axis, group = expected['axis'], expected.get('group', 1)
    check(group == next((a.i for a in node.attribute if a.name == 'block_size'), 1), case, f'{tensor}: other blocks')
    check(axis_of(node) == axis, case, f'{tensor}: axis {axis_of(node)}')
    rank = 0 if axis is None else 1 if group == 1 else len(integers.dims)
    check(len(scale.dims) == rank and list(zero.dims) == list(scale.dims), case, f'{tensor}: scale of another rank')
    decided = next(d for d in decisions if d['tensor'] == name and d['scope'] == scope)
    scales = numpy_helper.to_array(scale)
    wanted = np.float32(expected.get('scales', decided['scales']))
    check(np.allclose(scales.reshape(-1), wanted, rtol=0 if 'scales' not in expected else 1e-6, atol=0), case,
          f'{tensor}: scales {scales} instead of {wanted}')
    zeros = numpy_helper.to_array(zero).astype(np.int64)
    check(zeros.reshape(-1).tolist() == decided['zero_points'][:zeros.size], case, f'{tensor}: other zero point')
    values = float_values(float_model, scope, name)
    stored = numpy_helper.to_array(integers)
    check(stored.shape == values.shape, case, f'{tensor}: other shape')
    low, high = expected.get('levels', (decided['low'], decided['high']))
    if group == 1:
        scales, zeros = along(scales, axis, values.ndim), along(zeros, axis, values.ndim)
    else:
        scales, zeros = np.repeat(scales, group, axis), np.repeat(zeros, group, axis)
    by_hand = quantized(values, scales, zeros, low, high)
    check(np.array_equal(stored, by_hand), case, f'{tensor}: {np.sum(stored != by_hand)} integers differ')
    # fq(w) in float32 is what DequantizeLinear gives: bit for bit, and within half a scale of w where nothing clips.
    back = (stored.astype(np.int64) - zeros).astype(np.float32) * scales
    inside = (by_hand > low) & (by_hand < high)
    half = np.broadcast_to(scales, values.shape) * np.float32(0.5000001)
    check(np.all(np.abs(back - values)[inside] <= half[inside]), case, f'{tensor}: too far from the weight')
    check(users(model, scope, node.output[0]) == sorted(expected['takers']), case,
          f'{tensor}: taken by {users(model, scope, node.output[0])}')
    check((initializer(graph, name) is not None) == expected.get('float_stays', False), case,
          f'{tensor}: the float weight')


def check_bias(case, float_model, model, name, input_scale, weight, takers):
    graph = model.graph
    node = next(node for node in graph.node if node.name == f'{name}_DequantizeLinear')
    check(len(node.input) == 2, case, f'{name}: has a zero point')
    integers, scale = (initializer(graph, i) for i in node.input)
    check(integers.data_type == INT32, case, f'{name}: no int32')
    weight_scale = numpy_helper.to_array(initializer(graph, f'{weight}_scale'))
    product = np.float32(input_scale) * weight_scale
    check(np.array_equal(numpy_helper.to_array(scale), product), case, f'{name}: other scale')
    check(axis_of(node) == (0 if weight_scale.ndim else None), case, f'{name}: other axis')
    values = float_values(float_model, '', name).astype(np.float64)
    check(np.array_equal(numpy_helper.to_array(integers), np.rint(values / product.astype(np.float64))), case,
          f'{name}: other integers')
    check(users(model, '', node.output[0]) == takers, case, f'{name}: other takers')
    check(initializer(graph, name) is None, case, f'{name}: is there twice')


X = {'x': {'takers': ['y_node:0']}}
W = {'w': {'axis': 0, 'takers': ['y_node:1']}}
CONV = {'pairs': X, 'weights': W}
ONLY_W = {'pairs': {}, 'weights': W}
XC = {'x': {'takers': ['c_node:0']}}
WC = {'w': {'axis': 0, 'takers': ['c_node:1']}}
THEN, ELSE = 'y_node.then_branch', 'y_node.else_branch'


def weight_at(axis, taker, **more):
    return {'w': {'axis': axis, 'takers': [taker], **more}}


def place(pairs):
    """The graph of the places: Conv c, Sigmoid s, Conv d, Add a, Sigmoid y."""
    return {'pairs': {name: {'takers': takers} for name, takers in pairs.items()},
            'weights': {'w': {'axis': 0, 'takers': ['c_node:1']}, 'v': {'axis': 0, 'takers': ['d_node:1']}}}


def then(pairs):
    return {'pairs': {**XC, **pairs}, 'weights': WC}


EXPECTED = {
    'conv-int8': CONV,
    'conv-uint8': {'pairs': {'x': {'takers': ['y_node:0'], 'type': UINT8}}, 'weights': W},
    'bias-int32': {**CONV, 'bias': ('b', 0.05, 'w', ['y_node:2'])},
    'weight-per-tensor': {'pairs': X, 'weights': weight_at(None, 'y_node:1'), 'bias': ('b', 0.05, 'w', ['y_node:2'])},
    'one-channel': CONV,
    'outputs': {'pairs': {**X, 'y': {'takers': [], 'from': 'y_float'}}, 'weights': W},
    'outputs-taken': {'pairs': {**X, 'y': {'takers': [], 'from': 'y_float'}}, 'weights': W},
    'names-taken': CONV,
    'value-info': then({'c': {'takers': ['r_node:0']}}),
    'conv-transpose': {'pairs': X, 'weights': weight_at(1, 'y_node:1')},
    'gemm': {'pairs': X, 'weights': weight_at(1, 'y_node:1')},
    'gemm-trans-b': {'pairs': X, 'weights': weight_at(0, 'y_node:1')},
    'gemm-a': {'pairs': {'x': {'takers': ['y_node:1']}}, 'weights': weight_at(0, 'y_node:0')},
    'gemm-trans-a': {'pairs': {'x': {'takers': ['y_node:1']}}, 'weights': weight_at(1, 'y_node:0')},
    'matmul': {'pairs': X, 'weights': weight_at(1, 'y_node:1')},
    'matmul-first': {'pairs': {'x': {'takers': ['y_node:1']}}, 'weights': weight_at(0, 'y_node:0')},
    'gather-table': {'pairs': {}, 'weights': weight_at(0, 'y_node:0')},
    'lstm': {'pairs': {}, 'weights': {'W': {'axis': 1, 'takers': ['y_node:1']},
                                      'R': {'axis': 1, 'takers': ['y_node:2']}}},
    'places-operands': place({'x': ['c_node:0'], 's': ['d_node:0']}),
    'places-layers': place({'x': ['c_node:0'], 's': ['d_node:0'], 'c': ['s_node:0', 'a_node:0'], 'd': ['y_node:0']}),
    'places-decided': place({'x': ['c_node:0'], 's': ['d_node:0', 'a_node:1'], 'c': ['s_node:0', 'a_node:0'],
                             'd': ['y_node:0']}),
    'relu-uint8': {'pairs': {'x': {'takers': ['c_node:0'], 'type': UINT8}, 'r': {'takers': ['y_node:0'], 'type': UINT8}},
                   'weights': WC},
    'relu-int8': then({'c': {'takers': ['r_node:0']}}),
    'clip-uint8': {'pairs': {'x': {'takers': ['c_node:0'], 'type': UINT8}, 'c': {'takers': ['r_node:0'], 'type': UINT8}},
                   'weights': WC},
    'leaky-relu': {'pairs': {'x': {'takers': ['c_node:0'], 'type': UINT8}, 'c': {'takers': ['r_node:0'], 'type': UINT8}},
                   'weights': WC},
    'batch-norm': then({'n': {'takers': ['y_node:0']}}),
    'moves': {'pairs': {**XC, 'c': {'takers': ['p_node:0']}},
              'weights': {**WC, 'v': {'axis': 1, 'takers': ['y_node:1']}}},
    'moves-operands': {'pairs': {**XC, 'f': {'takers': ['y_node:0']}},
                       'weights': {**WC, 'v': {'axis': 1, 'takers': ['y_node:1']}}},
    'pad-zero': {'pairs': {**XC, 'c': {'takers': ['p_node:0']}},
                 'weights': {**WC, 'v': {'axis': 0, 'takers': ['y_node:1']}}},
    'pad-told-zero': {'pairs': {**XC, 'c': {'takers': ['p_node:0']}},
                      'weights': {**WC, 'v': {'axis': 0, 'takers': ['y_node:1']}}},
    'pad-number': {'pairs': {**XC, 'c': {'takers': ['p_node:0']}, 'p': {'takers': ['y_node:0']}},
                   'weights': {**WC, 'v': {'axis': 0, 'takers': ['y_node:1']}}},
    'concat': {'pairs': {'x': {'takers': ['c_node:0', 'd_node:0']}, 'c': {'takers': ['j_node:0'], 'scales': [0.2]},
                         'd': {'takers': ['t_node:0']}, 'j': {'takers': ['y_node:0'], 'scales': [0.2]}},
               'weights': {**WC, 'u': {'axis': 0, 'takers': ['d_node:1']}}},
    'concat-affine': {'pairs': {'x': {'takers': ['c_node:0', 'd_node:0'], 'type': UINT8},
                                'c': {'takers': ['j_node:0'], 'type': UINT8, 'scales': [49 / 255], 'zeros': [0]},
                                'd': {'takers': ['t_node:0'], 'type': UINT8, 'scales': [49 / 255], 'zeros': [0]}},
                      'weights': {**WC, 'u': {'axis': 0, 'takers': ['d_node:1']}}},
    'shared-weight': {'pairs': {'x': {'takers': ['a_node:0', 'b_node:0']}},
                      'weights': {'w': {'axis': 1, 'takers': ['a_node:1', 'b_node:1']}}},
    'shared-other-axis': {'pairs': {'x': {'takers': ['a_node:0', 'b_node:0']}},
                          'weights': weight_at(1, 'a_node:1', float_stays=True)},
    'shared-per-tensor': {'pairs': {'x': {'takers': ['a_node:0', 'b_node:0']}},
                          'weights': {'w': {'axis': None, 'takers': ['a_node:1', 'b_node:1']}}},
    'weight-is-input': {**CONV, 'inputs': ['x']},
    'weight-is-output': {'pairs': X, 'weights': weight_at(0, 'y_node:1', float_stays=True)},
    'weight-other-use': {'pairs': X, 'weights': weight_at(0, 'y_node:1', float_stays=True)},
    'stacked-matmul': {'pairs': X, 'weights': {'w': {'axis': None, 'takers': ['y_node:1'], 'scales': 'widest'}}},
    'stacked-per-tensor': {'pairs': X, 'weights': weight_at(None, 'y_node:1')},
    'conv-transpose-groups': {'pairs': X, 'weights': weight_at(1, 'y_node:1'), 'float_bias': ['b']},
    'gemm-alpha': {'pairs': X, 'weights': weight_at(1, 'y_node:1'), 'float_bias': ['b']},
    'weight-no-constant': {'pairs': {**X, 'k': {'takers': ['y_node:1']}}, 'weights': {}},
    'weight-folded': CONV,
    'if-weight-outside': {'pairs': {'x': {'takers': ['e_node:0']}, 'a': {'takers': ['t_node:0']}},
                          'weights': {'w': {'axis': 0, 'takers': ['e_node:1', 't_node:1']}}},
    'if-same-names': {'pairs': {f's@{THEN}': {'takers': ['t_node:0']}, f's@{ELSE}': {'takers': ['e_node:0']}},
                      'weights': {f'w@{THEN}': {'axis': 0, 'takers': ['t_node:1']},
                                  f'w@{ELSE}': {'axis': 0, 'takers': ['e_node:1']}}},
    'loop-body': {'pairs': {'v@y_node.body': {'takers': ['m_node:0']}, 'm@y_node.body': {'takers': ['next_node:0']}},
                  'weights': {'w': {'axis': 1, 'takers': ['m_node:1']}}},
    'activation-channels': ONLY_W, 'affine-real': ONLY_W, 'rounding': ONLY_W, 'bits': ONLY_W, 'scale-zero': ONLY_W,
    'scale-nan': ONLY_W, 'scale-infinite': ONLY_W, 'scale-negative': ONLY_W,
    'activation-channels-allowed': {'pairs': {'x': {'takers': ['y_node:0'], 'axis': 1}}, 'weights': W},
    'restricted': CONV,
    'clipped': CONV,
    'left-out': {'pairs': {**XC, 'c': {'takers': ['y_node:0']}}, 'weights': WC},
    'functions': CONV,
    'weights-to-63': {'pairs': X, 'weights': weight_at(0, 'y_node:1', levels=(-63, 63), scales='63')},
    'tensorrt': {**CONV, 'bias': ('b', 0.05, 'w', ['y_node:2'])},
    'raised': {'pairs': X, 'weights': weight_at(0, 'y_node:1', scales=[0.7 / (0.05 * 2**30), 0.5 / 127]),
               'bias': ('b', 0.05, 'w', ['y_node:2'])},
    'raised-matmul': {'pairs': {'x': {'takers': ['m_node:0']}, 'a': {'takers': ['y_node:0']}},
                      'weights': {'w': {'axis': 1, 'takers': ['m_node:1'], 'scales': [0.7 / (0.05 * 2**30), 0.5 / 127]}}},
    'activation-16-bits': {'pairs': {'x': {'takers': ['y_node:0'], 'type': INT16}}, 'weights': W},
    'activation-16-bits-unsigned': {'pairs': {'x': {'takers': ['y_node:0'], 'type': UINT16}}, 'weights': W},
    'weight-4-bits': {'pairs': X, 'weights': weight_at(0, 'y_node:1', packed=True)},
    'groups-of-columns': {'pairs': X, 'weights': weight_at(0, 'y_node:1', packed=True, group=3)},
    'groups-of-rows': {'pairs': X, 'weights': weight_at(1, 'y_node:1', packed=True, group=3)},
    'weight-affine': {'pairs': X, 'weights': weight_at(None, 'y_node:1')},
    'scale-count': {'pairs': X, 'weights': {}},
    'weight-nan': {'pairs': X, 'weights': {}},
    'quantized-partly': {'pairs': {}, 'weights': W},
}


def check_case(folder, case, expected):
    float_model = onnx.load(folder / f'{case}.float.onnx')
    model = onnx.load(folder / f'{case}.onnx')
    decisions = json.loads((folder / f'{case}.json').read_text().replace('NaN', 'null'))
    packed = unpack(model)
    check_valid(case, model)
    check_node_names(case, float_model, model)
    own = {'QuantizeLinear': 0, 'DequantizeLinear': 0}
    for before, after in zip(graphs(float_model), graphs(model)):
        for kind in own:
            own[kind] += sum(n.op_type == kind for n in after[1].node) - sum(n.op_type == kind for n in before[1].node)
    pairs, weights = expected['pairs'], expected['weights']
    check(own['QuantizeLinear'] == len(pairs), case, f"{own['QuantizeLinear']} pairs")
    check(own['DequantizeLinear'] == len(pairs) + len(weights) + ('bias' in expected), case,
          f"{own['DequantizeLinear']} DequantizeLinear")
    for tensor, of in pairs.items():
        check_pair(case, model, decisions, tensor, of)
    for tensor, of in weights.items():
        of = dict(of)
        decided = next(d for d in decisions if d['tensor'] == tensor.partition('@')[0])
        if of.get('scales') == 'widest':
            of['scales'] = [max(decided['scales'])]
        elif of.get('scales') == '63':
            of['scales'] = [s * 127 / 63 for s in decided['scales']]
        check_weight(case, float_model, model, packed, decisions, tensor, of)
    if 'bias' in expected:
        check_bias(case, float_model, model, *expected['bias'])
    for name in expected.get('float_bias', []):
        check(initializer(model.graph, name) is not None, case, f'{name}: does not stay float')
    check([o.name for o in model.graph.output] == [o.name for o in float_model.graph.output], case, 'other outputs')
    inputs = expected.get('inputs', [i.name for i in float_model.graph.input])
    check([i.name for i in model.graph.input] == inputs, case, 'other inputs')


def main():
    program = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, 'write all cases'], check=True, stdout=subprocess.DEVNULL,
                       env={**os.environ, 'CALIBSCOPE_QUANTIZED_CASES': folder})
        folder = pathlib.Path(folder)
        written = {path.name[:-len('.float.onnx')] for path in folder.glob('*.float.onnx')}
        check(written == set(EXPECTED), 'cases that are on one side only:', sorted(written ^ set(EXPECTED)))
        for case in sorted(written & set(EXPECTED)):
            check_case(folder, case, EXPECTED[case])
    for failure in failures:
        print(failure)
    print(f'{len(EXPECTED)} cases, {len(failures)} failures')
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())
