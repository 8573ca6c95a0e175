// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/calib/profile_steps.h"

#include "app/calib/kept_parts.h"
#include "app/calib/profile_units.h"
#include "core/base/digest.h"
#include "core/base/error.h"
#include "core/base/hex.h"
#include "core/dump/profile_writer.h"
#include "core/spread/ranks.h"
#include "core/spread/stored_profile.h"
#include "core/spread/tensor_sums.h"
#include "core/spread/unit_counts.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

namespace calibscope::cli {

namespace {

std::string nameOf(const std::string& what, std::size_t tensor)
{
    return what + "-" + std::to_string(tensor);
}

std::string nameOf(const std::string& what, const ProfileUnit& unit)
{
    return nameOf(what, unit.tensor) + "-" + std::to_string(unit.part) +
           (unit.range.first > 0 ? "-" + std::to_string(unit.range.first) : "");
}

class ProfileSteps
{
public:
    ProfileSteps(const ProfileOptions& options, const Reading& reading, Complaints& complaints)
        : m_options(options),
          m_reading(reading),
          m_complaints(complaints),
          m_files(options, reading, m_lone, complaints),
          m_parts(options.partsFolder,
                  hexText(sha256(m_files.key() + std::to_string(options.unitMib))) + "\n",
                  "name another folder"),
          m_units(profileUnits(m_files, options.unitBytes())),
          m_ofTensor(m_files.tensors().size())
    {
        for (const ProfileUnit& unit : m_units)
            m_ofTensor[unit.tensor].push_back(unit);
        std::ranges::stable_sort(m_units, std::ranges::greater{}, &ProfileUnit::bytes);
    }

    void sums(const WorkShare& share)
    {
        std::vector<ProfileUnit> units = unitsOf(share);
        std::erase_if(units, [&](const ProfileUnit& unit) { return has(nameOf("sums", unit)); });
        forEach("first pass", units, [this](const ProfileUnit& unit) { sumsOf(unit); });
    }

    void epochs()
    {
        for (std::size_t tensor = 0; tensor < m_files.tensors().size(); ++tensor)
            if (joined(tensor).problem.empty() && !has(nameOf("whole", tensor)) &&
                (hasAllSums(tensor) || !failureOf(tensor)))
                join(tensor);
    }

    void counts(const WorkShare& share)
    {
        std::vector<ProfileUnit> units = unitsOf(share);
        std::erase_if(units, [&](const ProfileUnit& unit) {
            const bool hasWhole = has(nameOf("whole", unit.tensor));
            return (!hasWhole && failureOf(unit.tensor)) || has(nameOf("counts", unit));
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

    [[nodiscard]] bool has(const std::string& name) const { return m_parts.find(name).has_value(); }

    [[nodiscard]] bool hasAllSums(std::size_t tensor) const
    {
        return std::ranges::all_of(
            m_ofTensor[tensor], [&](const ProfileUnit& unit) { return has(nameOf("sums", unit)); });
    }

    /// Why a tensor is left out: the sentence of its first unit that failed, or of the whole.
    [[nodiscard]] std::optional<std::string> failureOf(std::size_t tensor) const
    {
        std::vector<std::string> names;
        for (const ProfileUnit& unit : m_ofTensor[tensor])
            names.push_back(nameOf("failed", unit));
        names.push_back(nameOf("failed", tensor));
        for (const std::string& name : names)
            if (std::optional<std::string> problem = m_parts.find(name))
                return problem;
        return std::nullopt;
    }

    /// Calls work(), whose failure is kept for the step that ends.
    template <typename Work>
    void keepingFailure(const std::string& name, const Work& work)
    {
        const std::optional<std::string> problem = inputProblem([&] {
            work();
            m_parts.remove(name);
        });
        if (problem) {
            m_complaints.add(*problem);
            m_parts.keep(name, *problem);
        }
    }

    void sumsOf(const ProfileUnit& unit)
    {
        spread::TensorSums sums = emptySums(m_files, unit.tensor);
        addSums(sums, m_files, unit, m_reading);
        keepingFailure(nameOf("failed", unit), [&] {
            if (sums.failure())
                throw Error(Fault::Input, sums.failure()->sentence);
            m_parts.keep(nameOf("sums", unit), sums.bytes());
        });
    }

    /// The parts that a former step has left.
    [[nodiscard]] std::string left(const std::string& name, std::string_view step) const
    {
        std::optional<std::string> bytes = m_parts.find(name);
        if (!bytes)
            throw Error(Fault::Usage, "{} is missing; run --step {} with each of its parts first",
                        m_parts.place(name), step);
        return *std::move(bytes);
    }

    [[nodiscard]] spread::StoredProfile wholeLeft(std::size_t tensor) const
    {
        const std::string name = nameOf("whole", tensor);
        return spread::storedProfileFrom(left(name, "epochs"), m_parts.place(name));
    }

    void join(std::size_t tensor)
    {
        const SignsOfLife signs(m_reading.progress());
        spread::TensorSums sums = emptySums(m_files, tensor);
        for (const ProfileUnit& unit : m_ofTensor[tensor]) {
            const std::string name = nameOf("sums", unit);
            sums.addBytes(left(name, "sums"), m_parts.place(name));
        }
        keepingFailure(nameOf("failed", tensor), [&] {
            m_parts.keep(nameOf("whole", tensor), bytesOf(wholeOf(sums, m_files, tensor)));
        });
    }

    void countsOf(const ProfileUnit& unit)
    {
        const spread::StoredProfile whole = wholeLeft(unit.tensor);
        keepingFailure(nameOf("failed", unit), [&] {
            spread::UnitCounts counts = [&] {
                const SignsOfLife signs(m_reading.progress());
                return emptyCounts(m_files, unit.tensor, whole);
            }();
            addCounts(counts, m_files, unit, whole, m_reading);
            m_parts.keep(nameOf("counts", unit), counts.bytes());
        });
    }

    [[nodiscard]] spread::StoredProfile finished(std::size_t tensor) const
    {
        const SignsOfLife signs(m_reading.progress());
        spread::StoredProfile stored = wholeLeft(tensor);
        spread::UnitCounts counts = emptyCounts(m_files, tensor, stored);
        for (const ProfileUnit& unit : m_ofTensor[tensor]) {
            const std::string name = nameOf("counts", unit);
            counts.addBytes(left(name, "counts"), m_parts.place(name));
        }
        counts.finish(stored.whole.profile, joined(tensor).info.path);
        return stored;
    }

    const ProfileOptions& m_options;
    const Reading& m_reading;
    Complaints& m_complaints;
    spread::LoneRank m_lone;
    ProfileFiles m_files;
    KeptParts m_parts;
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
        throw Error(Fault::Usage, "--part {} is not K/N, with K from 1 to N, for example 3/64",
                    text);
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
