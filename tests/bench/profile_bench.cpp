// SPDX-License-Identifier: GPL-3.0-or-later
// What a profile for a file costs beside the passes that commands make over a dump: profile_bench
// DUMP [ROUNDS]. For each tensor the same histograms and percentiles, by turns: the passes alone
// (collectProfile, collectMore), the profile of one process (collectJoined, with its bytes), and of
// one that works by units of 64 MiB, as ranks do. Prints the medians of the processors' time, and
// of the ratios round by round. One thread.
#include "core/collect/at_once.h"
#include "core/collect/collect_joined.h"
#include "core/collect/collect_profile.h"
#include "core/dump/dump_file.h"
#include "core/spread/stored_profile.h"
#include "core/spread/tensor_sums.h"
#include "core/spread/unit_counts.h"
#include "core/stats/percentile.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

using namespace calibscope;

namespace {

double secondsOf(const auto& work)
{
    const std::clock_t begin = std::clock();
    work();
    return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

double median(std::vector<double> values)
{
    std::ranges::sort(values);
    return values[values.size() / 2];
}

CalibratorNeeds needsOf(const Extents& extents)
{
    CalibratorNeeds needs{
        .histograms = {{.growth = "fixed", .bins = 2048, .domain = Domain::Magnitude},
                       {.growth = "double", .bins = 2048, .domain = Domain::Magnitude},
                       {.growth = "redistribute", .bins = 512, .domain = Domain::Signed}},
        .orders = {}};
    for (const Domain domain : {Domain::Magnitude, Domain::Signed})
        for (const OrderRequest& order : percentileOrders(domain, extents.finite, 99.99))
            needs.orders.push_back(order);
    return needs;
}

std::size_t passes(const DumpFile& dump)
{
    std::size_t histograms = 0;
    for (std::size_t tensor = 0; tensor < dump.tensors().size(); ++tensor) {
        const ValueSource source = dump.source(tensor);
        TensorProfile profile = collectProfile(source);
        const CalibratorNeeds needs = needsOf(profile.extents());
        collectMore(profile, source, needs.histograms, needs.orders);
        histograms += profile.histograms.size();
    }
    return histograms;
}

std::vector<std::string> oneProcess(const DumpFile& dump)
{
    const std::uint64_t memoryBytes = DumpOptions{}.memoryBytes;
    std::vector<std::string> all;
    for (std::size_t tensor = 0; tensor < dump.tensors().size(); ++tensor) {
        spread::JoinedTensor joined;
        joined.info = dump.tensors()[tensor];
        joined.isConstant = !joined.info.batchAxis;
        joined.parts.emplace_back();
        std::vector<PartValues> parts;
        parts.push_back({.source = dump.source(tensor), .file = 0, .name = "dump"});
        all.push_back(bytesOf(collectJoined(joined, std::move(parts), needsOf, memoryBytes, {})));
    }
    return all;
}

std::vector<SampleRange> rangesOf(const DumpFile& dump, const TensorInfo& tensor)
{
    constexpr std::uint64_t unitBytes = std::uint64_t{64} << 20U;
    const std::uint64_t perCut = dump.samplesPerCut(tensor);
    const std::uint64_t samples = tensor.batchAxis ? tensor.sampleCount() : 0;
    if (perCut == 0 || samples == 0)
        return {{}};
    const std::uint64_t perSample = tensor.valuesPerSample() * sizeof(float);
    const std::uint64_t step =
        std::max<std::uint64_t>(unitBytes / (perCut * perSample), 1) * perCut;
    std::vector<SampleRange> ranges;
    for (std::uint64_t first = 0; first < samples; first += step)
        ranges.push_back({.first = first, .end = std::min(first + step, samples)});
    return ranges;
}

std::vector<std::string> byUnits(const DumpFile& dump)
{
    std::vector<std::string> all;
    for (const TensorInfo& tensor : dump.tensors()) {
        const TensorInfo visited = dump.source(tensor).info;
        const std::vector<SampleRange> ranges = rangesOf(dump, tensor);
        spread::TensorSums sums({visited});
        for (const SampleRange& range : ranges)
            sums.add(0, collectUnit(dump.source(tensor, 0, range)));
        const std::vector<std::uint64_t> files{0};
        spread::StoredProfile whole = sums.whole(visited, files, tensor.path);
        spread::UnitCounts counts(whole.whole.profile, needsOf(whole.whole.profile.extents()));
        for (const SampleRange& range : ranges)
            countPart(counts, dump.source(tensor, 0, range), 0, {});
        counts.finish(whole.whole.profile, tensor.path);
        all.push_back(bytesOf(whole));
    }
    return all;
}

}  // namespace

int main(int count, char** words)
{
    if (count < 2)
        return 2;
    const int rounds = count > 2 ? std::max(std::atoi(words[2]), 1) : 5;
    const ThreadLimit one(1);
    const auto dump = DumpFile::open(words[1]);
    std::vector<double> ofPasses;
    std::vector<double> ofProfile;
    std::vector<double> ofUnits;
    std::vector<double> profileRatios;
    std::vector<double> unitRatios;
    bool areEqual = true;
    std::size_t histograms = passes(*dump);  // warms what is read
    for (int round = 0; round < rounds; ++round) {
        std::vector<std::string> alone;
        std::vector<std::string> units;
        ofPasses.push_back(secondsOf([&] { histograms += passes(*dump); }));
        ofProfile.push_back(secondsOf([&] { alone = oneProcess(*dump); }));
        ofUnits.push_back(secondsOf([&] { units = byUnits(*dump); }));
        profileRatios.push_back(ofProfile.back() / ofPasses.back());
        unitRatios.push_back(ofUnits.back() / ofPasses.back());
        areEqual = areEqual && alone == units;
    }
    fmt::print("passes {:.3f} s, profile {:.3f} s ({:.3f}), by units {:.3f} s ({:.3f}); {}\n",
               median(ofPasses), median(ofProfile), median(profileRatios), median(ofUnits),
               median(unitRatios), areEqual && histograms > 0 ? "equal bytes" : "THE BYTES DIFFER");
    return areEqual ? 0 : 1;
}
