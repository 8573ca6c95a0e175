// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/layouts/draft.h"

#include <utility>

namespace calibscope::layouts {

namespace {

constexpr std::string_view idOfGeneric = "generic";

LayoutRule::Reader readerForGeneric(const FileFacts& /*file*/)
{
    return [](const TensorDatasets& datasets) -> std::optional<Understood> {
        Draft draft = draftOf(datasets, idOfGeneric);
        draft.because("nothing states its role or its axes", idOfGeneric);
        return std::move(draft.understood);
    };
}

}  // namespace

LayoutRule generic()
{
    return {.order = 1000,
            .id = idOfGeneric,
            .title = "Any HDF5 file",
            .looksFor = "nothing: all that is left",
            .makes = "a tensor of unknown role, one batch, without channels",
            .guesses = "",
            .readerFor = readerForGeneric};
}

}  // namespace calibscope::layouts
