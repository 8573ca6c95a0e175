// SPDX-License-Identifier: GPL-3.0-or-later
// A runner for tests that has no runtime: `fake_runner MODE JOB.json`. Output number p of the float
// model is the first feed times p + 1; the quantized model adds (p + 1) / 8 to that as written, and
// (p + 1) / 4 as fused, and draw d of it d times what it adds as written. Mode "worse": a model with
// improved constants adds twice as much.
#include "core/base/whole_file.h"
#include "core/deploy/check/npy.h"
#include "core/deploy/check/runner_job.h"

#include <cstdio>
#include <exception>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

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
    if (mode == "no-draw" && job.model == "draw-2.onnx")
        throw std::runtime_error("no kernel for draws");
    const bool isImproved =
        mode == "worse" &&
        readWholeFile((folder / job.model).string()).find("_improved") != std::string::npos;
    for (const JobBatch& batch : job.batches) {
        const NpyArray feed = readNpy((folder / batch.feeds.front().file).string());
        if (mode == "rate")
            requireRate(readNpy((folder / batch.feeds.at(1).file).string()));
        for (std::size_t place = 0; place < batch.outputs.size(); ++place) {
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
