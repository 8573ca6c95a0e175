// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/metrics/error_tally.h"
#include "core/recipes/outcome.h"
#include "core/stats/profile.h"

#include <span>
#include <vector>

namespace calibscope {

/// Min-max under each scheme in which a choice of `choices` is an entropy threshold, to tell where
/// that loses much against it.
class MinMaxReference
{
public:
    MinMaxReference(std::span<const Choice> choices, const TensorProfile& profile);

    [[nodiscard]] const std::vector<Quantizer>& quantizers() const { return m_quantizers; }

    /// Adds a note to the row of such a choice where its SQNR is more than 6 dB below that of
    /// min-max. `own` holds the errors of the row's quantizer, `tallies` those of quantizers(), in
    /// order, on the same values.
    void note(ScaleRow& row, const Choice& choice, const ErrorTally& own,
              std::span<const ErrorTally> tallies) const;

private:
    std::vector<Scheme> m_schemes;
    std::vector<Quantizer> m_quantizers;
};

}  // namespace calibscope
