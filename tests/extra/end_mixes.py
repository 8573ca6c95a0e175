#!/usr/bin/env python3
"""Predicted against measured ends of random mixes: what `calib improve --end` promises (resources/docs/improve.md).

    end_mixes.py CALIB DUMP MODEL [--folder FOLDER] [--runner COMMAND] [--samples N] [--mixes N] [--seed N] [--feed NAME=NUMBER]...

Measures each operand of MODEL alone with each of five recipes (min-max affine, min-max symmetric, percentile 99.9, mse
with weights of 6 bits, 16 bits with weights of 10; weights per channel or tensor), then draws mixes in which each operand has one of them or is float, predicts and
runs each, and prints error (predicted - measured), rank correlation, and how many lie in their interval. The table stays in
FOLDER, so another call continues. The exit code is 1 where the mean error is above 1 dB, its standard deviation above
2, or the rank correlation below 0.9.
"""
import argparse
import json
import math
import pathlib
import random
import subprocess
import sys
import tempfile

RUNNER = pathlib.Path(__file__).resolve().parent.parent.parent / 'resources/runners/onnxruntime_node.js'


def rules(calibrator, scheme, weights, bits=8, weight_bits=8, **settings):
    return [{'role': 'activation', 'calibrator': calibrator, 'scheme': scheme, 'granularity': 'tensor',
             'settings': {'bits': str(bits), **settings}},
            {'role': 'weight', 'calibrator': 'min-max', 'scheme': 'symmetric-restricted', 'granularity': weights,
             'settings': {'bits': str(weight_bits)}}]


RECIPES = {
    'affine': rules('min-max', 'affine', 'channel'),
    'symmetric': rules('min-max', 'symmetric-full', 'tensor'),
    'percentile': rules('percentile', 'symmetric-full', 'channel', alpha='99.9'),
    'coarse': rules('mse', 'symmetric-full', 'channel', 8, 6),
    'fine': rules('min-max', 'affine', 'channel', 16, 10),
}


def ranks(values):
    order = sorted(range(len(values)), key=lambda index: values[index])
    result = [0.0] * len(values)
    for rank, index in enumerate(order):
        result[index] = float(rank)
    return result


def mean(values):
    return sum(values) / len(values)


def deviation(values):
    return math.sqrt(sum((value - mean(values)) ** 2 for value in values) / (len(values) - 1))


def correlation(one, other):
    products = mean([(a - mean(one)) * (b - mean(other)) for a, b in zip(one, other)])
    return products / (deviation(one) * deviation(other)) * len(one) / (len(one) - 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('calib')
    parser.add_argument('dump')
    parser.add_argument('model')
    parser.add_argument('--folder')
    parser.add_argument('--runner', default=f'node {RUNNER}')
    parser.add_argument('--samples', type=int, default=8)
    parser.add_argument('--mixes', type=int, default=30)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--at', default='')
    parser.add_argument('--feed', action='append', default=[])
    options = parser.parse_args()
    temporary = tempfile.TemporaryDirectory()
    folder = pathlib.Path(options.folder or temporary.name)
    folder.mkdir(exist_ok=True)

    def calib(*words):
        done = subprocess.run([options.calib, *map(str, words)], stdout=subprocess.PIPE, text=True)
        if done.returncode not in (0, 3):
            sys.exit(f'calib failed: {words}')
        return done.stdout

    feeds = [word for feed in options.feed for word in ('--feed', feed)]

    def end(*words):
        return json.loads(calib('improve', options.dump, '--onnx', options.model, '--end', folder / 'end.json',
                                '--samples', options.samples, '--runner', options.runner, '--format', 'json',
                                *(['--at', options.at] if options.at else []), *feeds, *words))

    scales = {}
    for name, recipe in RECIPES.items():
        path = folder / f'{name}.json'
        path.write_text(json.dumps({'id': name, 'title': name, 'rules': recipe}))
        end('--recipe-file', path)
        [alone] = end('--recipe-file', path, '--predict')
        print(f"{name}: {alone['predicted_db']:.1f} dB predicted, {alone['measured_db']:.1f} measured", flush=True)
        written = json.loads(calib('scales', options.dump, '--recipe-file', path, '--rows', 'channel', '--format', 'json'))
        for outcome in written['outcomes']:
            scales.setdefault(outcome['tensor'], []).append(outcome)
    draw = random.Random(options.seed)
    predicted, measured, inside = [], [], 0
    for number in range(options.mixes):
        # Mixes of all kinds, from mostly the same choice to all of them alike.
        favour = draw.randrange(len(RECIPES))
        share = draw.random()
        chosen = []
        for outcomes in scales.values():
            pick = favour if draw.random() < share else draw.randrange(len(RECIPES) + 1)
            if pick < len(outcomes):
                chosen.append(outcomes[pick])
        path = folder / f'mix-{number}.json'
        path.write_text(json.dumps({'outcomes': chosen}))
        [row] = end('--scales', path, '--predict', '--measure', 1)
        predicted.append(float(row['predicted_db']))
        measured.append(float(row['measured_db']))
        inside += float(row['low_db']) <= measured[-1] <= float(row['high_db'])
        print(f"mix {number}: {predicted[-1]:.2f} predicted ({float(row['low_db']):.1f} to {float(row['high_db']):.1f}), "
              f"{measured[-1]:.2f} measured, {row['not_measured']} not measured", flush=True)
    errors = [a - b for a, b in zip(predicted, measured)]
    rank = correlation(ranks(predicted), ranks(measured))
    print(f'{len(errors)} mixes: mean error {mean(errors):.2f} dB, sd {deviation(errors):.2f}, largest '
          f'{max(map(abs, errors)):.2f}, Spearman {rank:.3f}, {inside} in their interval')
    return abs(mean(errors)) > 1.0 or deviation(errors) > 2.0 or rank < 0.9


if __name__ == '__main__':
    sys.exit(main())
