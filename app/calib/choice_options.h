#pragma once

#include "core/recipes/outcome.h"
#include "core/recipes/preset.h"
#include "core/recipes/recipe.h"
#include "core/tensor/tensor_info.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace calibscope::cli {

/// Which calibrations are asked for: --recipe, --preset, --calibrator, --recipe-file, and what
/// overrides them.
class ChoiceOptions
{
public:
    void declare(CLI::App& subcommand);

    /// Checks all names and values before a file is opened, and reads the recipe files. Throws
    /// Error.
    void resolve();

    /// The choices for a tensor, fitted to it: of the recipes, the presets, the calibrators, each
    /// in the order given; without any, of every recipe that is no variant.
    [[nodiscard]] std::vector<Choice> choicesFor(const TensorInfo& tensor,
                                                 const Consumers& consumers) const;

private:
    [[nodiscard]] Choice overridden(Choice choice) const;

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

}  // namespace calibscope::cli
