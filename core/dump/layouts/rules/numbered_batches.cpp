// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/layouts/draft.h"

#include <utility>

namespace calibscope::layouts {

namespace {

constexpr std::string_view idOfNumberedBatches = "numbered-batches";

LayoutRule::Reader readerForNumberedBatches(const FileFacts& file)
{
    return [survey = surveyOf(file)](const TensorDatasets& datasets) -> std::optional<Understood> {
        if (!datasets.isMerged())
            return std::nullopt;
        Draft draft = draftOf(datasets, idOfNumberedBatches);
        draft.info().role = Role::Activation;
        draft.info().isGuess = true;
        draft.because("taken for an activation: it was recorded in batches", idOfNumberedBatches);
        takeAxesFromShape(draft, survey);
        return std::move(draft.understood);
    };
}

}  // namespace

LayoutRule numberedBatches()
{
    return {.order = 70,
            .id = idOfNumberedBatches,
            .title = "Numbered batches",
            .looksFor = "datasets `0`, `1`, `2`, ... (also `000`, `batch_0`, `b12`, `step_3`) of "
                        "one shape that fill a group, the last one perhaps shorter; for these the "
                        "rules above decide role and channels, where they apply",
            .makes = "one tensor of batches, named as the group; flattened ones have no channels",
            .guesses = "always; outputs of one module may look the same, then use `--no-merge`",
            .readerFor = readerForNumberedBatches};
}

}  // namespace calibscope::layouts
