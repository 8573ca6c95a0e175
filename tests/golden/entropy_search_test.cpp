// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/entropy/entropy_search.h"
#include "core/collect/collect_profile.h"
#include "core/dump/dump_file.h"
#include "core/stats/growth_rule.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <limits>

namespace golden_entropy_search_test {

using namespace calibscope;

// Recorded tensors have what drawn histograms lack: spikes at 0, lattices, empty stretches, ties.

std::vector<HistogramSpec> specs()
{
    std::vector<HistogramSpec> all;
    for (const GrowthRule& rule : growthRules())
        for (const int bins : {160, 512})
            all.push_back({.growth = std::string(rule.id), .bins = bins});
    return all;
}

std::vector<EntropyRule> rules()
{
    return {{.levels = 127},
            {.levels = 127, .outliersInQ = false},
            {.levels = 127, .emptyBins = EmptyBins::Spread},
            {.levels = 127, .outliersInQ = false, .emptyBins = EmptyBins::Spread},
            {.levels = 128,
             .outliersInQ = false,
             .emptyBins = EmptyBins::Spread,
             .levelsByEdge = true}};
}

/// Whether both forms choose the same trial, the first of the least.
bool choosesAsPlain(const std::vector<std::uint64_t>& counts, const EntropyRule& rule)
{
    const std::size_t last = counts.size() - 1;
    const EntropySearch found = searchEntropy(counts, rule.levels, last, rule, {});
    const std::vector<FilledBin> filled = filledBins(counts);
    std::size_t best = last + 1;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t candidate = rule.levels; candidate <= last; ++candidate) {
        const double divergence = plainDivergence(filled, candidate, rule);
        if (divergence < least) {
            least = divergence;
            best = candidate;
        }
    }
    return found.chosen ? *found.chosen + rule.levels == best : best == last + 1;
}

TEST_CASE("the fast search chooses the plain form's bin on histograms of recorded tensors")
{
    const auto dump = DumpFile::open(CALIBSCOPE_SOURCE_DIR "/resources/sample/sample.h5");
    std::size_t histograms = 0;
    for (std::size_t index = 0; index < dump->tensors().size(); ++index) {
        const ValueSource source = dump->source(index);
        TensorProfile profile = collectProfile(source);
        collectMore(profile, source, specs(), {});
        for (const Histogram& histogram : profile.histograms) {
            INFO(source.info.name << " " << histogramText(histogram.spec));
            if (histogram.counts.size() > 2048)
                continue;  // the plain form costs the square of the bins
            ++histograms;
            for (const EntropyRule& rule : rules())
                CHECK(choosesAsPlain(histogram.counts, rule));
        }
    }
    CHECK(histograms >= 200);
}

}  // namespace golden_entropy_search_test
