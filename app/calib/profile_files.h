#pragma once

#include "app/calib/command_output.h"
#include "app/calib/dump_options.h"
#include "app/calib/profile_needs.h"
#include "app/calib/reading.h"
#include "core/dump/dump_file.h"
#include "core/spread/joined_tensors.h"
#include "core/spread/profile_index.h"
#include "core/tensor/value_source.h"

#include <cstdint>
#include <memory>
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
    std::string partsFolder;  ///< for what steps leave for the next one; empty: none
    std::string step;         ///< sums, epochs, counts or finish; empty: all
    std::string share;        ///< K/N
    OutputOptions output;
};

/// Dumps, open and joined.
class ProfileFiles
{
public:
    /// Says what can't be opened, and keeps it in leftOut(). Throws Error where nothing is left, a
    /// file is named twice or a profile itself, or first samples overlap.
    ProfileFiles(const ProfileOptions& options, const Reading& reading, Complaints& complaints);

    [[nodiscard]] const std::vector<spread::JoinedTensor>& tensors() const
    {
        return m_joined.tensors;
    }
    [[nodiscard]] const std::vector<std::string>& leftOut() const { return m_leftOut; }
    /// The files in recorded order, with what was left out so far and without tensors.
    [[nodiscard]] spread::ProfileIndex index() const;
    [[nodiscard]] const WantedNeeds& needs() const { return *m_needs; }

    /// A tensor's part: its values, its file's place in recorded order, and that file's name.
    [[nodiscard]] ValueSource source(const spread::JoinedPart& part) const;
    [[nodiscard]] std::uint64_t place(const spread::JoinedPart& part) const
    {
        return m_places[part.file];
    }
    [[nodiscard]] const std::string& name(const spread::JoinedPart& part) const
    {
        return m_listed[part.file].path;
    }

private:
    bool list(const std::shared_ptr<const DumpFile>& dump, Complaints& complaints);
    void refuseTwice(const DumpFile& dump) const;
    void openAll(const Reading& reading, Complaints& complaints);

    const ProfileOptions& m_options;
    std::vector<std::shared_ptr<const DumpFile>> m_dumps;
    std::vector<spread::ListedFile> m_listed;
    std::vector<std::string> m_leftOut;
    spread::JoinedFiles m_joined;
    std::vector<std::size_t> m_places;  ///< of the opened files in recorded order
    std::unique_ptr<WantedNeeds> m_needs;
};

}  // namespace calibscope::cli
