#pragma once

#include "core/metrics/error_tally.h"
#include "core/recipes/outcome.h"
#include "core/stats/profile.h"

#include <span>
#include <vector>

namespace calibscope {

/// Min-max under each scheme in which a choice of `choices` follows the entropy text as written, to
/// tell where that loses much against it.
class MinMaxReference
{
public:
    MinMaxReference(std::span<const Choice> choices, const TensorProfile& profile);

    [[nodiscard]] const std::vector<Quantizer>& quantizers() const { return m_quantizers; }

    /// Adds the note to such a choice's outcome. `tallies` are those of quantizers(), in order.
    void note(Outcome& outcome, std::span<const ErrorTally> tallies) const;

private:
    std::vector<Scheme> m_schemes;
    std::vector<Quantizer> m_quantizers;
};

}  // namespace calibscope
