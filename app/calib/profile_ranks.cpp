// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/calib/profile_ranks.h"

#include "app/calib/finished_tensors.h"
#include "app/calib/profile_units.h"
#include "core/base/error.h"
#include "core/dump/profile_writer.h"
#include "core/spread/stored_profile.h"
#include "core/spread/tensor_sums.h"
#include "core/spread/unit_counts.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include <unistd.h>

namespace calibscope::cli {

namespace {

using spread::packed;
using spread::Ranks;
using spread::StoredProfile;
using spread::TensorSums;
using spread::unpacked;

/// A tensor, and its report: bytes for each, one behind the other in a message.
void addTold(std::string& message, std::size_t tensor, std::string bytes)
{
    const std::array<std::string, 2> told{std::to_string(tensor), std::move(bytes)};
    message += packed(told);
}

template <typename Take>
void forEachTold(const std::string& message, const Take& take)
{
    const std::vector<std::string> told = unpacked(message);
    for (std::size_t at = 0; at + 1 < told.size(); at += 2)
        take(std::stoull(told[at]), told[at + 1]);
}

/// What each rank's machine is, for the size of waves.
struct Machines
{
    std::size_t ranks = 1;
    std::size_t count = 1;
    std::uint64_t leastBytes = 0;
};

Machines machinesOf(Ranks& ranks)
{
    std::array<char, 256> name{};
    static_cast<void>(::gethostname(name.data(), name.size() - 1));
    const auto memory = static_cast<std::uint64_t>(std::max(::sysconf(_SC_PHYS_PAGES), 1L)) *
                        static_cast<std::uint64_t>(std::max(::sysconf(_SC_PAGESIZE), 1L));
    const std::array<std::string, 2> own{name.data(), std::to_string(memory)};
    std::set<std::string> names;
    Machines machines{.ranks = ranks.size(), .leastBytes = memory};
    for (const std::string& message : gatheredFrom(ranks, packed(own))) {
        const std::vector<std::string> told = unpacked(message);
        names.insert(told.at(0));
        machines.leastBytes = std::min<std::uint64_t>(machines.leastBytes, std::stoull(told.at(1)));
    }
    machines.count = names.size();
    return machines;
}

/// Units that are handed out together.
struct Piece
{
    std::vector<ProfileUnit> units;
    std::uint64_t bytes = 0;
};

/// Large units one by one, small ones together file by file; the largest first.
std::vector<Piece> piecesOf(std::vector<ProfileUnit> units, const ProfileFiles& files,
                            std::uint64_t unitBytes, std::size_t ranks)
{
    constexpr std::uint64_t leastPieces = 8;  // for each rank, that the last are not waited for
    std::uint64_t all = 0;
    for (const ProfileUnit& unit : units)
        all += unit.bytes;
    const std::uint64_t together = std::min(unitBytes, all / (leastPieces * ranks) + 1);
    std::ranges::stable_sort(units, {}, [&](const ProfileUnit& unit) {
        return files.place(files.tensors()[unit.tensor].parts[unit.part]);
    });
    std::vector<Piece> pieces;
    Piece small;
    for (const ProfileUnit& unit : units) {
        if (unit.bytes >= together) {
            pieces.push_back({.units = {unit}, .bytes = unit.bytes});
            continue;
        }
        small.units.push_back(unit);
        small.bytes += unit.bytes;
        if (small.bytes >= together)
            pieces.push_back(std::exchange(small, {}));
    }
    if (!small.units.empty())
        pieces.push_back(std::move(small));
    std::ranges::stable_sort(pieces, std::ranges::greater{}, &Piece::bytes);
    return pieces;
}

class RankedProfile
{
public:
    RankedProfile(const ProfileOptions& options, const Reading& reading, Ranks& ranks,
                  const ProfileFiles& files, Complaints& complaints)
        : m_options(options),
          m_reading(reading),
          m_ranks(ranks),
          m_files(files),
          m_complaints(complaints),
          m_machines(machinesOf(ranks)),
          m_units(files.tensors().size())
    {
        for (ProfileUnit& unit : profileUnits(files, options.unitBytes()))
            m_units[unit.tensor].push_back(unit);
    }

    void run()
    {
        std::optional<FinishedTensors> finished;
        if (m_ranks.rank() == 0)
            finished.emplace(m_options.finishedFolder(), m_files.key());
        std::set<std::size_t> done = whatIsDone(finished);
        for (std::size_t tensor = 0; tensor < m_units.size(); ++tensor)
            if (m_units[tensor].empty())
                done.insert(tensor);  // cannot be joined
        for (const std::vector<std::size_t>& wave : wavesOf(done)) {
            const std::string answers = work(wave);
            std::vector<std::string> toEach(m_ranks.size());
            toEach.front() = answers;
            for (const std::string& message : m_ranks.exchange(std::move(toEach)))
                forEachTold(message, [&](std::size_t tensor, const std::string& answer) {
                    finished->put(tensor, answerFrom(answer));
                });
        }
        if (finished)
            writeFinished(m_options, m_files, *finished, m_reading, m_complaints);
    }

private:
    static std::string bytesOf(const ProfileAnswer& answer)
    {
        const std::array<std::string, 2> told{answer.bytes, answer.problem};
        return packed(told);
    }
    static ProfileAnswer answerFrom(const std::string& bytes)
    {
        std::vector<std::string> told = unpacked(bytes);
        return {.bytes = std::move(told.at(0)), .problem = std::move(told.at(1))};
    }

    /// Rank 0 tells what a former run has finished, and where it crashed.
    std::set<std::size_t> whatIsDone(std::optional<FinishedTensors>& finished)
    {
        std::string own;
        if (finished) {
            const std::set<std::string> crashed =
                FinishedTensors::crashedIn(m_options.finishedFolder());
            const SignsOfLife signs(m_reading.progress());
            std::vector<std::size_t> tensors = finished->finished(m_units.size());
            for (std::size_t tensor = 0; tensor < m_units.size(); ++tensor)
                if (crashed.contains(m_files.tensors()[tensor].info.path)) {
                    finished->put(tensor, {.problem = crashSentence(m_files, tensor)});
                    tensors.push_back(tensor);
                }
            for (const std::size_t tensor : tensors)
                addTold(own, tensor, {});
        }
        std::set<std::size_t> done;
        forEachTold(gatheredFrom(m_ranks, own).front(),
                    [&](std::size_t tensor, const std::string&) { done.insert(tensor); });
        return done;
    }

    /// What a rank may have to hold of a tensor at once.
    [[nodiscard]] std::uint64_t heldBytes(std::size_t tensor) const
    {
        constexpr std::uint64_t sketchBytes = std::uint64_t{512} << 10U;
        constexpr std::uint64_t perExtents = 3 * sizeof(Extents);
        const spread::JoinedTensor& joined = m_files.tensors()[tensor];
        std::uint64_t extents = 0;
        for (const spread::JoinedPart& part : joined.parts)
            extents += m_files.visited(part).batchCount();
        extents = std::max(extents, joined.info.channelCount());
        return sketchBytes + extents * perExtents;
    }

    /// Tensors in order, as many as fit into a rank's budget and their values into half of the
    /// machines' memory, where the second pass finds them; or as many waves as were asked for.
    [[nodiscard]] std::vector<std::vector<std::size_t>>
    wavesOf(const std::set<std::size_t>& done) const
    {
        std::vector<std::uint64_t> bytes(m_units.size());
        for (std::size_t tensor = 0; tensor < m_units.size(); ++tensor)
            for (const ProfileUnit& unit : m_units[tensor])
                bytes[tensor] += done.contains(tensor) ? 0 : unit.bytes;
        const std::uint64_t all = std::accumulate(bytes.begin(), bytes.end(), std::uint64_t{0});
        const std::uint64_t near = m_options.waves > 0
                                       ? all / m_options.waves + 1
                                       : m_machines.leastBytes / 2 * m_machines.count;
        const std::uint64_t budget = m_options.opening.dumpOptions().memoryBytes / 2;
        std::vector<std::vector<std::size_t>> waves;
        std::uint64_t values = 0;
        std::uint64_t held = 0;
        for (std::size_t tensor = 0; tensor < m_units.size(); ++tensor) {
            if (done.contains(tensor))
                continue;
            const bool isFull = values + bytes[tensor] > near || held + heldBytes(tensor) > budget;
            if (waves.empty() || (isFull && !waves.back().empty())) {
                waves.emplace_back();
                values = 0;
                held = 0;
            }
            waves.back().push_back(tensor);
            values += bytes[tensor];
            held += heldBytes(tensor);
        }
        return waves;
    }

    /// What this rank, as the owner of some, has to tell of a wave's tensors.
    std::string work(const std::vector<std::size_t>& wave)
    {
        std::vector<ProfileUnit> units;
        for (const std::size_t tensor : wave)
            units.insert(units.end(), m_units[tensor].begin(), m_units[tensor].end());
        m_pieces = piecesOf(std::move(units), m_files, m_options.unitBytes(), m_ranks.size());
        m_taken.clear();
        const Plans plans = exchangedPlans(sums());
        std::string answers;
        const std::map<std::size_t, std::vector<std::string>> counted = exchangedCounts(plans);
        for (auto& [tensor, owned] : m_owned) {
            step();
            addTold(answers, tensor, bytesOf(answerOf(tensor, owned, counted)));
        }
        m_owned.clear();
        return answers;
    }

    /// What an owner makes of a tensor's sums.
    struct Owned
    {
        StoredProfile whole;
        std::string problem;
        std::set<std::size_t> holders;  ///< ranks that have read some of it
    };
    using Plans = std::map<std::size_t, StoredProfile>;

    /// A sign of life between tensors: of one with 10^5 batches all that is not reading takes seconds.
    void step() const { m_reading.progress().step(0, 0, "tensors"); }

    [[nodiscard]] std::size_t ownerOf(std::size_t tensor) const { return tensor % m_ranks.size(); }

    void begin(const std::string& what)
    {
        std::vector<spread::HandedOut> handed;
        for (const Piece& piece : m_pieces)
            handed.push_back({.bytes = piece.bytes, .name = nameOf(m_files, piece.units.front())});
        m_ranks.begin(what, handed);
    }

    /// The first pass over the pieces that this rank gets.
    std::map<std::size_t, TensorSums> sums()
    {
        begin("first pass");
        std::map<std::size_t, TensorSums> sums;
        while (const std::optional<std::size_t> piece = m_ranks.next()) {
            m_taken.push_back(*piece);
            for (const ProfileUnit& unit : m_pieces[*piece].units) {
                auto found = sums.find(unit.tensor);
                if (found == sums.end())
                    found = sums.emplace(unit.tensor, emptySums(m_files, unit.tensor)).first;
                addSums(found->second, m_files, unit, m_reading);
            }
        }
        return sums;
    }

    /// Sums go to the owners, profiles of the first pass come back to who has read the values.
    Plans exchangedPlans(std::map<std::size_t, TensorSums> sums)
    {
        std::vector<std::string> toEach(m_ranks.size());
        for (const auto& [tensor, own] : sums) {
            step();
            addTold(toEach[ownerOf(tensor)], tensor, own.bytes());
        }
        sums.clear();
        std::map<std::size_t, TensorSums> whole;
        const std::vector<std::string> received = m_ranks.exchange(std::move(toEach));
        for (std::size_t rank = 0; rank < received.size(); ++rank)
            forEachTold(received[rank], [&](std::size_t tensor, const std::string& bytes) {
                step();
                auto found = whole.find(tensor);
                if (found == whole.end())
                    found = whole.emplace(tensor, emptySums(m_files, tensor)).first;
                found->second.addBytes(bytes, "rank " + std::to_string(rank));
                m_owned[tensor].holders.insert(rank);
            });
        std::vector<std::string> plans(m_ranks.size());
        for (auto& [tensor, own] : whole) {
            step();
            Owned& owned = m_owned[tensor];
            if (own.failure()) {
                owned.problem = own.failure()->sentence;
                continue;
            }
            owned.whole = wholeOf(own, m_files, tensor);
            const std::string plan = spread::bytesOf(owned.whole);
            for (const std::size_t holder : owned.holders)
                addTold(plans[holder], tensor, plan);
        }
        whole.clear();
        Plans own;
        for (const std::string& message : m_ranks.exchange(std::move(plans)))
            forEachTold(message, [&](std::size_t tensor, const std::string& bytes) {
                step();
                own.emplace(tensor,
                            spread::storedProfileFrom(bytes, m_files.tensors()[tensor].info.path));
            });
        return own;
    }

    /// The second pass over the pieces that this rank had in the first one, whose values may still
    /// be near, tensor by tensor: counts take more memory while they are made. To the owners; what
    /// came for those of this rank.
    std::map<std::size_t, std::vector<std::string>> exchangedCounts(const Plans& plans)
    {
        begin("second pass");
        std::vector<std::pair<ProfileUnit, std::size_t>> units;
        for (const std::size_t piece : m_taken)
            for (const ProfileUnit& unit : m_pieces[piece].units)
                units.emplace_back(unit, piece);
        std::ranges::stable_sort(units, {}, [](const auto& one) {
            return std::tuple(one.first.tensor, one.first.part, one.first.range.first);
        });
        std::vector<std::string> toEach(m_ranks.size());
        for (auto first = units.begin(); first != units.end();) {
            const std::size_t tensor = first->first.tensor;
            const auto end = std::find_if(
                first, units.end(), [&](const auto& one) { return one.first.tensor != tensor; });
            if (const auto plan = plans.find(tensor); plan != plans.end())
                addTold(toEach[ownerOf(tensor)], tensor,
                        countsOf(tensor, plan->second, std::span(first, end)));
            first = end;
        }
        std::map<std::size_t, std::vector<std::string>> counted;
        for (const std::string& message : m_ranks.exchange(std::move(toEach)))
            forEachTold(message, [&](std::size_t tensor, const std::string& bytes) {
                counted[tensor].push_back(bytes);
            });
        return counted;
    }

    /// The counts as bytes, or the place and the sentence of what could not be read.
    std::string countsOf(std::size_t tensor, const StoredProfile& whole,
                         std::span<const std::pair<ProfileUnit, std::size_t>> units)
    {
        spread::UnitCounts counts = [&] {
            const SignsOfLife signs(m_reading.progress());
            return emptyCounts(m_files, tensor, whole);
        }();
        for (const auto& [unit, piece] : units) {
            m_ranks.takes(piece);
            try {
                addCounts(counts, m_files, unit, whole, m_reading);
            } catch (const Error& error) {
                if (error.fault() != Fault::Input)
                    throw;
                const std::array<std::string, 4> failure{
                    "", std::to_string(unit.part), std::to_string(unit.range.first), error.what()};
                return packed(failure);
            }
        }
        const std::array<std::string, 1> told{counts.bytes()};
        return packed(told);
    }

    ProfileAnswer answerOf(std::size_t tensor, Owned& owned,
                           const std::map<std::size_t, std::vector<std::string>>& counted) const
    {
        if (!owned.problem.empty())
            return {.problem = owned.problem};
        const SignsOfLife signs(m_reading.progress());
        try {
            spread::UnitCounts counts = emptyCounts(m_files, tensor, owned.whole);
            std::optional<spread::UnitFailure> failure;
            const auto placeOf = [](const spread::UnitFailure& one) {
                return std::tie(one.part, one.sample);
            };
            const auto found = counted.find(tensor);
            for (const std::string& bytes :
                 found == counted.end() ? std::vector<std::string>() : found->second) {
                const std::vector<std::string> told = unpacked(bytes);
                if (told.size() == 1) {
                    counts.addBytes(told.front(), m_files.tensors()[tensor].info.path);
                    continue;
                }
                const spread::UnitFailure own{.part = std::stoull(told.at(1)),
                                              .sample = std::stoull(told.at(2)),
                                              .sentence = told.at(3)};
                if (!failure || placeOf(own) < placeOf(*failure))
                    failure = own;
            }
            if (failure)
                return {.problem = failure->sentence};
            counts.finish(owned.whole.whole.profile, m_files.tensors()[tensor].info.path);
            return {.bytes = spread::bytesOf(owned.whole)};
        } catch (const Error& error) {
            if (error.fault() != Fault::Input)
                throw;
            return {.problem = error.what()};
        }
    }

    const ProfileOptions& m_options;
    const Reading& m_reading;
    Ranks& m_ranks;
    const ProfileFiles& m_files;
    Complaints& m_complaints;
    Machines m_machines;
    std::vector<std::vector<ProfileUnit>> m_units;  ///< by tensor
    std::vector<Piece> m_pieces;                    ///< of this wave
    std::vector<std::size_t> m_taken;               ///< of these, by this rank
    std::map<std::size_t, Owned> m_owned;           ///< of this wave
};

}  // namespace

int runRanks(const ProfileOptions& options, const Reading& reading, spread::Ranks& ranks)
{
    Complaints complaints(ranks.rank() != 0);
    std::optional<ProfileFiles> files;
    try {
        files.emplace(options, reading, ranks, complaints);
    } catch (const Error&) {
        // All ranks fail alike: one of them tells it.
        ranks.end();
        if (ranks.rank() == 0)
            throw;
        return 0;
    }
    RankedProfile(options, reading, ranks, *files, complaints).run();
    ranks.end();
    return complaints.exitCode();
}

void writeFinished(const ProfileOptions& options, const ProfileFiles& files,
                   const FinishedTensors& finished, const Reading& reading, Complaints& complaints)
{
    spread::ProfileIndex index = files.index();
    ProfileWriter writer(options.output.path, {{"program", "calib " CALIBSCOPE_VERSION}});
    for (std::size_t tensor = 0; tensor < files.tensors().size(); ++tensor) {
        const spread::JoinedTensor& joined = files.tensors()[tensor];
        reading.progress().step(tensor, files.tensors().size(), "tensors");
        const ProfileAnswer answer = joined.problem.empty()
                                         ? finished.take(tensor)
                                         : ProfileAnswer{.problem = joined.problem};
        if (answer.problem.empty()) {
            warnOfDoubts(files.name(joined.parts.front()), joined.info);
            writer.addTensor(answer.bytes);
            index.tensors.push_back(joined.info);
        } else {
            complaints.add(answer.problem);
            index.warnings.push_back(answer.problem);
        }
    }
    reading.ends();
    writer.finish(spread::bytesOf(index));
    FinishedTensors::clear(options.finishedFolder());
}

std::string crashSentence(const ProfileFiles& files, std::size_t tensor)
{
    const spread::JoinedTensor& joined = files.tensors()[tensor];
    return files.name(joined.parts.front()) + ":" + joined.info.path +
           ": skipped: reading it crashed the run being resumed; record the file again, or use "
           "--fresh to start over";
}

}  // namespace calibscope::cli
