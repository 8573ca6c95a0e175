#include "app/calib/profile_steps.h"

#include "app/calib/profile_units.h"
#include "core/base/digest.h"
#include "core/base/error.h"
#include "core/base/hex.h"
#include "core/base/whole_file.h"
#include "core/dump/profile_writer.h"
#include "core/spread/ranks.h"
#include "core/spread/stored_profile.h"
#include "core/spread/tensor_sums.h"
#include "core/spread/unit_counts.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

namespace calibscope::cli {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t mostStepBytes = std::uint64_t{1} << 30U;

/// What steps leave for each other.
class StepFolder
{
public:
    explicit StepFolder(std::string path) : m_path(std::move(path)) {}

    [[nodiscard]] std::string place(const std::string& what, std::size_t tensor) const
    {
        return m_path + "/" + what + "-" + std::to_string(tensor);
    }
    [[nodiscard]] std::string place(const std::string& what, const ProfileUnit& unit) const
    {
        return place(what, unit.tensor) + "-" + std::to_string(unit.part) +
               (unit.range.first > 0 ? "-" + std::to_string(unit.range.first) : "");
    }
    [[nodiscard]] static bool has(const std::string& place)
    {
        std::error_code ignored;
        return fs::exists(place, ignored);
    }
    static void write(const std::string& place, std::string_view bytes)
    {
        try {
            writeWholeFile(place, bytes);
        } catch (const std::system_error& failure) {
            throw Error(Fault::Output,
                        place + ": cannot be written (" + failure.code().message() + ")");
        }
    }
    [[nodiscard]] static std::string read(const std::string& place)
    {
        return readWholeFile(place, mostStepBytes);
    }
    static void remove(const std::string& place)
    {
        std::error_code ignored;
        fs::remove(place, ignored);
    }

    /// Throws Error(Usage) where the folder is of other files or options.
    void require(const std::string& key) const
    {
        const std::string place = m_path + "/key";
        if (!has(place))
            write(place, key);
        else if (read(place) != key)
            throw Error(Fault::Usage, m_path + ": it holds what was made of other files, in "
                                               "another state or with other options; name another "
                                               "folder");
    }

private:
    std::string m_path;
};

class ProfileSteps
{
public:
    ProfileSteps(const ProfileOptions& options, const Reading& reading, Complaints& complaints)
        : m_options(options),
          m_reading(reading),
          m_complaints(complaints),
          m_files(options, reading, m_lone, complaints),
          m_folder(options.partsFolder),
          m_units(profileUnits(m_files, options.unitBytes())),
          m_ofTensor(m_files.tensors().size())
    {
        m_folder.require(hexText(sha256(m_files.key() + std::to_string(options.unitMib))) + "\n");
        for (const ProfileUnit& unit : m_units)
            m_ofTensor[unit.tensor].push_back(unit);
        std::ranges::stable_sort(m_units, std::ranges::greater{}, &ProfileUnit::bytes);
    }

    void sums(const WorkShare& share)
    {
        std::vector<ProfileUnit> units = unitsOf(share);
        std::erase_if(units, [&](const ProfileUnit& unit) {
            return StepFolder::has(m_folder.place("sums", unit));
        });
        forEach("first pass", units, [this](const ProfileUnit& unit) { sumsOf(unit); });
    }

    void epochs()
    {
        for (std::size_t tensor = 0; tensor < m_files.tensors().size(); ++tensor)
            if (joined(tensor).problem.empty() &&
                !StepFolder::has(m_folder.place("whole", tensor)) &&
                (hasAllSums(tensor) || !failureOf(tensor)))
                join(tensor);
    }

    void counts(const WorkShare& share)
    {
        std::vector<ProfileUnit> units = unitsOf(share);
        std::erase_if(units, [&](const ProfileUnit& unit) {
            const bool hasWhole = StepFolder::has(m_folder.place("whole", unit.tensor));
            return (!hasWhole && failureOf(unit.tensor)) ||
                   StepFolder::has(m_folder.place("counts", unit));
        });
        forEach("second pass", units, [this](const ProfileUnit& unit) { countsOf(unit); });
    }

    void finish()
    {
        spread::ProfileIndex index = m_files.index();
        ProfileWriter writer(m_options.output.path, {{"program", "calib " CALIBSCOPE_VERSION}});
        for (std::size_t tensor = 0; tensor < m_files.tensors().size(); ++tensor) {
            std::optional<std::string> problem = failureOf(tensor);
            if (!joined(tensor).problem.empty())
                problem = joined(tensor).problem;
            if (problem) {
                m_complaints.add(*problem);
                index.warnings.push_back(*std::move(problem));
                continue;
            }
            writer.addTensor(bytesOf(finished(tensor)));
            index.tensors.push_back(joined(tensor).info);
        }
        m_reading.ends();
        writer.finish(bytesOf(index));
    }

private:
    [[nodiscard]] const spread::JoinedTensor& joined(std::size_t tensor) const
    {
        return m_files.tensors()[tensor];
    }

    [[nodiscard]] std::vector<ProfileUnit> unitsOf(const WorkShare& share) const
    {
        std::vector<ProfileUnit> units;
        for (std::size_t unit = share.index - 1; unit < m_units.size(); unit += share.count)
            units.push_back(m_units[unit]);
        return units;
    }

    /// And tells how far it is.
    template <typename Work>
    void forEach(const std::string& what, const std::vector<ProfileUnit>& units, const Work& work)
    {
        std::uint64_t bytes = 0;
        for (const ProfileUnit& unit : units)
            bytes += unit.bytes;
        m_told.begin(what, bytes);
        for (const ProfileUnit& unit : units) {
            m_told.at(nameOf(m_files, unit));
            work(unit);
            m_told.done(unit.bytes);
            m_told.tell();
        }
    }

    [[nodiscard]] bool hasAllSums(std::size_t tensor) const
    {
        return std::ranges::all_of(m_ofTensor[tensor], [&](const ProfileUnit& unit) {
            return StepFolder::has(m_folder.place("sums", unit));
        });
    }

    /// Why a tensor is left out: the sentence of its first unit that failed, or of the whole.
    [[nodiscard]] std::optional<std::string> failureOf(std::size_t tensor) const
    {
        std::vector<std::string> places;
        for (const ProfileUnit& unit : m_ofTensor[tensor])
            places.push_back(m_folder.place("failed", unit));
        places.push_back(m_folder.place("failed", tensor));
        for (const std::string& place : places)
            if (StepFolder::has(place))
                return StepFolder::read(place);
        return std::nullopt;
    }

    /// Calls work(), whose failure is kept for the step that ends.
    template <typename Work>
    void keepingFailure(const std::string& place, const Work& work)
    {
        const std::optional<std::string> problem = inputProblem([&] {
            work();
            StepFolder::remove(place);
        });
        if (problem) {
            m_complaints.add(*problem);
            StepFolder::write(place, *problem);
        }
    }

    void sumsOf(const ProfileUnit& unit)
    {
        spread::TensorSums sums = emptySums(m_files, unit.tensor);
        addSums(sums, m_files, unit, m_reading);
        keepingFailure(m_folder.place("failed", unit), [&] {
            if (sums.failure())
                throw Error(Fault::Input, sums.failure()->sentence);
            StepFolder::write(m_folder.place("sums", unit), sums.bytes());
        });
    }

    static void requireThere(const std::string& place, std::string_view step)
    {
        if (!StepFolder::has(place))
            throw Error(Fault::Usage, place + " is missing; run --step " + std::string(step) +
                                          " with each of its parts first");
    }

    [[nodiscard]] spread::StoredProfile read(const std::string& place, std::string_view step) const
    {
        requireThere(place, step);
        return spread::storedProfileFrom(StepFolder::read(place), place);
    }

    void join(std::size_t tensor)
    {
        const SignsOfLife signs(m_reading.progress());
        spread::TensorSums sums = emptySums(m_files, tensor);
        for (const ProfileUnit& unit : m_ofTensor[tensor]) {
            const std::string place = m_folder.place("sums", unit);
            requireThere(place, "sums");
            sums.addBytes(StepFolder::read(place), place);
        }
        keepingFailure(m_folder.place("failed", tensor), [&] {
            StepFolder::write(m_folder.place("whole", tensor),
                              bytesOf(wholeOf(sums, m_files, tensor)));
        });
    }

    void countsOf(const ProfileUnit& unit)
    {
        const spread::StoredProfile whole = read(m_folder.place("whole", unit.tensor), "epochs");
        keepingFailure(m_folder.place("failed", unit), [&] {
            spread::UnitCounts counts = [&] {
                const SignsOfLife signs(m_reading.progress());
                return emptyCounts(m_files, unit.tensor, whole);
            }();
            addCounts(counts, m_files, unit, whole, m_reading);
            StepFolder::write(m_folder.place("counts", unit), counts.bytes());
        });
    }

    [[nodiscard]] spread::StoredProfile finished(std::size_t tensor) const
    {
        const SignsOfLife signs(m_reading.progress());
        spread::StoredProfile stored = read(m_folder.place("whole", tensor), "epochs");
        spread::UnitCounts counts = emptyCounts(m_files, tensor, stored);
        for (const ProfileUnit& unit : m_ofTensor[tensor]) {
            const std::string place = m_folder.place("counts", unit);
            requireThere(place, "counts");
            counts.addBytes(StepFolder::read(place), place);
        }
        counts.finish(stored.whole.profile, joined(tensor).info.path);
        return stored;
    }

    const ProfileOptions& m_options;
    const Reading& m_reading;
    Complaints& m_complaints;
    spread::LoneRank m_lone;
    ProfileFiles m_files;
    StepFolder m_folder;
    ToldWork m_told;
    std::vector<ProfileUnit> m_units;                  ///< the largest first
    std::vector<std::vector<ProfileUnit>> m_ofTensor;  ///< in their order
};

}  // namespace

WorkShare parsedShare(const std::string& text)
{
    WorkShare share;
    if (text.empty())
        return share;
    const char* const end = text.data() + text.size();
    const auto [slash, error] = std::from_chars(text.data(), end, share.index);
    const bool hasSlash = error == std::errc() && slash != end && *slash == '/';
    const auto [last, otherError] = std::from_chars(hasSlash ? slash + 1 : end, end, share.count);
    if (!hasSlash || otherError != std::errc() || last != end || share.index < 1 ||
        share.index > share.count)
        throw Error(Fault::Usage,
                    "--part " + text + " is not K/N, with K from 1 to N, for example 3/64");
    return share;
}

int runSteps(const ProfileOptions& options, const Reading& reading)
{
    const WorkShare share = parsedShare(options.share);
    Complaints complaints;
    ProfileSteps steps(options, reading, complaints);
    const auto is = [&](std::string_view step) {
        return options.step.empty() || options.step == step;
    };
    if (is("sums"))
        steps.sums(share);
    if (is("epochs"))
        steps.epochs();
    if (is("counts"))
        steps.counts(share);
    if (is("finish"))
        steps.finish();
    return complaints.exitCode();
}

}  // namespace calibscope::cli
