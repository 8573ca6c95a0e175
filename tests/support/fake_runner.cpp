// SPDX-License-Identifier: GPL-3.0-or-later
// A runner for tests that has no runtime: `fake_runner MODE JOB.json`. Output number p of the float
// model is the first feed times p + 1; the quantized model adds (p + 1) / 8 to that as written, and
// (p + 1) / 4 as fused, and draw d of it d times what it adds as written. Mode "worse": a model with
// improved constants adds twice as much. Mode "no-fused" fails as fused. Mode "linear" runs models of MatMul, Add, Sigmoid, Size and pairs of
// int8; "linear-no-draw" all but the second draw, and for "linear-no-add" an Add adds nothing; these and
// "linear-no-cut" run no cuts.
#include "core/base/whole_file.h"
#include "core/deploy/check/npy.h"
#include "core/deploy/check/runner_job.h"
#include "core/model/model_file.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <map>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <onnx/onnx_pb.h>
#include <unistd.h>

using namespace calibscope;
using namespace calibscope::deploy;
namespace fs = std::filesystem;

namespace {

NpyArray outputOf(const NpyArray& feed, const RunnerJob& job, std::size_t place,
                  const std::string& mode, bool isImproved)
{
    const auto factor = static_cast<float>(place + 1);
    const bool isFloat = job.model == "float.onnx";
    float added = isFloat ? 0.0F : (job.optimizes ? 0.25F : 0.125F);
    if (job.model.starts_with("draw-"))
        added *= std::stof(job.model.substr(5));
    if (mode == "worse" && isImproved)
        added *= 2.0F;
    if (isFloat && mode == "other")
        added = 0.5F;
    std::vector<float> values = floatsOf(feed);
    for (float& value : values)
        value = factor * (value + added);
    std::vector<std::uint64_t> shape = feed.shape;
    if (mode == "shape" && !isFloat) {
        shape.back() -= 1;
        values.resize(values.size() / feed.shape.back() * shape.back());
    }
    return npyArray(values, shape, mode == "half" ? NpyType::Float16 : NpyType::Float32);
}

struct RunTensor
{
    std::vector<std::uint64_t> shape;
    std::vector<float> values;
};
using RunTensors = std::map<std::string, RunTensor>;

/// What an operator makes of two numbers, the second one repeated.
float (*numberOf(const std::string& op))(float, float)
{
    if (op == "Mul")
        return [](float one, float other) { return one * other; };
    if (op == "Div")
        return [](float one, float other) { return one / other; };
    if (op == "Sub")
        return [](float one, float other) { return one - other; };
    if (op == "Round")
        return [](float one, float /*other*/) { return std::nearbyint(one); };
    return nullptr;
}

/// Operators that arrange values, of matrices and lists.
std::optional<RunTensor> arrangedBy(const onnx::NodeProto& node, const RunTensors& tensors)
{
    const std::string& op = node.op_type();
    const RunTensor& first = tensors.at(node.input(0));
    const auto numbersOf = [&](int input) { return tensors.at(node.input(input)).values; };
    if (op == "Shape")
        return RunTensor{.shape = {first.shape.size()},
                         .values = {first.shape.begin(), first.shape.end()}};
    if (op == "Slice")  // of a list, from its begin
        return RunTensor{.shape = {1}, .values = {first.values.front()}};
    if (op == "Clip") {
        RunTensor result = first;
        for (float& value : result.values)
            value = std::clamp(value, numbersOf(1).front(), numbersOf(2).front());
        return result;
    }
    if (op == "Transpose") {
        RunTensor result{.shape = {first.shape.at(1), first.shape.at(0)}, .values = {}};
        for (std::size_t column = 0; column < first.shape[1]; ++column)
            for (std::size_t row = 0; row < first.shape[0]; ++row)
                result.values.push_back(first.values[row * first.shape[1] + column]);
        return result;
    }
    if (op == "Concat") {
        RunTensor result{.shape = first.shape, .values = {}};
        result.shape[0] = 0;
        for (const std::string& name : node.input()) {
            const RunTensor& part = tensors.at(name);
            result.shape[0] += part.shape[0];
            result.values.insert(result.values.end(), part.values.begin(), part.values.end());
        }
        return result;
    }
    if (op == "Reshape") {
        RunTensor result{.shape = {}, .values = first.values};
        float known = 1.0F;
        for (const float length : numbersOf(1))
            known *= length > 0.0F ? length : 1.0F;
        for (const float length : numbersOf(1))
            result.shape.push_back(static_cast<std::uint64_t>(
                length > 0.0F ? length : static_cast<float>(result.values.size()) / known));
        return result;
    }
    if (op == "ReduceSum") {  // of rows
        RunTensor result{.shape = {first.shape.at(0), 1}, .values = {}};
        const std::size_t width = first.values.size() / first.shape[0];
        for (std::size_t begin = 0; begin < first.values.size(); begin += width)
            result.values.push_back(std::accumulate(
                first.values.begin() + static_cast<std::ptrdiff_t>(begin),
                first.values.begin() + static_cast<std::ptrdiff_t>(begin + width), 0.0F));
        return result;
    }
    return std::nullopt;
}

RunTensor outputOf(const onnx::NodeProto& node, const RunTensors& tensors, bool adds)
{
    RunTensor result = tensors.at(node.input(0));
    const std::string& op = node.op_type();
    if (op == "Size")
        return {.shape = {}, .values = {static_cast<float>(result.values.size())}};
    if (op == "Sigmoid") {
        for (float& value : result.values)
            value = 1.0F / (1.0F + std::exp(-value));
        return result;
    }
    if (op == "Add") {
        const std::vector<float>& behind = tensors.at(node.input(1)).values;
        for (std::size_t index = 0; adds && index < result.values.size(); ++index)
            result.values[index] += behind[index % behind.size()];  // along the last axis
        return result;
    }
    if (op == "MatMul") {
        const RunTensor& weight = tensors.at(node.input(1));
        const std::size_t depth = weight.shape.at(0);
        const std::size_t width = weight.shape.at(1);
        RunTensor product{.shape = {result.shape.at(0), width}, .values = {}};
        for (std::size_t row = 0; row < result.shape.at(0); ++row)
            for (std::size_t column = 0; column < width; ++column) {
                double sum = 0.0;
                for (std::size_t k = 0; k < depth; ++k)
                    sum += static_cast<double>(result.values[row * depth + k]) *
                           static_cast<double>(weight.values[k * width + column]);
                product.values.push_back(static_cast<float>(sum));
            }
        return product;
    }
    if (const std::optional<RunTensor> arranged = arrangedBy(node, tensors))
        return *arranged;
    if (const auto number = numberOf(op)) {
        const std::vector<float>& other =
            tensors.at(node.input(node.input_size() > 1 ? 1 : 0)).values;
        for (std::size_t index = 0; index < result.values.size(); ++index)
            result.values[index] = number(result.values[index], other[index % other.size()]);
        return result;
    }
    const bool quantizes = op == "QuantizeLinear";
    if (!quantizes && op != "DequantizeLinear")
        throw std::invalid_argument("no kernel for " + op);
    const std::vector<float>& scales = tensors.at(node.input(1)).values;
    const float zeroPoint = tensors.at(node.input(2)).values.front();
    for (std::size_t index = 0; index < result.values.size(); ++index) {
        float& value = result.values[index];
        const float scale = scales[index % scales.size()];  // along the last axis, or one
        value = quantizes ? std::clamp(std::nearbyint(value / scale) + zeroPoint, -128.0F, 127.0F)
                          : (value - zeroPoint) * scale;
    }
    return result;
}

/// Runs the model on the batch's feeds.
RunTensors runLinear(const fs::path& folder, const RunnerJob& job, const JobBatch& batch, bool adds)
{
    const auto model = model::ModelFile::read((folder / job.model).string());
    RunTensors tensors;
    for (std::size_t index = 0; index < model->tensors().size(); ++index)
        if (const model::GraphTensor& tensor = model->tensors()[index]; tensor.isConstant)
            tensors[tensor.name] = {.shape = tensor.shape, .values = model->values(index)};
    for (const JobTensor& feed : batch.feeds) {
        const NpyArray array = readNpy((folder / feed.file).string());
        tensors[feed.name] = {.shape = array.shape, .values = floatsOf(array)};
    }
    for (const onnx::NodeProto& node : model->proto().graph().node())
        tensors.try_emplace(node.output(0), outputOf(node, tensors, adds));
    return tensors;
}

/// Mode "rate": the second input is a single int64, 16000.
void requireRate(const NpyArray& rate)
{
    if (!rate.shape.empty() || rate.type != NpyType::Int64 || floatsOf(rate).front() != 16000.0F)
        throw std::invalid_argument("the second feed is not the single int64 16000");
}

int answer(const std::string& mode, const std::string& jobFile)
{
    const fs::path folder = fs::path(jobFile).parent_path();
    const RunnerJob job = parseJob(readWholeFile(jobFile), jobFile);
    if (mode == "no-fused" && job.optimizes)
        throw std::runtime_error("no fused kernel of 4 bits");
    if (mode.ends_with("no-draw") && job.model == "draw-2.onnx")
        throw std::runtime_error("no kernel for draws");
    if (mode.starts_with("linear-no-") && job.model.starts_with("cut-"))
        throw std::runtime_error("no kernel for weights that are fed");
    const bool isImproved =
        mode == "worse" &&
        readWholeFile((folder / job.model).string()).find("_improved") != std::string::npos;
    for (const JobBatch& batch : job.batches) {
        const NpyArray feed = readNpy((folder / batch.feeds.front().file).string());
        if (mode == "rate")
            requireRate(readNpy((folder / batch.feeds.at(1).file).string()));
        const bool isLinear = mode.starts_with("linear");
        const RunTensors tensors =
            isLinear ? runLinear(folder, job, batch, mode != "linear-no-add") : RunTensors{};
        for (std::size_t place = 0; place < batch.outputs.size(); ++place) {
            if (isLinear) {
                const RunTensor& output = tensors.at(batch.outputs[place].name);
                writeWholeFile((folder / batch.outputs[place].file).string(),
                               npyText(npyArray(output.values, output.shape, NpyType::Float32)));
                continue;
            }
            if (mode == "lacks" && place > 0)
                continue;
            const NpyArray output = outputOf(feed, job, place, mode, isImproved);
            writeWholeFile((folder / batch.outputs[place].file).string(),
                           mode == "text" || (mode == "text-draw" && job.model == "draw-2.onnx")
                               ? "no array"
                               : npyText(output));
        }
    }
    if (mode != "silent")
        writeWholeFile((folder / job.answer).string(),
                       "{\"runtime\": \"fake runner\", \"batch_seconds\": [0.25]}");
    return 0;
}

}  // namespace

int main(int argc, char** argv)
{
    const std::vector<std::string> words(argv, argv + argc);
    if (words.size() != 3)
        return 2;
    try {
        if (words[1] == "code") {
            std::fputs("no kernel for Foo\n", stderr);
            return 7;
        }
        if (words[1] == "hang")
            ::pause();
        return answer(words[1], words[2]);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
