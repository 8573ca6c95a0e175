// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/deploy/check/check_steps.h"

#include "core/base/error.h"
#include "core/base/json_object.h"
#include "core/base/split_mix.h"
#include "core/base/whole_file.h"
#include "core/deploy/check/npy.h"
#include "core/quant/integers.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <span>
#include <utility>

namespace calibscope::deploy {

namespace {

using nlohmann::json;
namespace fs = std::filesystem;

/// An array of a run, as floats.
struct RunValues
{
    std::vector<std::uint64_t> shape;
    std::vector<float> values;

    /// Its parts of one sample each; all of it as one where its first axis is not the samples'.
    [[nodiscard]] std::vector<std::span<const float>> samples(std::uint64_t count) const
    {
        if (shape.empty() || shape.front() != count || count == 0)
            return {values};
        std::vector<std::span<const float>> parts;
        const std::size_t each = values.size() / count;
        for (std::uint64_t sample = 0; sample < count; ++sample)
            parts.push_back(std::span(values).subspan(sample * each, each));
        return parts;
    }
};

RunValues runValues(const std::string& folder, const std::string& file)
{
    const NpyArray array = readNpy((fs::path(folder) / file).string());
    return {.shape = array.shape, .values = floatsOf(array)};
}

/// The arrays of the runs over a group's batches.
class RunFiles
{
public:
    RunFiles(const CheckPlan& plan, std::string folder, const BatchGroup& group)
        : m_folder(std::move(folder)),
          m_float(jobOf(plan, CheckRun::Float, group.first, group.count)),
          m_written(jobOf(plan, CheckRun::Written, group.first, group.count)),
          m_fused(jobOf(plan, CheckRun::Fused, group.first, group.count)),
          m_draw(jobOf(plan, CheckRun::Draw, group.first, group.count))
    {}

    [[nodiscard]] RunValues feed(std::size_t batch, std::size_t place) const
    {
        return read(m_float.batches[batch].feeds[place]);
    }
    /// A number of values that the float model gave.
    [[nodiscard]] double size(std::size_t batch, std::size_t output) const
    {
        const std::vector<float> values = read(m_float.batches[batch].outputs[output]).values;
        return values.empty() ? 0.0 : static_cast<double>(values.front());
    }
    [[nodiscard]] RunValues output(CheckRun run, std::size_t batch, std::size_t place) const
    {
        const RunnerJob& job = run == CheckRun::Float     ? m_float
                               : run == CheckRun::Written ? m_written
                               : run == CheckRun::Fused   ? m_fused
                                                          : m_draw;
        return read(job.batches[batch].outputs[place]);
    }

private:
    [[nodiscard]] RunValues read(const JobTensor& tensor) const
    {
        return runValues(m_folder, tensor.file);
    }

    std::string m_folder;
    RunnerJob m_float;
    RunnerJob m_written;
    RunnerJob m_fused;
    RunnerJob m_draw;
};

void requireSameShape(const std::string& name, const RunValues& one, const RunValues& other)
{
    if (one.shape != other.shape)
        throw Error(Fault::Input,
                    "\"{}\" has shape {} in the float model's run and {} in the quantized one's: "
                    "are both of one model?",
                    name, shapeText(one.shape), shapeText(other.shape));
}

/// What the pair at a tensor makes of its values.
std::vector<float> quantizedAndBack(const std::string& name, const TensorQuantization& quantization,
                                    const RunValues& run)
{
    ChannelAxis scaled;
    if (quantization.axis) {
        const auto axis = axisFromFront(*quantization.axis, run.shape.size());
        if (!axis || run.shape[static_cast<std::size_t>(*axis)] != quantization.scales.size())
            throw Error(Fault::Input,
                        "\"{}\" has {} scales along an axis that is not of this length", name,
                        quantization.scales.size());
        scaled = axisWithin(run.shape, *axis);
    }
    std::vector<float> values = run.values;
    forEachRun(scaled, 0, values.size(),
               [&](std::size_t channel, std::uint64_t first, std::uint64_t count) {
                   const IntegerScale scale = quantization.integerScale(channel);
                   for (float& value : std::span(values).subspan(first, count))
                       if (!std::isnan(value))
                           value = fromInteger(integerOf(value, scale), scale);
               });
    return values;
}

/// Values as the quantized model has them, whose channels were divided.
RunValues timesChannels(const ProbedTensor& tensor, RunValues run)
{
    if (tensor.times.empty())
        return run;
    const std::size_t axis = tensor.areLast ? run.shape.size() - 1 : 1;
    if (run.shape.size() < 2 || run.shape[axis] != tensor.times.size())
        throw Error(Fault::Input, "\"{}\" has shape {}, and factors for {} channels", tensor.name,
                    shapeText(run.shape), tensor.times.size());
    forEachRun(axisWithin(run.shape, static_cast<int>(axis)), 0, run.values.size(),
               [&](std::size_t channel, std::uint64_t first, std::uint64_t count) {
                   for (float& value : std::span(run.values).subspan(first, count))
                       value *= tensor.times[channel];
               });
    return run;
}

/// Means of one sample's channels.
std::vector<double> meansOf(const ProbedTensor& tensor, std::span<const float> sample,
                            const ChannelAxis& axis, bool isQuantized)
{
    std::vector<double> sums(axis.channels, 0.0);
    forEachRun(axis, 0, sample.size(),
               [&](std::size_t channel, std::uint64_t first, std::uint64_t count) {
                   for (const float value : sample.subspan(first, count))
                       sums[channel] += static_cast<double>(value);
               });
    const auto positions = static_cast<double>(sample.size()) / static_cast<double>(sums.size());
    for (std::size_t channel = 0; channel < sums.size(); ++channel) {
        sums[channel] /= positions;
        if (isQuantized && !tensor.times.empty())
            sums[channel] /= static_cast<double>(tensor.times.at(channel));
        if (!std::isfinite(sums[channel]))
            throw Error(Fault::Input, "\"{}\" is NaN or infinite in one model", tensor.name);
    }
    return sums;
}

void compareSamples(const RunValues& reference, const RunValues& other, std::uint64_t count,
                    std::vector<SampleSums>& sums)
{
    const auto references = reference.samples(count);
    const auto others = other.samples(count);
    for (std::size_t sample = 0; sample < references.size(); ++sample)
        sums.push_back(sampleSums(references[sample], others[sample]));
}

void compareClasses(const RunValues& reference, const RunValues& other, std::uint64_t count,
                    const ClassMask& mask, std::span<SampleSums> sums)
{
    const std::size_t rank = reference.shape.size();
    if (rank < 2 || rank > 3 || reference.shape.back() < 2)
        return;
    const auto references = reference.samples(count);
    const auto others = other.samples(count);
    for (std::size_t sample = 0; sample < references.size(); ++sample)
        countSameArgmax(references[sample], others[sample], reference.shape.back(), mask,
                        sums[sample]);
}

void compareOutput(const std::string& name, const RunValues& reference, const RunValues& other,
                   std::uint64_t count, const ClassMask& mask, std::vector<SampleSums>& sums)
{
    requireSameShape(name, reference, other);
    const std::size_t before = sums.size();
    compareSamples(reference, other, count, sums);
    compareClasses(reference, other, count, mask, std::span(sums).subspan(before));
}

/// Adds the differences of a batch to the parts into which they fall.
void addDirection(const RunValues& reference, const RunValues& other, std::size_t batch,
                  std::vector<double>& parts)
{
    parts.resize(directionParts);
    const std::uint64_t begin = mixed(batch);
    for (std::size_t index = 0; index < reference.values.size(); ++index) {
        const std::uint64_t number = mixed(begin + index);
        const double error =
            static_cast<double>(other.values[index]) - static_cast<double>(reference.values[index]);
        if (std::isfinite(error))
            parts[number % directionParts] += (number >> 63U) != 0 ? error : -error;
    }
}

CheckSums emptySums(const CheckPlan& plan)
{
    const std::size_t outputs = plan.outputs.size();
    const std::size_t tensors = plan.tensors.size();
    return {.recorded = CheckSums::OfEach(outputs),
            .written = CheckSums::OfEach(outputs),
            .fused = CheckSums::OfEach(outputs),
            .own = CheckSums::OfEach(tensors),
            .running = CheckSums::OfEach(tensors)};
}

/// What was recorded of a range of samples.
std::vector<float> recordedSamples(const DumpFile& dump, std::size_t tensor, std::uint64_t first,
                                   std::uint64_t count, const Progress& progress)
{
    const std::uint64_t perSample = dump.tensors()[tensor].valuesPerSample();
    const std::uint64_t begin = first * perSample;
    const std::uint64_t end = begin + count * perSample;
    std::vector<float> values;
    values.reserve(end - begin);
    TensorInfo all = dump.tensors()[tensor];
    all.mask.reset();
    dump.source(all).visit(
        [&](const Block& block) {
            const std::uint64_t from = std::max(begin, block.firstIndex);
            const std::uint64_t to = std::min(end, block.firstIndex + block.values.size());
            if (from < to) {
                const auto part = block.values.subspan(from - block.firstIndex, to - from);
                values.insert(values.end(), part.begin(), part.end());
            }
        },
        progress);
    return values;
}

json sumsJson(const CheckSums::OfEach& ofEach)
{
    json list = json::array();
    for (const std::vector<SampleSums>& samples : ofEach) {
        json values = json::array();
        for (const SampleSums& sums : samples)
            values.push_back({{"count", sums.count},
                              {"reference", numberValue(sums.reference)},
                              {"other", numberValue(sums.other)},
                              {"product", numberValue(sums.product)},
                              {"noise", numberValue(sums.noise)},
                              {"abs_noise", numberValue(sums.absNoise)},
                              {"max_noise", numberValue(sums.maxNoise)},
                              {"not_finite", sums.notFinite},
                              {"rows", sums.rows},
                              {"same_rows", sums.sameRows}});
        list.push_back({{"samples", std::move(values)}});
    }
    return list;
}

CheckSums::OfEach sumsOf(const JsonObject& object, const char* key)
{
    CheckSums::OfEach ofEach;
    object.list(key, [&](const JsonObject& each) {
        ofEach.emplace_back();
        each.list("samples", [&](const JsonObject& sums) {
            ofEach.back().push_back({.count = sums.count("count"),
                                     .reference = sums.number("reference"),
                                     .other = sums.number("other"),
                                     .product = sums.number("product"),
                                     .noise = sums.number("noise"),
                                     .absNoise = sums.number("abs_noise"),
                                     .maxNoise = sums.number("max_noise"),
                                     .notFinite = sums.count("not_finite"),
                                     .rows = sums.count("rows"),
                                     .sameRows = sums.count("same_rows")});
        });
    });
    return ofEach;
}

/// The samples of all groups of one output or tensor.
Agreement agreementOver(const std::vector<CheckSums>& groups, CheckSums::OfEach CheckSums::*part,
                        std::size_t place)
{
    std::vector<SampleSums> all;
    for (const CheckSums& sums : groups)
        all.insert(all.end(), (sums.*part).at(place).begin(), (sums.*part).at(place).end());
    return agreementOf(all);
}

std::vector<TensorCheck> tensorsOf(const CheckPlan& plan, const std::vector<CheckSums>& groups)
{
    std::vector<std::pair<std::int64_t, TensorCheck>> ordered;
    for (std::size_t place = 0; place < plan.tensors.size(); ++place) {
        const ProbedTensor& tensor = plan.tensors[place];
        const Agreement own = agreementOver(groups, &CheckSums::own, place);
        const Agreement running = agreementOver(groups, &CheckSums::running, place);
        ordered.emplace_back(tensor.order, TensorCheck{.name = tensor.name,
                                                       .op = tensor.op,
                                                       .ownDb = own.sqnrDb,
                                                       .outputSqnrDb = tensor.outputSqnrDb,
                                                       .runningDb = running.sqnrDb,
                                                       .medianDb = running.medianDb,
                                                       .leastDb = running.leastDb,
                                                       .maxError = running.maxError,
                                                       .samples = running.samples});
    }
    for (const ProbedWeight& weight : plan.weights)
        ordered.emplace_back(weight.order, weight.figures);
    std::ranges::stable_sort(ordered, {}, &std::pair<std::int64_t, TensorCheck>::first);
    std::vector<TensorCheck> tensors;
    for (auto& [order, tensor] : ordered)
        tensors.push_back(std::move(tensor));
    const std::vector<std::optional<double>> drops = dropsOf(tensors);
    for (std::size_t index = 0; index < tensors.size(); ++index)
        tensors[index].dropDb = drops[index];
    return tensors;
}

}  // namespace

std::string sumsText(const CheckSums& sums)
{
    return json{{"recorded", sumsJson(sums.recorded)},
                {"written", sumsJson(sums.written)},
                {"fused", sumsJson(sums.fused)},
                {"own", sumsJson(sums.own)},
                {"running", sumsJson(sums.running)},
                {"direction", sums.direction},
                {"sizes", sums.sizes}}
        .dump();
}

CheckSums parseSums(const std::string& text, const std::string& origin)
{
    const json value = parseJson(text, origin);
    const JsonObject object(value, origin);
    return {.recorded = sumsOf(object, "recorded"),
            .written = sumsOf(object, "written"),
            .fused = sumsOf(object, "fused"),
            .own = sumsOf(object, "own"),
            .running = sumsOf(object, "running"),
            .direction = object.numbers("direction"),
            .sizes = object.numbers("sizes")};
}

CheckSums compareWithRecording(const CheckPlan& plan, const DumpFile& dump,
                               const std::string& folder, const BatchGroup& group,
                               const Progress& progress)
{
    CheckSums sums = emptySums(plan);
    const RunFiles files(plan, folder, group);
    for (std::size_t place = 0; place < plan.outputs.size(); ++place) {
        const PlannedOutput& output = plan.outputs[place];
        if (!output.recorded || *output.recorded >= dump.tensors().size())
            continue;
        for (std::size_t batch = 0; batch < group.count; ++batch) {
            const CheckBatch& samples = plan.batches[group.first + batch];
            const RunValues run = files.output(CheckRun::Float, batch, place);
            const RunValues recorded{.shape = run.shape,
                                     .values =
                                         recordedSamples(dump, *output.recorded, samples.first,
                                                         samples.count, progress)};
            if (recorded.values.size() != run.values.size())
                throw Error(Fault::Input,
                            "{}: does not compute what was recorded: \"{}\" has {} values in a "
                            "batch where {} were recorded",
                            plan.model, output.name, run.values.size(), recorded.values.size());
            compareSamples(recorded, run, samples.count, sums.recorded[place]);
        }
        const std::optional<std::string> sentence = otherModelSentence(
            plan.model, output.name, agreementOf(sums.recorded[place]).sqnrDb, output.isHalf);
        if (sentence)
            throw Error(Fault::Input, *sentence);
    }
    return sums;
}

CheckSums compareRuns(const CheckPlan& plan, const std::string& folder, const BatchGroup& group,
                      const ClassMask& classes, bool hasFused, const Progress& progress)
{
    CheckSums sums = emptySums(plan);
    const RunFiles files(plan, folder, group);
    for (std::size_t batch = 0; batch < group.count; ++batch) {
        const std::uint64_t count = plan.batches[group.first + batch].count;
        for (std::size_t place = 0; place < plan.outputs.size(); ++place) {
            progress.step(place, plan.outputs.size(), "");
            const PlannedOutput& output = plan.outputs[place];
            if (!plan.isCompared(output) || plan.quantized.empty())
                continue;
            const RunValues reference = files.output(CheckRun::Float, batch, place);
            const RunValues written = files.output(CheckRun::Written, batch, place);
            compareOutput(output.name, reference, written, count, classes, sums.written[place]);
            if (plan.judgesEnds)
                addDirection(reference, written, group.first + batch, sums.direction);
            if (hasFused)
                compareOutput(output.name, reference, files.output(CheckRun::Fused, batch, place),
                              count, classes, sums.fused[place]);
        }
        sums.sizes.resize(plan.sized.size());
        for (std::size_t sized = 0; sized < plan.sized.size(); ++sized)
            sums.sizes[sized] += files.size(batch, plan.outputs.size() + sized);
        for (std::size_t place = 0; place < plan.tensors.size(); ++place) {
            progress.step(place, plan.tensors.size(), "");
            const ProbedTensor& tensor = plan.tensors[place];
            const RunValues reference = timesChannels(
                tensor, tensor.isInput ? files.feed(batch, tensor.place)
                                       : files.output(CheckRun::Float, batch, tensor.place));
            const RunValues other =
                tensor.isInput ? reference : files.output(CheckRun::Written, batch, tensor.place);
            requireSameShape(tensor.name, reference, other);
            compareSamples(reference, other, count, sums.running[place]);
            compareSamples(
                reference,
                {.shape = reference.shape,
                 .values = quantizedAndBack(tensor.name, tensor.quantization, reference)},
                count, sums.own[place]);
        }
    }
    return sums;
}

CheckSums compareDraw(const CheckPlan& plan, const std::string& folder, const BatchGroup& group,
                      const ClassMask& classes, const Progress& progress)
{
    CheckSums sums{.written = CheckSums::OfEach(plan.outputs.size())};
    const RunFiles files(plan, folder, group);
    for (std::size_t batch = 0; batch < group.count; ++batch)
        for (std::size_t output = 0; output < plan.outputs.size(); ++output) {
            progress.step(output, plan.outputs.size(), "");
            if (!plan.isCompared(plan.outputs[output]))
                continue;
            const RunValues reference = files.output(CheckRun::Float, batch, output);
            const RunValues drawn = files.output(CheckRun::Draw, batch, output);
            compareOutput(plan.outputs[output].name, reference, drawn,
                          plan.batches[group.first + batch].count, classes, sums.written[output]);
            if (plan.judgesEnds)
                addDirection(reference, drawn, group.first + batch, sums.direction);
        }
    return sums;
}

void quantizeOperands(const CheckPlan& plan, const std::string& folder, const BatchGroup& group)
{
    for (std::size_t cut = 0; cut < plan.cuts.size(); ++cut)
        for (std::size_t index = 0; index < plan.cuts[cut].operands.size(); ++index) {
            const PlannedOperand& operand = plan.cuts[cut].operands[index];
            for (std::size_t batch = group.first;
                 !operand.isWeight && batch < group.first + group.count; ++batch) {
                const RunValues run = runValues(folder, floatFile(plan, batch, operand.tensor));
                const std::vector<float> values =
                    quantizedAndBack(operand.tensor, operand.quantization, run);
                writeWholeFile(
                    (fs::path(folder) / operandFile(plan, cut, index, batch, true)).string(),
                    npyText(npyArray(values, run.shape, NpyType::Float32)), {.isSynced = false});
            }
        }
}

CheckSums compareCut(const CheckPlan& plan, std::size_t cut, std::size_t operand,
                     const std::string& folder, const BatchGroup& group, const ClassMask& classes)
{
    CheckSums sums{.written = CheckSums::OfEach(plan.outputs.size())};
    const RunnerJob job = cutJobOf(plan, cut, group.first, group.count);
    for (std::size_t batch = 0; batch < group.count; ++batch)
        for (const JobTensor& output : job.batches.at(operand * group.count + batch).outputs) {
            const auto index = static_cast<std::size_t>(
                std::ranges::find(plan.outputs, output.name, &PlannedOutput::name) -
                plan.outputs.begin());
            const RunValues reference =
                runValues(folder, floatFile(plan, group.first + batch, output.name));
            const RunValues values = runValues(folder, output.file);
            compareOutput(output.name, reference, values, plan.batches[group.first + batch].count,
                          classes, sums.written.at(index));
            addDirection(reference, values, group.first + batch, sums.direction);
        }
    return sums;
}

std::size_t writeVectors(const CheckPlan& plan, const std::string& folder, const BatchGroup& group)
{
    std::size_t vectors = 0;
    for (std::size_t batch = group.first; batch < group.first + group.count; ++batch) {
        const std::uint64_t count = plan.batches[batch].count;
        const RunValues end = runValues(folder, floatFile(plan, batch, plan.adjoint.end));
        if (end.shape.empty() || end.shape.front() != count)
            throw Error(Fault::Input, "\"{}\": its first axis is not that of the samples",
                        plan.adjoint.end);
        const std::uint64_t each = end.values.size() / count;
        if (batch == group.first)
            vectors = std::min<std::size_t>(each, mostVectors);
        for (std::size_t vector = 0; vector < vectors; ++vector) {
            std::vector<float> values(each * count);
            const std::uint64_t begin = mixed(batch * mostVectors + vector);
            for (std::size_t index = 0; index < values.size(); ++index)
                values[index] = vectors == mostVectors
                                    ? ((mixed(begin + index) >> 63U) != 0 ? 1.0F : -1.0F)
                                    : (index % each == vector ? 1.0F : 0.0F);
            writeWholeFile((fs::path(folder) / vectorFile(batch, vector)).string(),
                           npyText(npyArray(values, end.shape, NpyType::Float32)),
                           {.isSynced = false});
        }
    }
    return vectors;
}

std::vector<std::vector<double>> adjointPowers(const CheckPlan& plan, const std::string& folder,
                                               const BatchGroup& group, std::size_t vectors)
{
    const auto rows = static_cast<std::size_t>(std::ranges::count_if(
        plan.adjoint.products, [](const PlannedProduct& each) { return each.whyNot.empty(); }));
    std::vector<std::vector<double>> powers(rows);
    const double share = vectors == mostVectors ? 1.0 / static_cast<double>(vectors) : 1.0;
    for (std::size_t batch = group.first; batch < group.first + group.count; ++batch) {
        const std::uint64_t count = plan.batches[batch].count;
        const std::size_t first = powers.empty() ? 0 : powers.front().size();
        for (std::vector<double>& power : powers)
            power.resize(first + count);
        for (std::size_t vector = 0; vector < vectors; ++vector) {
            const RunValues run = runValues(folder, productFile(batch, vector));
            if (run.values.size() != rows * count)
                throw Error(Fault::Input, "the way back gave {} values for {} choices, {} samples",
                            run.values.size(), rows, count);
            for (std::size_t index = 0; index < run.values.size(); ++index) {
                const auto value = static_cast<double>(run.values[index]);
                if (!std::isfinite(value))
                    throw Error(Fault::Input, "the way back gives NaN or infinities");
                powers[index / count][first + index % count] += share * value * value;
            }
        }
    }
    return powers;
}

std::vector<ChannelMeans> channelMeans(const CheckPlan& plan, CheckRun run,
                                       const std::string& folder, const BatchGroup& group)
{
    std::vector<ChannelMeans> means(plan.tensors.size());
    const RunFiles files(plan, folder, group);
    for (std::size_t batch = 0; batch < group.count; ++batch)
        for (std::size_t index = 0; index < plan.tensors.size(); ++index) {
            const ProbedTensor& tensor = plan.tensors[index];
            const std::uint64_t count = plan.batches[group.first + batch].count;
            const RunValues values = files.output(run, batch, tensor.place);
            const std::size_t rank = values.shape.size();
            if (rank < 2 || values.shape.front() != count)
                throw Error(Fault::Input,
                            "\"{}\" has shape {}: its first axis is not that of the samples",
                            tensor.name, shapeText(values.shape));
            const std::size_t axis = tensor.areLast ? rank - 1 : 1;
            for (const std::span<const float> sample : values.samples(count))
                means[index].push_back(meansOf(tensor, sample,
                                               axisWithin(values.shape, static_cast<int>(axis)),
                                               run == CheckRun::Written));
        }
    return means;
}

std::string meansText(const std::vector<ChannelMeans>& means)
{
    return json(means).dump();
}

std::vector<ChannelMeans> parseMeans(const std::string& text, const std::string& origin)
{
    try {
        return parseJson(text, origin).get<std::vector<ChannelMeans>>();
    } catch (const json::exception& error) {
        throw Error(Fault::Input, "{}: {}", origin, error.what());
    }
}

CheckReport reportOf(const CheckPlan& plan, const std::vector<CheckSums>& groups,
                     const std::vector<DrawSums>& draws, const std::string& fusedFailure)
{
    CheckReport report{.model = plan.model,
                       .quantized = plan.quantized,
                       .dump = plan.dump,
                       .samples = plan.samples(),
                       .notes = plan.notes};
    for (std::size_t place = 0; place < plan.outputs.size(); ++place) {
        const PlannedOutput& output = plan.outputs[place];
        if (!output.isOutput)
            continue;
        OutputCheck check{.name = output.name, .op = output.op};
        check.recordedDb = agreementOver(groups, &CheckSums::recorded, place).sqnrDb;
        check.asWritten = agreementOver(groups, &CheckSums::written, place);
        if (fusedFailure.empty())
            check.asFused = agreementOver(groups, &CheckSums::fused, place);
        for (std::size_t draw = 0; draw < draws.size(); ++draw)
            if (draws[draw].failure.empty())
                check.draws.push_back(
                    {.draw = draw + 1,
                     .agreement = agreementOver(draws[draw].groups, &CheckSums::written, place)});
        check.drawSummary = drawSummaryOf(check.draws);
        if (const std::optional<std::string> sentence = fusedSentence(check))
            report.notes.push_back(*sentence);
        if (check.asWritten.notFinite > 0)
            report.notes.push_back("output \"" + output.name +
                                   "\": " + std::to_string(check.asWritten.notFinite) +
                                   " values are NaN or infinite in one model only");
        report.outputs.push_back(std::move(check));
    }
    if (!fusedFailure.empty())
        report.notes.push_back("as fused the quantized model was not run, so only what it gives as "
                               "written is known: " +
                               fusedFailure);
    for (std::size_t draw = 0; draw < draws.size(); ++draw)
        if (!draws[draw].failure.empty())
            report.notes.push_back("draw " + std::to_string(draw + 1) +
                                   " failed: " + draws[draw].failure);
    report.tensors = tensorsOf(plan, groups);
    return report;
}

}  // namespace calibscope::deploy
