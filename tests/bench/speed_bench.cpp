// SPDX-License-Identifier: GPL-3.0-or-later
// Does one piece of the engine's work at a time and tells how long it took: the half of run.py that
// is ours. speed_bench FILE [TARGET] reads names of work from standard input, one a line, and answers
// each with the seconds and a number that shows what came of it; kernels use that instruction set.
// speed_bench without a file prints those of the processor, the widest first.
#include "core/calibrators/entropy/entropy_search.h"
#include "core/calibrators/l2/l2_iteration.h"
#include "core/calibrators/mse/mse_search.h"
#include "core/collect/encode_tensor.h"
#include "core/dump/dump_file.h"
#include "core/kernels/float_ends.h"
#include "core/kernels/targets.h"
#include "core/layers/products.h"
#include "core/stats/growth_rule.h"
#include "core/stats/largest_values.h"
#include "core/stats/percentile.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <iostream>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

using namespace calibscope;

namespace {

constexpr std::size_t rowValues = 4096;
constexpr std::size_t gramTokens = 1024;
constexpr std::size_t comparedRows = 256;  // as many as the peer works on

/// The largest value of a tensor of the file: reading it, and little else.
double scan(const DumpFile& dump, const std::string& name)
{
    float largest = -std::numeric_limits<float>::infinity();
    dump.source(dump.indexOf(name))
        .visit(
            [&](const Block& block) {
                largest = std::max(largest, kernels::floatEnds(block.values).greatest);
            },
            {});
    return static_cast<double>(largest);
}

std::vector<float> valuesOf(const DumpFile& dump, const std::string& name)
{
    std::vector<float> values;
    dump.source(dump.indexOf(name))
        .visit(
            [&](const Block& block) {
                values.insert(values.end(), block.values.begin(), block.values.end());
            },
            {});
    return values;
}

Histogram histogramOf(const std::vector<float>& values, const Extents& extents, int bins = 2048)
{
    const HistogramSpec spec{.growth = "fixed", .bins = bins, .domain = Domain::Magnitude};
    Histogram histogram = emptyHistogram(spec);
    growthRule(spec.growth).grow(histogram, extents, {}, extents);
    histogram.add(values);
    return histogram;
}

/// The 99.999th percentile of |x| from values in memory, in one pass: as a second pass over a
/// tensor finds it, that must count the finite values itself here.
double percentile(const std::vector<float>& values)
{
    constexpr double alpha = 99.999;
    const std::size_t most = values.size() - percentilePlace(values.size(), alpha).lower;
    LargestValues largest(ValueEnd::Magnitudes, most);
    largest.add(values);
    const std::vector<double> found = largest.values();
    const PercentilePlace place = percentilePlace(largest.finite(), alpha);
    const std::uint64_t last = largest.finite() - 1;
    return percentileBetween(found[last - place.lower], found[last - place.upper], place.fraction);
}

double bestThreshold(const Histogram& histogram)
{
    const HistogramMass mass(histogram, Density::Centre);
    std::vector<double> thresholds;
    for (std::size_t bin = 1; bin <= histogram.counts.size(); ++bin)
        thresholds.push_back(histogram.edge(bin));
    const std::vector<SplitError> errors = thresholdErrors(mass, {}, thresholds);
    const auto least = std::ranges::min_element(errors, {}, &SplitError::total);
    return thresholds[static_cast<std::size_t>(least - errors.begin())];
}

/// Sixteen updates of L2 from the largest magnitude on each row of 4096; the sum of the first new
/// float scales.
double l2Scales(const std::vector<float>& values)
{
    double sum = 0.0;
    for (std::size_t first = 0; first + rowValues <= values.size(); first += rowValues) {
        const auto row = std::span(values).subspan(first, rowValues);
        const ValueSource source = sourceOf({.shape = {rowValues}}, row);
        const Progress progress;
        const CalibratorValues held{
            .source = source, .memoryBytes = std::uint64_t{1} << 20, .progress = progress};
        ScaleSumSource sums(held, rowValues, LevelRule{});
        const kernels::FloatEnds ends = kernels::floatEnds(row);
        const double start =
            std::max(static_cast<double>(ends.greatest), -static_cast<double>(ends.least)) / 127.0;
        const L2Iteration found = iterateL2(sums, start, {.cap = 16});
        if (first / rowValues < comparedRows)
            sum += static_cast<double>(static_cast<float>(found.trace.scale.back()));
    }
    return sum;
}

double divergenceBin(const Histogram& histogram)
{
    const EntropySearch search =
        searchEntropy(histogram.counts, 127, histogram.counts.size() - 1, {.levels = 128}, {});
    return static_cast<double>(search.first + search.chosen.value_or(0));
}

/// The noise of the weights under a number format, in one pass.
double formatNoise(const std::vector<float>& values, const char* format)
{
    const MatrixShape rows{.outer = values.size() / rowValues, .length = rowValues};
    const TensorInfo info{.path = "weights", .shape = {rows.outer, rowValues}};
    const FormatErrors errors =
        encodeTensor(sourceOf(info, values), parseBlockFormat(format), rows);
    return errors.sums.squaredRounding + errors.sums.squaredClipping;
}

/// The trace of X^T X of `gramTokens` rows, in double.
double gram(const std::vector<float>& values)
{
    std::vector<double> columns(rowValues * gramTokens);
    for (std::size_t token = 0; token < gramTokens; ++token)
        for (std::size_t column = 0; column < rowValues; ++column)
            columns[column * gramTokens + token] =
                static_cast<double>(values[token * rowValues + column]);
    std::vector<double> sums(rowValues * rowValues);
    layers::addGram(columns.data(), rowValues, gramTokens, gramTokens, sums.data());
    double trace = 0.0;
    for (std::size_t column = 0; column < rowValues; ++column)
        trace += sums[column * rowValues + column];
    return trace;
}

}  // namespace

int main(int count, char** arguments)
{
    if (count == 1)
        for (const std::string& target : kernels::targets())
            std::cout << target << "\n";
    if (count != 2 && count != 3)
        return count == 1 ? 0 : 2;
    std::optional<kernels::UsedTarget> used;
    if (count == 3)
        used.emplace(arguments[2]);
    const auto dump = DumpFile::open(arguments[1]);
    const std::vector<float> values = valuesOf(*dump, "plain");
    const std::vector<float> weights = valuesOf(*dump, "weights");
    Moments moments;
    moments.add(values);
    const Histogram histogram = histogramOf(values, moments.extents);
    const Histogram finer = histogramOf(values, moments.extents, 8192);
    const std::map<std::string, std::function<double()>> works{
        {"statistics",
         [&] {
             Moments again;
             again.add(values);
             return again.sum;
         }},
        {"histogram",
         [&] { return static_cast<double>(histogramOf(values, moments.extents).counts[1]); }},
        {"percentile", [&] { return percentile(values); }},
        {"kl", [&] { return divergenceBin(histogram); }},
        {"mse", [&] { return bestThreshold(histogram); }},
        {"kl finer", [&] { return divergenceBin(finer); }},
        {"mse finer", [&] { return bestThreshold(finer); }},
        {"l2", [&] { return l2Scales(weights); }},
        {"mxfp4", [&] { return formatNoise(weights, "mxfp4"); }},
        {"int4-g128", [&] { return formatNoise(weights, "int4-g128"); }},
        {"gram", [&] { return gram(weights); }}};
    for (std::string line; std::getline(std::cin, line);) {
        const auto found = works.find(line);
        const auto begin = std::chrono::steady_clock::now();
        const double result = found == works.end() ? scan(*dump, line) : found->second();
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
        std::cout << fmt::format("{:.9f} {:.17g}", took.count(), result) << std::endl;
    }
    return 0;
}
