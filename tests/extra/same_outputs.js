// Whether two models compute the same: node same_outputs.js A.onnx B.onnx RUNS NAME=SHAPE|NAME=int64:N...
// Needs onnxruntime-node (NODE_PATH). Each input gets pseudo-random values, other ones for each of so many runs. Prints, as JSON,
// for no optimisation and for all: outputs, values, and how many of those differ in any bit.
"use strict";
const ort = require("onnxruntime-node");

const [first, second, runs, ...inputs] = process.argv.slice(2);

function random(state) {
    return () => (state = (Math.imul(state, 1103515245) + 12345) >>> 0) / 2 ** 31 - 1;
}

function feeds(run) {
    const next = random(1000003 * (run + 1));
    return Object.fromEntries(inputs.map((input) => {
        const [name, shape] = input.split("=");
        if (shape.startsWith("int64:"))
            return [name, new ort.Tensor("int64", [BigInt(shape.slice(6))], [])];
        const dims = shape.split("x").map(Number);
        const count = dims.reduce((product, length) => product * length, 1);
        return [name, new ort.Tensor("float32", Float32Array.from({length: count}, next), dims)];
    }));
}

function bytes(tensor) {
    return new Uint8Array(tensor.data.buffer, tensor.data.byteOffset, tensor.data.byteLength);
}

async function compare(level) {
    const options = {graphOptimizationLevel: level, logSeverityLevel: 3, intraOpNumThreads: 1};
    const one = await ort.InferenceSession.create(first, options);
    const other = await ort.InferenceSession.create(second, options);
    const found = {outputs: one.outputNames.length, values: 0, different: 0};
    if (one.outputNames.join() !== other.outputNames.join()) throw new Error("other outputs");
    for (let run = 0; run < Number(runs); ++run) {
        const results = [await one.run(feeds(run)), await other.run(feeds(run))];
        for (const name of one.outputNames) {
            const [left, right] = results.map((result) => result[name]);
            if (left.dims.join() !== right.dims.join()) throw new Error(`${name}: another shape`);
            const [a, b] = [left, right].map(bytes);
            const width = a.length / left.data.length;
            found.values += left.data.length;
            for (let place = 0; place < left.data.length; ++place)
                found.different += a.subarray(place * width, (place + 1) * width)
                    .some((byte, index) => byte !== b[place * width + index]) ? 1 : 0;
        }
    }
    return found;
}

(async () => {
    console.log(JSON.stringify({unoptimised: await compare("disabled"), optimised: await compare("all")}));
})().catch((error) => {
    console.error(error.message);
    process.exit(1);
});
