#!/usr/bin/env node
// Runs a job of `calib check` with ONNX Runtime for Node.js:
//     calib check MODEL.onnx QUANTIZED.onnx DUMP --runner "node onnxruntime_node.js"
// Needs the package onnxruntime-node. Its native library lies in the package, so no script of it has to run:
//     npm install --ignore-scripts onnxruntime-node
// It is looked for in the working directory of the call, beside this file, and where NODE_PATH says.
'use strict';

const fs = require('node:fs');
const path = require('node:path');

// What NumPy, ONNX Runtime and JavaScript call a type of elements.
const types = [
    ['|b1', 'bool', Uint8Array],
    ['|i1', 'int8', Int8Array],
    ['<i2', 'int16', Int16Array],
    ['<i4', 'int32', Int32Array],
    ['<i8', 'int64', BigInt64Array],
    ['|u1', 'uint8', Uint8Array],
    ['<u2', 'uint16', Uint16Array],
    ['<u4', 'uint32', Uint32Array],
    ['<u8', 'uint64', BigUint64Array],
    ['<f2', 'float16', Uint16Array],
    ['<f4', 'float32', Float32Array],
    ['<f8', 'float64', Float64Array],
];

function loadRuntime() {
    try {
        return require(require.resolve('onnxruntime-node', { paths: [process.cwd(), __dirname] }));
    } catch (error) {
        if (error.code !== 'MODULE_NOT_FOUND') {
            throw error;
        }
        throw new Error('the package onnxruntime-node is not installed here; npm install --ignore-scripts onnxruntime-node',
                        { cause: error });
    }
}

function readArray(runtime, file) {
    const bytes = fs.readFileSync(file);
    const isLong = bytes[6] > 1;
    const start = isLong ? 12 : 10;
    const end = start + (isLong ? bytes.readUInt32LE(8) : bytes.readUInt16LE(8));
    const header = bytes.toString('latin1', start, end);
    const [, descr] = header.match(/'descr': '([^']*)'/);
    const [, shape] = header.match(/'shape': \(([^)]*)\)/);
    const dims = shape.split(',').map((length) => length.trim()).filter((length) => length !== '').map(Number);
    const type = types.find(([code]) => code === descr);
    // A copy, as an array's elements have to lie at a multiple of their size.
    const elements = new Uint8Array(bytes.subarray(end)).buffer;
    return new runtime.Tensor(type[1], new type[2](elements), dims);
}

function writeArray(file, name, tensor) {
    const type = types.find(([, text]) => text === tensor.type);
    if (!type) {
        throw new Error(`output ${name} is of type ${tensor.type}, which is not a number`);
    }
    const shape = tensor.dims.map((length) => `${length},`).join(' ');
    const start = `{'descr': '${type[0]}', 'fortran_order': False, 'shape': (${shape}), }`;
    const length = Math.ceil((10 + start.length + 1) / 64) * 64 - 10;
    const head = Buffer.alloc(10 + length, ' ');
    head.write('\x93NUMPY\x01\x00', 'latin1');
    head.writeUInt16LE(length, 8);
    head.write(`${start}`, 10, 'latin1');
    head.write('\n', 9 + length, 'latin1');
    const values = tensor.data;
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, Buffer.concat([head, Buffer.from(values.buffer, values.byteOffset, values.byteLength)]));
}

async function run(jobFile) {
    const job = JSON.parse(fs.readFileSync(jobFile, 'utf8'));
    if (job.format !== 'calibscope-runner-job' || job.version !== 1) {
        throw new Error('this runner knows jobs of version 1');
    }
    const inFolder = (file) => path.resolve(path.dirname(jobFile), file);
    const runtime = loadRuntime();
    const session = await runtime.InferenceSession.create(inFolder(job.model), {
        graphOptimizationLevel: job.optimize ? 'all' : 'disabled',
        executionProviders: ['cpu'],
        logSeverityLevel: 3,
    });
    const seconds = [];
    for (const batch of job.batches) {
        const feeds = {};
        for (const feed of batch.feeds) {
            feeds[feed.name] = readArray(runtime, inFolder(feed.file));
        }
        const start = process.hrtime.bigint();
        const outputs = await session.run(feeds, batch.outputs.map((output) => output.name));
        seconds.push(Number(process.hrtime.bigint() - start) / 1e9);
        for (const output of batch.outputs) {
            writeArray(inFolder(output.file), output.name, outputs[output.name]);
        }
    }
    const version = (runtime.env.versions || {}).node || '';
    fs.writeFileSync(inFolder(job.answer),
                     JSON.stringify({ runtime: `onnxruntime-node ${version}`.trim(), batch_seconds: seconds }));
}

if (process.argv.length !== 3) {
    console.error('usage: onnxruntime_node.js JOB.json');
    process.exit(2);
}
run(process.argv[2]).catch((error) => {
    console.error(`Error: ${error.message}`);
    process.exit(1);
});
