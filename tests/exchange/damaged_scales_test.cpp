// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/exchange/entry_lints.h"
#include "tests/exchange/sample_entries.h"
#include "tests/support/catch.h"
#include "tests/support/profiles.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>

namespace damaged_scales_test {

using namespace calibscope;
using namespace calibscope::exchange;
using namespace calibscope::test;

const std::map<std::string, double> dataEnds{{"conv1", 1.5}, {"relu/2", 0.37}, {"fc::out", 12.0}};

/// 2001 values from -end to end.
TensorProfile dataOf(double end)
{
    std::vector<float> values;
    for (int place = -1000; place <= 1000; ++place)
        values.push_back(static_cast<float>(end * place / 1000.0));
    return profileOf(values);
}

/// Whether whoever looks at the file learns that something is wrong: it is refused, an entry is
/// flagged, unknown or missing; or every range is still one that fits the data.
bool isToldOrHarmless(const std::string& bytes, const std::string& format)
{
    ScaleFile file;
    try {
        file = readScales(bytes, "a", format);
    } catch (const Error& error) {
        return error.fault() == Fault::Input && std::string(error.what()).starts_with("a: ");
    }
    for (const ScaleEntry& entry : file.entries) {
        const auto end = dataEnds.find(entry.name);
        if (end == dataEnds.end())
            return true;
        const TensorProfile data = dataOf(end->second);
        Findings lints = lintsOf(entry);
        const Findings more = lintsOf(entry, data, fitOf(entry, data));
        lints.insert(lints.end(), more.begin(), more.end());
        if (!lints.empty())
            return true;
        if (entry.values.size() != 1)
            return entry.isFloat;
        const Range& range = entry.values.front().range;
        const double width = range.high - range.low;
        // Nobody told: then at most one value in 1000 is clipped, and no level in two is wasted.
        if (!(width >= 2.0 * end->second * 0.99 && width <= 4.0 * end->second * 1.01))
            return false;
    }
    return true;
}

/// A variant of the bytes: one changed, some cut off, taken out or doubled.
std::string damaged(std::string bytes, std::mt19937& random)
{
    const auto place = random() % bytes.size();
    switch (random() % 5) {
    case 0: bytes[place] = static_cast<char>(random() % 256); break;
    case 1: bytes[place] = static_cast<char>(bytes[place] ^ (1 << (random() % 8))); break;
    case 2: bytes.resize(place); break;
    case 3: bytes.erase(place, 1 + random() % 20); break;
    default: bytes.insert(place, bytes.substr(random() % bytes.size(), 1 + random() % 20));
    }
    return bytes;
}

TEST_CASE("damaged files of all formats are refused, or told, or harmless; none crashes")
{
    constexpr int variantsOfEach = 60;
    int variants = 0;
    std::mt19937 random(16);
    for (const ExchangeFormat& format : exchangeFormats()) {
        if (format.write == nullptr)
            continue;
        std::vector<ScaleEntry> entries;
        for (const auto& [name, end] : dataEnds) {
            entries.push_back(activationEntry(name, end));
            entries.back().counts = {1, 2, 3, 4};
        }
        const std::string whole = writtenAs(format.id, entries);
        for (int variant = 0; variant < variantsOfEach; ++variant, ++variants) {
            const std::string bytes = damaged(whole, random);
            INFO(format.id << " variant " << variant << ":\n" << bytes);
            CHECK(isToldOrHarmless(bytes, std::string(format.id)));
            // Whatever format it is taken for: an answer or an Error.
            for (const ExchangeFormat& other : exchangeFormats()) {
                try {
                    static_cast<void>(readScales(bytes, "a", other.id));
                } catch (const Error&) {
                }
            }
        }
    }
    CHECK(variants >= 200);
}

TEST_CASE("files that are made to hurt are refused or read, in bounds")
{
    const std::string deep(100000, '[');
    for (const ExchangeFormat& format : exchangeFormats())
        for (const std::string& bytes :
             {deep, "{\"activation_encodings\": " + deep, std::string(1, '\0'), std::string("\n"),
              std::string("{}"), std::string("[]"), std::string("null"), std::string("{\"a\": 1}"),
              std::string("{\"activation_encodings\": {\"a\": 1, \"b\": [1, null, []]}}"),
              std::string("{\"activation_encodings\": [1, null, {\"name\": 3, \"bw\": 1e300}]}"),
              std::string("{\"CLS\": \"TensorsData\", \"data\": 3}"),
              std::string("{\"act_quant_info\": [1]}"),
              std::string("- NodeOutputName: \n  Histogram: ["), std::string("TRT-")}) {
            INFO(format.id << ": " << bytes.substr(0, 60));
            try {
                const ScaleFile file = readScales(bytes, "a", format.id);
                for (const ScaleEntry& entry : file.entries)
                    static_cast<void>(lintsOf(entry));
            } catch (const Error& error) {
                CHECK(error.fault() == Fault::Input);
            }
        }
}

}  // namespace damaged_scales_test
