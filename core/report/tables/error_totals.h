#pragma once

#include "core/recipes/outcome.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace calibscope {

/// The squared errors of all activations of a network, added up for each choice: the quantization
/// error that Moffett adds over the outputs of all layers.
class ErrorTotals
{
public:
    /// Weights, and outcomes without the metric, add nothing.
    void add(const Outcome& outcome);

    /// [{"recipe": ..., "activations": ..., "squared_error": ...}, ...] in the order of first
    /// appearance; "preset" or "calibrator" where the choice is of no recipe.
    [[nodiscard]] std::string json() const;

private:
    struct Total
    {
        std::string kind;  ///< "recipe", "preset", "calibrator"
        std::string id;    ///< of a calibrator with its settings
        std::uint64_t activations = 0;
        double squaredError = 0.0;
    };
    std::vector<Total> m_totals;
};

}  // namespace calibscope
