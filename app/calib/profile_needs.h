// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/calib/choice_options.h"
#include "core/calibrators/calibrator.h"
#include "core/recipes/recipe.h"
#include "core/spread/joined_tensors.h"
#include "core/stats/histogram.h"

#include <map>
#include <span>
#include <string>
#include <vector>

namespace calibscope::cli {

/// What the profile of each tensor is to hold: by default all that the published recipes, the
/// presets and the calibrators as they come may need for a tensor as a whole.
class WantedNeeds
{
public:
    /// `histograms`, as GROWTH[:bins=N][:domain=signed], and `percentiles`, where there are any,
    /// take the place of those. Throws Error(Usage) for a text that is not a histogram.
    WantedNeeds(std::span<const std::string> histograms, std::vector<double> percentiles,
                std::span<const spread::JoinedTensor> tensors);

    /// The same for equal extents, whoever asks. May be called by several threads.
    [[nodiscard]] CalibratorNeeds of(const TensorInfo& tensor, const Extents& extents) const;

private:
    std::vector<double> m_percentiles;
    std::vector<HistogramSpec> m_histograms;
    ChoiceOptions m_published;
    Consumers m_consumers;
    std::vector<Choice> m_defaults;
    std::map<std::string, std::vector<Choice>> m_taken;  ///< by path: what gives others its range
};

}  // namespace calibscope::cli
