// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/layouts/draft.h"

#include <utility>

namespace calibscope::layouts {

namespace {

LayoutRule::Reader readerForMarked(const FileFacts& file)
{
    return [survey = surveyOf(file)](const TensorDatasets& datasets) -> std::optional<Understood> {
        Draft draft = draftOf(datasets, "marked");
        if (!draft.info().name.ends_with("_marked"))
            return std::nullopt;
        draft.info().role = Role::Weight;
        draft.because("taken for a weight: its name ends in _marked", "marked");
        takeAxesFromShape(draft, survey);
        return std::move(draft.understood);
    };
}

}  // namespace

LayoutRule addedRule()
{
    return {.order = 1,
            .id = "marked",
            .title = "Marked",
            .looksFor = "names that end in `_marked`",
            .makes = "weights",
            .guesses = "never",
            .readerFor = readerForMarked};
}

}  // namespace calibscope::layouts
