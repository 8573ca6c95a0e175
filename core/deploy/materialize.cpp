// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/deploy/materialize.h"

#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/deploy/names/placed_scales.h"
#include "core/dump/integer_file.h"
#include "core/layers/found_layers.h"
#include "core/model/widest_scale.h"
#include "core/quant/integers.h"
#include "core/quant/raised_scales.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

namespace calibscope::deploy {

namespace {

/// Integers of tensors up to that many values are made before any is written.
constexpr std::uint64_t mostHeld = std::uint64_t{64} << 20U;

[[noreturn]] void fail(const std::string& why)
{
    throw Error(Fault::Input, why);
}

std::string scaleProblem(float scale)
{
    const std::string text = numberText(static_cast<double>(scale));
    return "has the scale " + text + " in float32, which quantizes nothing";
}

void requireUsable(std::span<const float> scales)
{
    const auto bad = std::ranges::find_if_not(scales, isUsableScale);
    if (bad == scales.end())
        return;
    const std::string channel = scales.size() == 1
                                    ? std::string()
                                    : "channel " + std::to_string(bad - scales.begin()) + " ";
    fail(channel + scaleProblem(*bad));
}

/// The tensor with its values in the order of the file.
TensorInfo inFileOrder(TensorInfo info)
{
    info.batchAxis.reset();
    info.batchSize = 0;
    return info;
}

/// The integers of values of a weight as they come. Throws Error(Input) for NaN.
void convert(const Block& block, const TensorQuantization& quantization, const ChannelAxis& axis,
             std::vector<std::int8_t>& integers)
{
    if (std::ranges::any_of(block.values, [](float value) { return std::isnan(value); }))
        fail("holds NaN, which no integer represents");
    integers.resize(block.values.size());
    forEachRun(axis, block.firstIndex, block.values.size(),
               [&](std::size_t channel, std::uint64_t first, std::uint64_t count) {
                   const std::size_t done = first - block.firstIndex;
                   toIntegers(block.values.subspan(done, count), quantization.integerScale(channel),
                              std::span(integers).subspan(done, count));
               });
}

/// The decided tensors of one dump on their way into a file.
class DumpIntegers
{
public:
    DumpIntegers(const IntegerSource& source, const IntegerOptions& options, IntegerFile& file,
                 WrittenIntegers& written, const Progress& progress)
        : m_dump(*source.dump),
          m_tensors(source.tensors),
          m_options(options),
          m_file(file),
          m_written(written),
          m_progress(progress),
          m_layers(layers::biasedLayers(m_dump.tensors()))
    {
        for (const DecidedTensor& tensor : m_tensors)
            m_decided.emplace(tensor.info.path, &tensor);
    }

    void add()
    {
        for (const DecidedTensor& tensor : m_tensors) {
            m_notes = tensor.outcome.whole.notes;
            m_own.clear();
            const std::optional<std::string> problem = inputProblem([&] { add(tensor); });
            if (problem)
                m_written.problems.push_back(placeOf(tensor) + *problem);
        }
    }

private:
    [[nodiscard]] std::string placeOf(const DecidedTensor& tensor) const
    {
        return m_dump.identity().path + ":" + tensor.info.path + ": ";
    }

    void add(const DecidedTensor& tensor)
    {
        if (tensor.info.role == Role::Bias)
            fail("is a bias, which keeps its values: integer kernels hold it as int32");
        if (!tensor.info.isReadable())
            fail(tensor.info.unreadable.sentence);
        if (!m_file.takes(tensor.info.name))
            fail("is in the file already, or has no name that HDF5 takes: " +
                 IntegerFile::storedName(tensor.info.name));
        if (tensor.outcome.choice.scheme.kind == SchemeKind::AffineReal)
            fail("has a zero point that is not an integer, under the scheme affine-real");
        if (tensor.info.role == Role::Weight)
            addWeight(tensor);
        else
            addScales(tensor);
        for (const std::string& note : m_own)
            m_written.notes.push_back(placeOf(tensor) + note);
    }

    void note(std::string text)
    {
        if (text.empty())
            return;
        m_notes.push_back(text);
        m_own.push_back(std::move(text));
    }

    [[nodiscard]] Attributes attributesOf(const DecidedTensor& tensor,
                                          const TensorQuantization& stored) const
    {
        const Choice& choice = tensor.outcome.choice;
        Attributes all{{"bits", std::int64_t{choice.scheme.bits}},
                       {"scheme", std::string(schemeText(choice.scheme.kind))},
                       {"calibrator", choice.calibrator},
                       {"settings", choice.settings.toText()},
                       {"low_level", std::int64_t{stored.format.low()}},
                       {"high_level", std::int64_t{stored.format.high()}}};
        if (stored.axis)
            all["channel_axis"] = std::int64_t{*stored.axis};
        if (!tensor.graphName.empty())
            all["graph_name"] = tensor.graphName;
        std::string notes;
        for (const std::string& each : m_notes)
            notes += (notes.empty() ? "" : "; ") + each;
        if (!notes.empty())
            all["notes"] = notes;
        return all;
    }

    void addScales(const DecidedTensor& tensor)
    {
        const Outcome& outcome = tensor.outcome;
        const TensorQuantization stored = quantizationOf(tensor);
        requireUsable(stored.scales);
        Attributes attributes = attributesOf(tensor, stored);
        attributes["low"] = outcome.whole.quantizer.clip.low;
        attributes["high"] = outcome.whole.quantizer.clip.high;
        m_file.addScales(tensor.info.name, stored, attributes);
        ++m_written.activations;
    }

    [[nodiscard]] TensorQuantization quantizationOfWeight(const DecidedTensor& tensor)
    {
        model::TensorScales scales = modelScales(tensor, {});
        const NumberFormat& format = scales.quantization.format;
        if (format.low() < -128 || format.high() > 127)
            fail("has " + std::to_string(format.bits()) + " bits, and int8 holds 8");
        if (scales.quantization.group > 1)
            fail("has scales for groups, which this file does not tell (--onnx writes them)");
        requireUsable(scales.quantization.scales);
        if (!scales.roundsHalfEven)
            note("rounded half to even, as QuantizeLinear does");
        if (m_options.mostWeightLevel < 127)
            scales = model::withinLevels(scales, m_options.mostWeightLevel);
        raise(tensor, scales.quantization);
        requireUsable(scales.quantization.scales);
        return scales.quantization;
    }

    void raise(const DecidedTensor& tensor, TensorQuantization& raised)
    {
        RaisedScales all{.scales = raised.scales, .raised = {}};
        for (const layers::BiasedLayer& layer : m_layers) {
            if (m_dump.tensors()[layer.weight].path != tensor.info.path)
                continue;
            const std::optional<float> inputScale = scaleOfInput(layer);
            const TensorInfo& bias = m_dump.tensors()[layer.bias];
            const bool fits = bias.isReadable() && bias.valueCount() % raised.scales.size() == 0;
            if (!fits)
                note("its bias " + bias.name + " is left out of account: it has " +
                     countText(bias.valueCount(), "value", "values"));
            else if (inputScale)
                all.scales = raisedForBiases(all.scales, *inputScale,
                                             readAll(m_dump.source(inFileOrder(bias)), m_progress))
                                 .scales;
        }
        for (std::size_t i = 0; i < all.scales.size(); ++i)
            if (all.scales[i] > raised.scales[i])
                all.raised.push_back({.index = i, .from = raised.scales[i], .to = all.scales[i]});
        note(raisedNote(all));
        raised.scales = std::move(all.scales);
    }

    /// Only kernels whose input is quantized hold their bias as an integer.
    [[nodiscard]] std::optional<float> scaleOfInput(const layers::BiasedLayer& layer) const
    {
        const auto found = m_decided.find(m_dump.tensors()[layer.input].path);
        if (found == m_decided.end() || found->second->outcome.isPerChannel())
            return std::nullopt;
        const auto scale = static_cast<float>(found->second->outcome.whole.quantizer.scale);
        const bool isWide = found->second->outcome.choice.scheme.bits > 8;  // a float bias then
        return isUsableScale(scale) && !isWide ? std::optional(scale) : std::nullopt;
    }

    void addWeight(const DecidedTensor& tensor)
    {
        const TensorQuantization stored = quantizationOfWeight(tensor);
        const TensorInfo info = inFileOrder(tensor.info);
        const ChannelAxis axis = stored.axisIn(info.shape);
        const ValueSource source = m_dump.source(info);
        std::vector<std::int8_t> integers;
        std::vector<std::int8_t> held;
        const bool isHeld = info.valueCount() <= mostHeld;
        // What can't be made into integers has to be known before anything is written.
        source.visit(
            [&](const Block& block) {
                convert(block, stored, axis, integers);
                if (isHeld)
                    held.insert(held.end(), integers.begin(), integers.end());
            },
            m_progress);
        const IntegerFile::Writer writer =
            [&](const std::function<void(IntegerFile::Integers)>& write) {
                if (isHeld)
                    return write(held);
                source.visit(
                    [&](const Block& block) {
                        convert(block, stored, axis, integers);
                        write(integers);
                    },
                    m_progress);
            };
        m_file.addWeight(info.name, info.shape, stored, attributesOf(tensor, stored), writer);
        ++m_written.weights;
    }

    const DumpFile& m_dump;
    std::span<const DecidedTensor> m_tensors;
    const IntegerOptions& m_options;
    IntegerFile& m_file;
    WrittenIntegers& m_written;
    const Progress& m_progress;
    std::vector<layers::BiasedLayer> m_layers;
    std::map<std::string, const DecidedTensor*> m_decided;  ///< by path
    std::vector<std::string> m_notes;                       ///< of the tensor that is added
    std::vector<std::string> m_own;  ///< of these, what only its integers tell
};

Attributes rootAttributes(std::span<const IntegerSource> sources)
{
    Attributes root{{"format", std::string("calibration-quantized")},
                    {"format_version", std::int64_t{1}},
                    {"made_by", std::string("calibscope ") + CALIBSCOPE_VERSION}};
    std::vector<std::string> digests;
    for (const IntegerSource& source : sources)
        digests.push_back(source.sha256);
    if (digests.size() == 1)
        root["dump_sha256"] = digests.front();
    else
        root["dump_sha256"] = digests;
    return root;
}

}  // namespace

WrittenIntegers writeIntegers(std::span<const IntegerSource> sources, const IntegerOptions& options,
                              const std::string& path, const Progress& progress)
{
    WrittenIntegers written;
    IntegerFile file(path, rootAttributes(sources));
    for (const IntegerSource& source : sources)
        DumpIntegers(source, options, file, written, progress).add();
    if (options.endsReading)
        options.endsReading();
    if (written.weights + written.activations > 0)
        file.finish();
    else if (written.problems.empty())
        throw Error(Fault::Input, "nothing was decided: there are no integers to write");
    return written;
}

}  // namespace calibscope::deploy
