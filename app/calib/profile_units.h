// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/calib/profile_files.h"
#include "core/spread/tensor_sums.h"
#include "core/spread/unit_counts.h"
#include "core/spread/work_lines.h"
#include "core/stats/summed_profile.h"
#include "core/tensor/sample_range.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

/// The work on a profile in units that processes share.
namespace calibscope::cli {

/// Some samples of a tensor's part, with its copies, which are compared: what is handed out.
struct ProfileUnit
{
    std::size_t tensor = 0;
    std::size_t part = 0;
    SampleRange range;
    std::uint64_t bytes = 0;  ///< unpacked
};

/// The units of all tensors that can be joined, by tensor, part and sample, none much larger than
/// so many bytes where tensors can be cut.
[[nodiscard]] std::vector<ProfileUnit> profileUnits(const ProfileFiles& files,
                                                    std::uint64_t unitBytes);

/// Sums for a tensor to which its units are added.
[[nodiscard]] spread::TensorSums emptySums(const ProfileFiles& files, std::size_t tensor);
/// Adds the first pass over a unit, or why it can't be read.
void addSums(spread::TensorSums& sums, const ProfileFiles& files, const ProfileUnit& unit,
             const Reading& reading);
/// The profile of all of a tensor's units. Throws Error(Input) if some are missing.
[[nodiscard]] spread::StoredProfile wholeOf(const spread::TensorSums& sums,
                                            const ProfileFiles& files, std::size_t tensor);

/// Counts for a tensor to which its units are added, from that profile.
[[nodiscard]] spread::UnitCounts emptyCounts(const ProfileFiles& files, std::size_t tensor,
                                             const spread::StoredProfile& whole);
/// Adds the second pass over a unit. Throws Error(Input) where it can't be read.
void addCounts(spread::UnitCounts& counts, const ProfileFiles& files, const ProfileUnit& unit,
               const spread::StoredProfile& whole, const Reading& reading);

/// Signs of life while it lives, for work that reads nothing and has no steps of its own: replaying
/// how histograms grow over 10^5 batches takes seconds.
class SignsOfLife
{
public:
    explicit SignsOfLife(const Progress& progress);

private:
    std::jthread m_thread;
};

/// Lines about the work of one process for who looks on, as rank 0 of many writes them: every 10 s,
/// 60 s where there is no terminal.
class ToldWork
{
public:
    ToldWork();

    void begin(const std::string& what, std::uint64_t bytes) { m_lines.begin(what, bytes); }
    void at(const std::string& place) { m_lines.at(place); }
    void done(std::uint64_t bytes) { m_lines.done(bytes); }
    /// Writes one if it is time.
    void tell();
    /// The same at each step of that progress, which is of the work at that place.
    [[nodiscard]] Progress telling(const Progress& progress, std::string place);

private:
    spread::WorkLines m_lines;
};

/// "run/rank3.h5:/activations/a1"
[[nodiscard]] std::string nameOf(const ProfileFiles& files, const ProfileUnit& unit);

}  // namespace calibscope::cli
