// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/layouts/keras_axes.h"

#include <array>
#include <utility>

namespace calibscope::layouts {

namespace {

constexpr std::string_view idOfSetApart = "set-apart";

/// The attribute CLASS of the HDF5 specifications of images, tables and dimension scales.
struct OtherClass
{
    std::string_view word;
    std::string_view what;
};
constexpr std::array otherClasses{
    OtherClass{"IMAGE", "an image"}, OtherClass{"PALETTE", "a palette"},
    OtherClass{"DIMENSION_SCALE", "a scale of an axis"}, OtherClass{"TABLE", "a table"}};

LayoutRule::Reader readerForSetApart(const FileFacts& /*file*/)
{
    return [](const TensorDatasets& datasets) -> std::optional<Understood> {
        const auto found = datasets.facts.attributes.find("CLASS");
        if (found == datasets.facts.attributes.end())
            return std::nullopt;
        const auto* word = std::get_if<std::string>(&found->second);
        for (const OtherClass& other : otherClasses)
            if (word != nullptr && *word == other.word) {
                Draft draft = draftOf(datasets, idOfSetApart);
                layouts::setApart(draft, std::string(other.what), idOfSetApart);
                return std::move(draft.understood);
            }
        return std::nullopt;
    };
}

}  // namespace

LayoutRule setApart()
{
    return {.order = 45,
            .id = idOfSetApart,
            .title = "Not a tensor",
            .looksFor = "the attribute `CLASS` = `IMAGE`, `PALETTE`, `DIMENSION_SCALE` or `TABLE`",
            .makes = "lists it, and does not read it",
            .guesses = "",
            .readerFor = readerForSetApart};
}

}  // namespace calibscope::layouts
