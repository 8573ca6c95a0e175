#include "core/dump/layouts/draft.h"

#include <utility>

namespace calibscope::layouts {

namespace {

constexpr std::string_view id = "generic";

LayoutRule::Reader readerFor(const FileFacts& /*file*/)
{
    return [](const TensorDatasets& datasets) -> std::optional<Understood> {
        Draft draft = draftOf(datasets, id);
        draft.because("nothing states its role or its axes", id);
        return std::move(draft.understood);
    };
}

}  // namespace

LayoutRule generic()
{
    return {.order = 1000,
            .id = id,
            .title = "Any HDF5 file",
            .looksFor = "nothing: all that is left",
            .makes = "a tensor of unknown role, one batch, without channels",
            .guesses = "",
            .readerFor = readerFor};
}

}  // namespace calibscope::layouts
