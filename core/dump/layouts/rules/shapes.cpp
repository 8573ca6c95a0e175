// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/layouts/draft.h"

#include <utility>

namespace calibscope::layouts {

namespace {

constexpr std::string_view idOfShapes = "shapes";
constexpr std::uint64_t widestKernel = 11;

/// The kernel of a convolution beside tensors of samples: two small equal axes at the end, and not
/// as many entries along axis 0 as the others have samples.
bool looksLikeKernel(const std::vector<std::uint64_t>& shape, const ShapeSurvey& survey)
{
    return shape.size() == 4 && shape[2] == shape[3] && shape[3] % 2 == 1 &&
           shape[3] <= widestKernel && shape[0] != survey.samples();
}

LayoutRule::Reader readerForShapes(const FileFacts& file)
{
    return [survey = surveyOf(file)](const TensorDatasets& datasets) -> std::optional<Understood> {
        if (datasets.facts.shape.size() < 2 || datasets.isMerged())
            return std::nullopt;
        Draft draft = draftOf(datasets, idOfShapes);
        const bool isWeight = looksLikeKernel(datasets.facts.shape, survey);
        draft.info().role = isWeight ? Role::Weight : Role::Activation;
        draft.info().isGuess = true;
        draft.because(isWeight ? "taken for a weight: its last axes are small and equal, and axis "
                                 "0 differs from the other tensors' samples"
                               : "taken for an activation: nothing says weight",
                      idOfShapes);
        takeAxesFromShape(draft, survey);
        return std::move(draft.understood);
    };
}

}  // namespace

LayoutRule shapes()
{
    return {.order = 60,
            .id = idOfShapes,
            .title = "Shapes",
            .looksFor = "rank 2 or more",
            .makes = "an activation with its samples along axis 0 and its channels along axis 1, "
                     "or the last one in rank 3 (tokens) and where the lengths say height and "
                     "width stand before it; a weight where the last two axes are small and "
                     "equal and axis 0 is not as long as the other tensors'",
            .guesses = "always",
            .readerFor = readerForShapes};
}

}  // namespace calibscope::layouts
