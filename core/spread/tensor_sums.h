// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/spread/stored_profile.h"
#include "core/stats/summed_profile.h"
#include "core/tensor/tensor_info.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace calibscope::spread {

/// Why some samples of a tensor could not be read: a sentence, and where they begin. Of several the
/// one at the lowest place is reported, whoever met it.
struct UnitFailure
{
    std::uint64_t part = 0;
    std::uint64_t sample = 0;
    std::string sentence;
};

/// A part of a tensor, as visited: the batch axis in front.
struct SummedPart
{
    TensorInfo info;
    std::uint64_t firstChannel = 0;  ///< in the whole
    /// Of `channels` in the whole where it holds some of them alone; 0: it holds all.
    std::uint64_t channels = 0;
};

/// The first pass over a tensor in units: what they came to adds up in any order and in any groups.
class TensorSums
{
public:
    /// `parts`: one at least, those of the same samples one behind the other by channel.
    explicit TensorSums(std::vector<SummedPart> parts);
    /// Parts that hold all channels.
    explicit TensorSums(const std::vector<TensorInfo>& parts);

    void add(std::size_t part, const UnitSums& unit);
    void add(const UnitFailure& failure);
    [[nodiscard]] const std::optional<UnitFailure>& failure() const { return m_failure; }

    /// All that was added: equal sums are equal bytes.
    [[nodiscard]] std::string bytes() const;
    /// Adds what another one of the same tensor has. Throws Error(Input), a sentence that begins
    /// with `where`, for bytes that are damaged or of another.
    void addBytes(std::string_view bytes, const std::string& where);

    /// The profile of all units, equal to that of the parts one after another; batches of parts of
    /// the same samples are one. `info` is that of the whole, `files` the places of the parts'
    /// files in recorded order. Throws Error(Input) that begins with `where` if some are missing.
    [[nodiscard]] StoredProfile whole(const TensorInfo& info, std::span<const std::uint64_t> files,
                                      const std::string& where) const;

private:
    struct PartSums
    {
        std::uint64_t firstBatch = 0;  ///< of those that were met
        std::vector<Extents> batches;
        FirstNotFinite first;
        ZeroBlocks zeroBlocks;
        std::vector<ZeroRun> zeroEnds;
    };
    static void addBatches(PartSums& sums, std::uint64_t first, std::span<const Extents> batches);
    void addTotals(const ExactPowers& powers, const std::vector<Extents>& channels,
                   std::uint64_t firstChannel, const MagnitudeSketch& sketch);

    std::vector<SummedPart> m_tensorParts;
    std::map<std::size_t, PartSums> m_parts;
    ExactPowers m_powers;
    std::vector<Extents> m_channels;
    MagnitudeSketch m_sketch;
    std::optional<UnitFailure> m_failure;
};

}  // namespace calibscope::spread
