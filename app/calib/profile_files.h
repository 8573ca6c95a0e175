// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/calib/command_output.h"
#include "app/calib/dump_options.h"
#include "app/calib/profile_needs.h"
#include "app/calib/reading.h"
#include "core/dump/dump_file.h"
#include "core/spread/file_listing.h"
#include "core/spread/joined_tensors.h"
#include "core/spread/profile_index.h"
#include "core/spread/ranks.h"
#include "core/tensor/sample_range.h"
#include "core/tensor/value_source.h"

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

/// The files that a profile is made of.
namespace calibscope::cli {

struct ProfileOptions
{
    std::vector<std::string> files;
    std::vector<std::string> without;
    TensorOptions tensors;
    std::vector<std::string> histograms;
    std::vector<double> percentiles;
    LayoutOverrideOptions layoutOverride;
    OpeningOptions opening;
    std::uint64_t jobs = 0;
    static constexpr std::uint64_t defaultUnitMib = 64;
    std::uint64_t unitMib = defaultUnitMib;
    std::uint64_t waves = 0;  ///< 0: as memory needs
    bool isResumed = false;
    bool isFresh = false;
    std::string partsFolder;  ///< for what steps leave for the next one; empty: none
    std::string step;         ///< sums, epochs, counts or finish; empty: all
    std::string share;        ///< K/N
    OutputOptions output;

    /// Where finished tensors are kept until the profile is whole.
    [[nodiscard]] std::string finishedFolder() const { return output.path + ".parts"; }
    [[nodiscard]] std::uint64_t unitBytes() const { return unitMib << 20U; }
    /// Whether one process works as one of several would.
    [[nodiscard]] bool isByUnits() const { return waves > 0 || unitMib != defaultUnitMib; }
};

/// Dumps, listed and joined. Each is listed by one rank, and opened by those that read it.
class ProfileFiles
{
public:
    /// Says what can't be opened, and keeps it in leftOut(). Throws Error, the same on all ranks,
    /// where nothing is left, a file is named twice or a profile itself, or first samples overlap.
    ProfileFiles(const ProfileOptions& options, const Reading& reading, spread::Ranks& ranks,
                 Complaints& complaints);

    [[nodiscard]] const std::vector<spread::JoinedTensor>& tensors() const
    {
        return m_joined.tensors;
    }
    [[nodiscard]] const std::vector<std::string>& leftOut() const { return m_leftOut; }
    /// The files in recorded order, with what was left out so far and without tensors.
    [[nodiscard]] spread::ProfileIndex index() const;
    /// A text for all that decides what is found in these files.
    [[nodiscard]] std::string key() const;
    [[nodiscard]] const WantedNeeds& needs() const { return *m_needs; }

    /// A tensor's part: its values, its file's place in recorded order, and that file's name.
    /// Throws Error(Input) where the file can't be opened any more. May be called by several
    /// threads.
    [[nodiscard]] ValueSource source(const spread::JoinedPart& part,
                                     const SampleRange& range = {}) const;
    [[nodiscard]] std::uint64_t place(const spread::JoinedPart& part) const
    {
        return m_places[part.file];
    }
    [[nodiscard]] const std::string& name(const spread::JoinedPart& part) const
    {
        return m_listed[part.file].path;
    }
    /// As the source's info, without opening the file.
    [[nodiscard]] TensorInfo visited(const spread::JoinedPart& part) const;
    /// Samples between places where a range may begin; 0: it must be all.
    [[nodiscard]] std::uint64_t perCut(const spread::JoinedPart& part) const;

private:
    [[nodiscard]] spread::FileListing listed(const std::string& path, const Reading& reading);
    void list(const DumpFile& dump, spread::FileListing& listing) const;
    void take(spread::FileListing listing, Complaints& complaints);
    [[nodiscard]] std::shared_ptr<const DumpFile> dump(std::size_t file) const;
    void keepOpen(const std::string& path, std::shared_ptr<const DumpFile> dump) const;

    const ProfileOptions& m_options;
    const Reading& m_reading;
    std::vector<spread::FileListing> m_listings;  ///< of those that could be opened
    std::vector<spread::ListedFile> m_listed;
    std::vector<std::string> m_leftOut;
    spread::JoinedFiles m_joined;
    std::vector<std::size_t> m_places;  ///< of the opened files in recorded order
    std::unique_ptr<WantedNeeds> m_needs;
    mutable std::mutex m_mutex;
    mutable std::map<std::string, std::shared_ptr<const DumpFile>> m_open;
    mutable std::deque<std::string> m_opened;  ///< keys of m_open, the first opened first
};

}  // namespace calibscope::cli
