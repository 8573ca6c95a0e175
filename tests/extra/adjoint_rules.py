#!/usr/bin/env python3
"""The gradients of `calib improve --end --adjoint` (resources/docs/improve.md) against runs, one operator after the other.

    adjoint_rules.py CALIB [--runner COMMAND] [OPERATOR...]

Each model is a convolution, the operator, and a product that makes six values a sample. The convolution's weight is
quantized in 12 bits and its input in 16, fine enough for the first order: powers by gradients have to be the measured ones
to 5 %, which float32 leaves of 16 bits.
Needs h5py and NumPy.
"""
import argparse
import json
import pathlib
import struct
import subprocess
import sys
import tempfile

import h5py
import numpy as np

RUNNER = pathlib.Path(__file__).resolve().parent.parent.parent / 'resources/runners/onnxruntime_node.js'
SAMPLES = 6
rng = np.random.default_rng(1)


def varint(value):
    value &= (1 << 64) - 1
    out = b''
    while value > 127:
        out += bytes([value & 127 | 128])
        value >>= 7
    return out + bytes([value])


def field(number, value):
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    if isinstance(value, float):
        return varint(number << 3 | 5) + struct.pack('<f', value)
    value = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(value)) + value


def tensor(name, values):
    kind = {'float32': 1, 'int64': 7}[str(values.dtype)]
    dims = b''.join(field(1, length) for length in values.shape)
    return dims + field(2, kind) + field(8, name) + field(9, values.tobytes())


def attribute(name, value):
    head = field(1, name)
    if isinstance(value, float):
        return head + field(2, value) + field(20, 1)
    if isinstance(value, int):
        return head + field(3, value) + field(20, 2)
    if isinstance(value, str):
        return head + field(4, value) + field(20, 3)
    return head + b''.join(field(8, each) for each in value) + field(20, 7)


def node(op, inputs, outputs, **attributes):
    return (b''.join(field(1, name) for name in inputs) + b''.join(field(2, name) for name in outputs) +
            field(4, op) + b''.join(field(5, attribute(*each)) for each in attributes.items()))


def info(name, shape):
    dims = field(1, field(2, 'N')) + b''.join(field(1, field(1, length)) for length in shape)
    return field(1, name) + field(2, field(1, field(1, 1) + field(2, dims)))


def model(nodes, constants):
    graph = (b''.join(field(1, each) for each in nodes) + field(2, 'g') +
             b''.join(field(5, tensor(*each)) for each in constants.items()) +
             field(11, info('x', (2, 6, 6))) + field(12, info('end', (6,))))
    return field(1, 8) + field(7, graph) + field(8, field(2, 17))


def floats(*shape):
    return rng.normal(size=shape).astype('f4')


def ints(*values):
    return np.array(values, 'i8')


# Operator: inputs behind `a` ([N, 4, 6, 6]) as constants, attributes; `a` may be among them.
CASES = {
    'Relu': {}, 'LeakyRelu': {'alpha': 0.2}, 'Sigmoid': {}, 'Tanh': {}, 'HardSigmoid': {'alpha': 0.3}, 'HardSwish': {},
    'Exp': {}, 'Erf': {}, 'Neg': {}, 'Identity': {}, 'Softmax': {'axis': 1},
    'Clip': {'in': [np.float32(-0.5), np.float32(0.8)]},
    'Add': {'in': [floats(4, 1, 1)]}, 'Sub': {'in': [floats(4, 1, 1)], 'swap': True}, 'Mul': {'in': [floats(4, 1, 1)]},
    'Mul of itself': {'in': ['a']}, 'Mul by its mean': {'before': [('GlobalAveragePool', ['a'], ['m'], {})], 'in': ['m']},
    'Div': {'in': [floats(4, 1, 1) + 3]}, 'Div by it': {'before': [('Exp', ['a'], ['p'], {})], 'take': 'p',
                                                        'in': [floats(4, 1, 1) + 3], 'swap': True},
    'Pow': {'in': [np.float32(2.0)]}, 'Sqrt': {'before': [('Exp', ['a'], ['p'], {})], 'take': 'p'},
    'Log': {'before': [('Exp', ['a'], ['p'], {})], 'take': 'p'},
    'Max': {'in': [floats(4, 1, 1)]}, 'Min': {'in': [floats(4, 1, 1)]},
    'Where': {'before': [('Less', ['a', 'half'], ['c'], {})], 'take': 'c', 'in': ['a', floats(1)]},
    'BatchNormalization': {'in': [floats(4), floats(4), floats(4), abs(floats(4)) + 0.5]},
    'MaxPool': {'kernel_shape': [3, 3], 'strides': [2, 2], 'pads': [1, 1, 1, 1]},
    'AveragePool': {'kernel_shape': [3, 3], 'strides': [2, 2]}, 'GlobalAveragePool': {},
    'AveragePool of pads': {'kernel_shape': [3, 2], 'strides': [2, 1], 'pads': [1, 0, 1, 0], 'count_include_pad': 1},
    'Conv': {'in': [floats(6, 2, 3, 3)], 'group': 2, 'strides': [2, 2], 'pads': [1, 1, 0, 0]},
    'ConvTranspose': {'in': [floats(4, 3, 3, 3), floats(3)], 'strides': [2, 2], 'pads': [1, 1, 1, 1], 'output_padding': [1, 1]},
    'Resize': {'in': ['', np.array([1, 1, 2, 2], 'f4')], 'mode': 'nearest',
               'coordinate_transformation_mode': 'asymmetric', 'nearest_mode': 'floor'},
    'Concat': {'in': ['x', 'a'], 'axis': 1}, 'Slice': {'in': [ints(1, 0), ints(4, 6), ints(1, 3), ints(1, 2)]},
    'Gather': {'in': [ints(2, 0, 2)], 'axis': 1}, 'Reshape': {'in': [ints(0, 8, -1)]}, 'Flatten': {'axis': 1},
    'Transpose': {'perm': [0, 2, 3, 1]}, 'Pad': {'in': [ints(0, 0, 1, 0, 0, 0, 2, 1)]},
    'Expand': {'in': [ints(3, 1, 4, 6, 6)], 'after': [('Transpose', [1, 0, 2, 3, 4])]},
    'Unsqueeze': {'in': [ints(1)]}, 'ReduceMean': {'axes': [2, 3], 'keepdims': 0}, 'ReduceSum': {'in': [ints(1)]},
    'MatMul': {'in': [floats(6, 5)]}, 'MatMul of both': {'in': ['a']}, 'MatMul of stacks': {'in': [floats(4, 6, 5)]},
    'Gemm': {'before': [('Flatten', ['a'], ['f'], {})], 'take': 'f', 'in': [floats(5, 144), floats(5)], 'transB': 1, 'alpha': 0.5},
}


def made(name, case):
    case = dict(case)
    constants = {'w': floats(4, 2, 3, 3), 'half': np.full((1,), 0.5, 'f4')}
    nodes = [node('Conv', ['x', 'w'], ['a'], pads=[1, 1, 1, 1])]
    for op, inputs, outputs, attributes in case.pop('before', []):
        nodes.append(node(op, inputs, outputs, **attributes))
    inputs = [case.pop('take', 'a')]
    for index, value in enumerate(case.pop('in', [])):
        if not isinstance(value, str):
            constants[f'k{index}'] = np.asarray(value)
            value = f'k{index}'
        inputs.append(value)
    if case.pop('swap', False):
        inputs = inputs[1:2] + inputs[:1]
    after = case.pop('after', [])
    nodes.append(node(name.split()[0], inputs, ['b'], **case))
    last = 'b'
    for op, perm in after:
        nodes.append(node(op, [last], ['t'], perm=perm))
        last = 't'
    constants['wide'] = floats(4096, 6)
    constants['ends'] = ints(0, -1)
    nodes += [node('Flatten', [last], ['f1'], axis=1), node('Shape', ['f1'], ['s1']),
              node('Slice', ['s1', 'one', 'two', 'zero'], ['n1']), node('Slice', ['wide', 'zero', 'n1', 'zero'], ['v']),
              node('MatMul', ['f1', 'v'], ['end'])]
    constants.update({'zero': ints(0), 'one': ints(1), 'two': ints(2)})
    return model(nodes, constants), constants['w']


def recipe(folder, name, scheme, bits):
    rules = [{'role': role, 'calibrator': 'min-max', 'scheme': kind, 'granularity': 'tensor', 'settings': {'bits': str(of)}}
             for role, kind, of in (('activation', scheme, 16), ('weight', 'symmetric-restricted', bits))]
    path = folder / f'{name}.json'
    path.write_text(json.dumps({'id': name, 'title': name, 'rules': rules}))
    return path


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('calib')
    parser.add_argument('operators', nargs='*')
    parser.add_argument('--runner', default=f'node {RUNNER}')
    options = parser.parse_args()
    failed = []
    for name, case in CASES.items():
        if options.operators and name.split()[0] not in options.operators:
            continue
        with tempfile.TemporaryDirectory() as temporary:
            folder = pathlib.Path(temporary)
            network, weight = made(name, case)
            (folder / 'm.onnx').write_bytes(network)
            with h5py.File(folder / 'd.h5', 'w') as dump:
                x = dump.create_dataset('activations/x', data=floats(SAMPLES, 2, 6, 6))
                x.attrs['batch_size'] = SAMPLES
                x.attrs['op_type'] = 'Input'
                w = dump.create_dataset('weights/w', data=weight)
                w.attrs['op_type'] = 'Conv'
                w.attrs['channel_axis'] = 0

            def end(*words):
                done = subprocess.run([options.calib, 'improve', folder / 'd.h5', '--onnx', folder / 'm.onnx', '--end',
                                       folder / 'e.json', '--runner', options.runner, '--format', 'json', *words],
                                      stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
                return done.stderr if done.returncode else ''

            problem = end('--recipe-file', recipe(folder, 'fine', 'affine', 12))
            problem = problem or end('--recipe-file', recipe(folder, 'other', 'symmetric-full', 11), '--adjoint')
            ratios = []
            if not problem:
                for operand in json.loads((folder / 'e.json').read_text())['operands']:
                    for choice in operand['choices']:
                        problem += choice.get('why_not', '')
                        if 'adjoint' in choice and 'power' in choice:
                            ratios.append(sum(choice['adjoint']) / sum(choice['power']))
        good = len(ratios) == 2 and all(abs(ratio - 1) < 0.05 for ratio in ratios)
        print(f"{'' if good else 'WRONG '}{name}: {' '.join(f'{ratio:.4f}' for ratio in ratios)} {problem.strip()}", flush=True)
        if not good:
            failed.append(name)
    return bool(failed)


if __name__ == '__main__':
    sys.exit(main())
