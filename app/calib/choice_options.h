// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/command_line.h"
#include "core/recipes/outcome.h"
#include "core/recipes/preset.h"
#include "core/recipes/recipe.h"
#include "core/stats/histogram.h"
#include "core/tensor/tensor_info.h"

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace calibscope::cli {

/// Which calibrations are asked for: --recipe, --preset, --calibrator, --recipe-file, and what
/// overrides them.
class ChoiceOptions
{
public:
    void declare(Command& command);

    /// Whether any recipe, preset or calibrator was given, and how many, or what overrides them.
    [[nodiscard]] bool isGiven() const;
    [[nodiscard]] std::size_t count() const;
    /// Each of them alone, with what overrides all, in the order of choicesFor(): before resolve().
    [[nodiscard]] std::vector<ChoiceOptions> each() const;
    /// That recipe alone.
    [[nodiscard]] static ChoiceOptions ofRecipe(std::string id);
    /// As on the command line: "--calibrator mse --scheme affine".
    [[nodiscard]] std::string text() const;
    /// A scheme, bits or a granularity for all choices was given.
    [[nodiscard]] bool overrides() const;
    /// The granularity for all choices; a tensor's own scale where none was given.
    [[nodiscard]] Granularity granularity() const;

    /// Checks all names and values before a file is opened, and reads the recipe files. Throws
    /// Error.
    void resolve();

    /// The choices for a tensor, fitted to it: of the recipes, the presets, the calibrators, each
    /// in the order given; without any, of every recipe that is not a variant.
    [[nodiscard]] std::vector<Choice> choicesFor(const TensorInfo& tensor,
                                                 const Consumers& consumers) const;

    /// A choice with the scheme, bits and granularity that were given. Throws Error where its
    /// calibrator has no such form.
    [[nodiscard]] Choice overridden(Choice choice) const;

private:
    /// An option by which choices are named.
    struct Named
    {
        std::string_view option;
        std::vector<std::string> ChoiceOptions::*values;
    };
    static const std::array<Named, 4> allNamed;

    std::vector<std::string> m_recipeIds;
    std::vector<std::string> m_presets;  // ID[:parameter=value,...]
    std::vector<std::string> m_calibrators;
    std::vector<std::string> m_recipeFiles;
    std::string m_scheme;
    std::string m_granularity;
    std::optional<int> m_bits;
    std::vector<Recipe> m_recipes;  // filled by resolve()
    std::map<std::string, Preset> m_presetsById;
};

/// Which histogram is meant: --growth, --bins, --domain.
struct HistogramOptions
{
    std::string growth = "fixed";
    int bins = 0;        ///< 0: as the rule was published
    std::string domain;  ///< empty: likewise

    void declare(Command& command);
    /// Throws Error(Usage) for an unknown rule.
    [[nodiscard]] HistogramSpec spec() const;
};

}  // namespace calibscope::cli
