// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/calib/profile_units.h"

#include "core/base/error.h"
#include "core/collect/collect_joined.h"
#include "core/collect/collect_profile.h"
#include "core/dump/batch_first.h"
#include "core/tensor/element_type.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <stop_token>
#include <string_view>
#include <utility>

#include <unistd.h>

namespace calibscope::cli {

namespace {

using spread::JoinedPart;
using spread::JoinedTensor;

constexpr int secondsOnTerminal = 10;
constexpr int secondsInFile = 60;

std::uint64_t bytesOf(const TensorInfo& info)
{
    return info.valueCount() *
           ElementType{.kind = info.elementType.value_or(ElementKind::Float32)}.bytes();
}

/// Of the part and its copies, which are read together.
std::uint64_t perCutOf(const ProfileFiles& files, const JoinedTensor& tensor,
                       const JoinedPart& part)
{
    const std::uint64_t perCut = tensor.isConstant ? 0 : files.perCut(part);
    const auto isCutAlike = [&](const JoinedPart& copy) { return files.perCut(copy) == perCut; };
    return std::ranges::all_of(part.copies, isCutAlike) ? perCut : 0;
}

void addUnitsOfPart(std::vector<ProfileUnit>& units, const ProfileFiles& files, std::size_t tensor,
                    std::size_t part, std::uint64_t unitBytes)
{
    const JoinedPart& joined = files.tensors()[tensor].parts[part];
    const TensorInfo info = files.visited(joined);
    const std::uint64_t bytes = bytesOf(info) * (1 + joined.copies.size());
    const std::uint64_t samples = info.sampleCount();
    const std::uint64_t perCut = perCutOf(files, files.tensors()[tensor], joined);
    if (perCut == 0 || samples <= perCut || bytes <= unitBytes) {
        units.push_back({.tensor = tensor, .part = part, .range = {}, .bytes = bytes});
        return;
    }
    const std::uint64_t perSample = bytes / samples;
    const std::uint64_t cuts = std::max<std::uint64_t>(unitBytes / (perCut * perSample), 1);
    const std::uint64_t step = std::min(cuts * perCut, samples);
    for (std::uint64_t first = 0; first < samples; first += step) {
        const std::uint64_t end = std::min(first + step, samples);
        units.push_back({.tensor = tensor,
                         .part = part,
                         .range = {.first = first, .end = end},
                         .bytes = (end - first) * perSample});
    }
}

/// The unit's sums, and whether the copies' are equal.
UnitSums sumsOf(const ProfileFiles& files, const JoinedTensor& joined, const ProfileUnit& unit,
                const Progress& progress)
{
    const JoinedPart& part = joined.parts[unit.part];
    UnitSums sums = collectUnit(files.source(part, unit.range), progress);
    for (const JoinedPart& copy : part.copies)
        requireEqual(joined, sums.summed,
                     collectUnit(files.source(copy, unit.range), progress).summed, files.name(part),
                     files.name(copy));
    return sums;
}

}  // namespace

std::vector<ProfileUnit> profileUnits(const ProfileFiles& files, std::uint64_t unitBytes)
{
    std::vector<ProfileUnit> units;
    for (std::size_t tensor = 0; tensor < files.tensors().size(); ++tensor) {
        const JoinedTensor& joined = files.tensors()[tensor];
        for (std::size_t part = 0; part < joined.parts.size() && joined.problem.empty(); ++part)
            addUnitsOfPart(units, files, tensor, part, unitBytes);
    }
    return units;
}

spread::TensorSums emptySums(const ProfileFiles& files, std::size_t tensor)
{
    const JoinedTensor& joined = files.tensors()[tensor];
    std::vector<spread::SummedPart> parts;
    for (const JoinedPart& part : joined.parts)
        parts.push_back(summedPartOf(joined, parts.size(), files.visited(part)));
    return spread::TensorSums(std::move(parts));
}

void addSums(spread::TensorSums& sums, const ProfileFiles& files, const ProfileUnit& unit,
             const Reading& reading)
{
    const JoinedTensor& joined = files.tensors()[unit.tensor];
    const std::optional<std::string> problem = inputProblem([&] {
        reading.at(files.name(joined.parts[unit.part]), joined.info.path);
        sums.add(unit.part, sumsOf(files, joined, unit, reading.progress()));
    });
    if (problem)
        sums.add({.part = unit.part, .sample = unit.range.first, .sentence = *problem});
}

spread::StoredProfile wholeOf(const spread::TensorSums& sums, const ProfileFiles& files,
                              std::size_t tensor)
{
    const JoinedTensor& joined = files.tensors()[tensor];
    std::vector<std::uint64_t> places;
    for (const JoinedPart& part : joined.parts)
        places.push_back(files.place(part));
    return sums.whole(batchFirst(joined.info), places, joined.info.path);
}

spread::UnitCounts emptyCounts(const ProfileFiles& files, std::size_t tensor,
                               const spread::StoredProfile& whole)
{
    const TensorProfile& profile = whole.whole.profile;
    return {profile, files.needs().of(files.tensors()[tensor].info, profile.extents())};
}

void addCounts(spread::UnitCounts& counts, const ProfileFiles& files, const ProfileUnit& unit,
               const spread::StoredProfile& whole, const Reading& reading)
{
    if (counts.parts() == 0)
        return;
    const JoinedTensor& joined = files.tensors()[unit.tensor];
    const JoinedPart& part = joined.parts[unit.part];
    reading.at(files.name(part), joined.info.path);
    countPart(counts, files.source(part, unit.range), firstBatchOf(whole.parts, unit.part),
              reading.progress());
}

SignsOfLife::SignsOfLife(const Progress& progress)
    : m_thread([&progress](const std::stop_token& stop) {
          constexpr std::chrono::milliseconds pause(50);
          while (!stop.stop_requested()) {
              progress.step(0, 0, "");
              std::this_thread::sleep_for(pause);
          }
      })
{}

ToldWork::ToldWork()
    : m_lines(
          std::chrono::seconds(::isatty(STDERR_FILENO) == 1 ? secondsOnTerminal : secondsInFile))
{}

void ToldWork::tell()
{
    if (const std::optional<std::string> line = m_lines.due())
        sayOnStderr("calib: " + *line);
}

Progress ToldWork::telling(const Progress& progress, std::string place)
{
    return {{},
            [this, &progress, place = std::move(place)](std::uint64_t done, std::uint64_t all,
                                                        std::string_view what) {
                progress.step(done, all, what);
                m_lines.readAt(place, done, all);
                tell();
            }};
}

std::string nameOf(const ProfileFiles& files, const ProfileUnit& unit)
{
    const JoinedTensor& joined = files.tensors()[unit.tensor];
    return files.name(joined.parts[unit.part]) + ":" + joined.info.path;
}

}  // namespace calibscope::cli
