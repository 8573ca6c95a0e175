// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/spread/batch_columns.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <string>

namespace calibscope::spread {

namespace {

using protocol::Json;
using protocol::Where;

Json writeEnds(const std::vector<Extents>& batches, double Extents::*member)
{
    std::vector<std::uint32_t> patterns(batches.size());
    std::ranges::transform(batches, patterns.begin(), [member](const Extents& batch) {
        return std::bit_cast<std::uint32_t>(static_cast<float>(batch.*member));
    });
    return protocol::writeNumbers(std::span<const std::uint32_t>(patterns));
}

void readEnds(const Json& json, std::vector<Extents>& batches, double Extents::*member,
              const Where& where)
{
    const auto patterns = protocol::readNumbers<std::uint32_t>(json, where);
    if (patterns.size() != batches.size())
        where.fail("has another length than its table");
    for (std::size_t batch = 0; batch < batches.size(); ++batch)
        batches[batch].*member = static_cast<double>(std::bit_cast<float>(patterns[batch]));
}

Json writeCounts(const std::vector<Extents>& batches, std::uint64_t Extents::*member)
{
    std::vector<std::uint64_t> own(batches.size());
    std::ranges::transform(batches, own.begin(), member);
    if (std::ranges::all_of(own, [&](std::uint64_t count) { return count == own.front(); }))
        own.resize(std::min<std::size_t>(own.size(), 1));
    return protocol::writePacked(own);
}

void readCounts(const Json& json, std::vector<Extents>& batches, std::uint64_t Extents::*member,
                const Where& where)
{
    std::vector<std::uint64_t> counts = protocol::readPacked(json, where);
    if (counts.size() == 1)
        counts.assign(batches.size(), counts.front());
    if (counts.size() != batches.size())
        where.fail("has another length than its table");
    for (std::size_t batch = 0; batch < batches.size(); ++batch)
        batches[batch].*member = counts[batch];
}

struct Ends
{
    const char* name;
    double Extents::*member;
};
constexpr std::array endColumns{Ends{"min", &Extents::min}, Ends{"max", &Extents::max},
                                Ends{"absMin", &Extents::absMin},
                                Ends{"absSecond", &Extents::absSecond}};

struct Counts
{
    const char* name;
    std::uint64_t Extents::*member;
};
constexpr std::array countColumns{Counts{"finite", &Extents::finite},
                                  Counts{"zeros", &Extents::zeros},
                                  Counts{"nan", &Extents::nan},
                                  Counts{"positiveInf", &Extents::positiveInf},
                                  Counts{"negativeInf", &Extents::negativeInf},
                                  Counts{"atMin", &Extents::atMin},
                                  Counts{"atMax", &Extents::atMax},
                                  Counts{"overflowed", &Extents::overflowed},
                                  Counts{"underflowed", &Extents::underflowed},
                                  Counts{"roundedIntegers", &Extents::roundedIntegers}};
static_assert(sizeof(Extents) == (endColumns.size() + countColumns.size()) * sizeof(double),
              "a new member");

}  // namespace

Json writeBatches(const std::vector<Extents>& batches)
{
    Json columns = Json::object();
    for (const Ends& column : endColumns)
        columns[column.name] = writeEnds(batches, column.member);
    for (const Counts& column : countColumns)
        columns[column.name] = writeCounts(batches, column.member);
    return columns;
}

std::vector<Extents> readBatches(const Json& json, const Where& where)
{
    // Ends are written for each batch: a count that the bytes do not have takes no memory.
    std::vector<Extents> batches(
        protocol::readNumbers<std::uint32_t>(json.at("min"), where).size());
    for (const Ends& column : endColumns)
        readEnds(json.at(column.name), batches, column.member, Where{&where, column.name});
    for (const Counts& column : countColumns)
        readCounts(json.at(column.name), batches, column.member, Where{&where, column.name});
    return batches;
}

}  // namespace calibscope::spread
