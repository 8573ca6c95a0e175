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

void addUnitsOfPart(std::vector<ProfileUnit>& units, const ProfileFiles& files, std::size_t tensor,
                    std::size_t part, std::uint64_t unitBytes)
{
    const JoinedPart& joined = files.tensors()[tensor].parts[part];
    const TensorInfo info = files.visited(joined);
    const std::uint64_t bytes = bytesOf(info);
    const std::uint64_t samples = info.sampleCount();
    const std::uint64_t perCut = files.perCut(joined);
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

/// The first part's sums, and whether the others' are equal.
UnitSums sumsOfConstant(const ProfileFiles& files, const JoinedTensor& joined,
                        const Progress& progress)
{
    const JoinedPart& firstPart = joined.parts.front();
    UnitSums first = collectUnit(files.source(firstPart), progress);
    for (std::size_t part = 1; part < joined.parts.size(); ++part)
        requireEqual(joined, first.summed, collectSums(files.source(joined.parts[part]), progress),
                     files.name(firstPart), files.name(joined.parts[part]));
    return first;
}

}  // namespace

std::vector<ProfileUnit> profileUnits(const ProfileFiles& files, std::uint64_t unitBytes)
{
    std::vector<ProfileUnit> units;
    for (std::size_t tensor = 0; tensor < files.tensors().size(); ++tensor) {
        const JoinedTensor& joined = files.tensors()[tensor];
        if (!joined.problem.empty())
            continue;
        if (!joined.isConstant) {
            for (std::size_t part = 0; part < joined.parts.size(); ++part)
                addUnitsOfPart(units, files, tensor, part, unitBytes);
            continue;
        }
        std::uint64_t bytes = 0;
        for (const JoinedPart& part : joined.parts)
            bytes += bytesOf(files.visited(part));
        units.push_back({.tensor = tensor, .part = 0, .range = {}, .bytes = bytes});
    }
    return units;
}

spread::TensorSums emptySums(const ProfileFiles& files, std::size_t tensor)
{
    const JoinedTensor& joined = files.tensors()[tensor];
    std::vector<TensorInfo> infos;
    for (const JoinedPart& part : joined.parts)
        if (infos.empty() || !joined.isConstant)
            infos.push_back(files.visited(part));
    return spread::TensorSums(std::move(infos));
}

void addSums(spread::TensorSums& sums, const ProfileFiles& files, const ProfileUnit& unit,
             const Reading& reading)
{
    const JoinedTensor& joined = files.tensors()[unit.tensor];
    try {
        reading.at(files.name(joined.parts[unit.part]), joined.info.path);
        sums.add(unit.part, joined.isConstant
                                ? sumsOfConstant(files, joined, reading.progress())
                                : collectUnit(files.source(joined.parts[unit.part], unit.range),
                                              reading.progress()));
    } catch (const Error& error) {
        if (error.fault() != Fault::Input)
            throw;
        sums.add({.part = unit.part, .sample = unit.range.first, .sentence = error.what()});
    }
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
    std::uint64_t firstBatch = 0;
    for (std::size_t before = 0; before < unit.part; ++before)
        firstBatch += whole.parts.at(before).batches;
    countPart(counts, files.source(part, unit.range), firstBatch, reading.progress());
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

Progress ToldWork::telling(const Progress& progress)
{
    return {{}, [this, &progress](std::uint64_t done, std::uint64_t all, std::string_view what) {
                progress.step(done, all, what);
                tell();
            }};
}

std::string nameOf(const ProfileFiles& files, const ProfileUnit& unit)
{
    const JoinedTensor& joined = files.tensors()[unit.tensor];
    return files.name(joined.parts[unit.part]) + ":" + joined.info.path;
}

}  // namespace calibscope::cli
