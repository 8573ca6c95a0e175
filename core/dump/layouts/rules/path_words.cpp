// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/layouts/path_words.h"

#include "core/dump/layouts/draft.h"

#include <utility>

namespace calibscope::layouts {

namespace {

constexpr std::string_view idOfPathWords = "path-words";

LayoutRule::Reader readerForPathWords(const FileFacts& file)
{
    return [survey = surveyOf(file)](const TensorDatasets& datasets) -> std::optional<Understood> {
        Draft draft = draftOf(datasets, idOfPathWords);
        takeRoleFromWords(draft);
        if (!draft.hasRole)
            return std::nullopt;
        takeAxesFromShape(draft, survey);
        return std::move(draft.understood);
    };
}

}  // namespace

LayoutRule pathWords()
{
    return {.order = 50,
            .id = idOfPathWords,
            .title = "Path keywords",
            .looksFor = "words between `/` and `.`: `activations`, `acts`, `outputs`, `features`, "
                        "`hidden`; `weights`, `params`, `state_dict`, `kernel`; a last part "
                        "`weight`, `bias`, `kernel:0`, `gamma`, `running_mean`, ...",
            .makes = "the role, of a vector called `bias` that of a bias; axes by the shape as "
                     "`shapes` does for activations; axis 0 of a "
                     "weight is the output channel, the last one of a `kernel`; vectors have one "
                     "scale",
            .guesses = "axes that the shape leaves open: a convolution that might be transposed, "
                       "channels first or last",
            .readerFor = readerForPathWords};
}

}  // namespace calibscope::layouts
