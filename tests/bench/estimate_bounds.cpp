// SPDX-License-Identifier: GPL-3.0-or-later
// How far estimates from the sketch are off, how wide their bounds are, and that these hold: on all
// tensors of the dumps that are named, and on lattice data, under the candidates of all recipes.
// cmake --build --preset dev --target estimate_bounds && .build/dev/bin/estimate_bounds FILE...
#include "core/dump/dump_file.h"
#include "tests/support/bounded_pairs.h"
#include "tests/support/candidate_quantizers.h"
#include "tests/support/dump_values.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>
#include <span>

using namespace calibscope;
using namespace calibscope::test;

namespace {

constexpr std::array bits = {4, 5, 6, 7, 8, 9, 10, 12, 14, 16};

void addFile(BoundedPairs& found, const std::string& file)
{
    const auto dump = DumpFile::open(file);
    const Consumers consumers(dump->tensors());
    for (std::size_t index = 0; index < dump->tensors().size(); ++index) {
        if (!dump->tensors()[index].isReadable())
            continue;
        const ValueSource source = dump->source(index);
        found.add(file + ":" + source.info.name, valuesOf(source),
                  candidateQuantizers(source, consumers, bits));
    }
}

void addLattices(BoundedPairs& found)
{
    unsigned seed = 1;
    for (const double step : {1.0, 0.1, 1.0 / 127.0, 0.05 / 255.0, 3.0 / 254.0})
        for (const double spread : {5.0, 40.0, 300.0, 4000.0}) {
            const std::vector<float> values = latticeValues(200'000, step, spread, ++seed);
            found.add("lattice", values, rangeQuantizers(values, bits));
            // Levels at every first to eighth value of the lattice: borders lie on values.
            std::vector<std::pair<int, Quantizer>> aligned;
            for (const int count : bits)
                for (const double every : {1.0, 2.0, 4.0, 8.0})
                    aligned.emplace_back(
                        count,
                        makeQuantizer({.bits = count},
                                      {.threshold = every * step * Scheme{.bits = count}.qmax()})
                            .quantizer);
            found.add("aligned lattice", values, aligned);
        }
}

double quantile(std::vector<double> values, double share)
{
    std::ranges::sort(values);
    return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

void print(const char* title, const BoundedPairs& found)
{
    std::printf("%s: %zu pairs, %zu metrics outside of their bounds\n", title, found.pairs,
                found.outside.size());
    constexpr std::size_t mostSentences = 20;
    for (const std::string& sentence :
         std::span(found.outside).first(std::min(found.outside.size(), mostSentences)))
        std::printf("  %s\n", sentence.c_str());
    std::printf("%5s %7s %12s %12s %14s %14s\n", "bits", "pairs", "median bar", "90 % of bars",
                "largest error", "bars to 0.1 dB");
    std::vector<double> all;
    for (const auto& [count, bars] : found.barsDb) {
        const auto near = std::ranges::count_if(bars, [](double bar) { return bar <= mostBarDb; });
        std::printf("%5d %7zu %12.4g %12.4g %14.4g %13.1f%%\n", count, bars.size(),
                    quantile(bars, 0.5), quantile(bars, 0.9),
                    std::ranges::max(found.errorsDb.at(count)),
                    100.0 * static_cast<double>(near) / static_cast<double>(bars.size()));
        all.insert(all.end(), bars.begin(), bars.end());
    }
    std::printf("%5s %7zu %12.4g\n", "all", all.size(), quantile(all, 0.5));
}

}  // namespace

int main(int argc, char** argv)
{
    try {
        BoundedPairs recorded;
        for (int index = 1; index < argc; ++index)
            addFile(recorded, argv[index]);
        if (recorded.pairs > 0)
            print("recorded tensors", recorded);
        BoundedPairs lattices;
        addLattices(lattices);
        print("lattice data", lattices);
        return recorded.outside.empty() && lattices.outside.empty() ? 0 : 1;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 2;
    }
}
