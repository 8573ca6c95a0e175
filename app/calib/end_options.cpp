// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/calib/improve_options.h"
#include "core/base/error.h"
#include "core/base/number_text.h"

#include <cmath>
#include <string>

namespace calibscope::cli {

void EndOptions::declare(Command& command)
{
    command.add({.names = "--end",
                 .target = &path,
                 .help = "Measure the noise that each operand alone brings to the network's end, "
                         "as far as this file does not have it",
                 .type = "FILE"});
    command.add({.names = "--within",
                 .target = &within,
                 .help = "With --end: of operands that were measured with other choices, only "
                         "those that bring so much of the noise",
                 .type = "PERCENT",
                 .showsDefault = true,
                 .range = OptionRange{1, 100}});
    command.add({.names = "--adjoint",
                 .target = &isAdjoint,
                 .help = "With --end: estimates choices of operands that were measured with others "
                         "by gradients of the end, without running each"});
    command.add({.names = "--predict",
                 .target = &predicts,
                 .help = "With --end: the end of the decided model from what the file has"});
    command.add({.names = "--known",
                 .target = &isKnown,
                 .help = "With --end: the rows of what the file has; nothing is run"});
    command.add({.names = "--best",
                 .target = &isBest,
                 .help = "With --end: the choices of the file that bring least noise; nothing is "
                         "run"});
    command.add({.names = "--budget",
                 .target = &budgets,
                 .help = "With --end: which layers to have in int16 or float, by their cost"});
    command.add({.names = "--measure",
                 .target = &measure,
                 .help = "Also run the predicted model, or so many points of the budget",
                 .type = "N",
                 .range = OptionRange{0, 10000}});
    command.add({.names = "--draws",
                 .target = &draws,
                 .help = "With --end: also run the decided model with every scale times 1 to 1.003",
                 .type = "N",
                 .range = OptionRange{0, mostDraws}});
    command.add({.names = "--cost",
                 .target = &costs,
                 .help = "With --budget: cost of a layer, times that in int8 (int16=2,float=4)",
                 .type = "NAME=FACTOR,...",
                 .delimiter = ','});
    command.add({.names = "--cost-of",
                 .target = &costOf,
                 .help = "With --budget: what is counted of a layer",
                 .showsDefault = true,
                 .words = {"multiplications", "weights"}});
}

deploy::BudgetCost EndOptions::budgetCost() const
{
    deploy::BudgetCost cost{.isOfWeights = costOf == "weights"};
    if (cost.isOfWeights)
        cost.int16 = 1.0;  // the input alone has 16 bits
    for (const std::string& text : costs) {
        const auto value = parseNumber(std::string_view(text).substr(text.find('=') + 1));
        double* const factor = text.starts_with("int16=")   ? &cost.int16
                               : text.starts_with("float=") ? &cost.inFloat
                                                            : nullptr;
        if (factor == nullptr || !value || !(*value >= 0.0) || !std::isfinite(*value))
            throw Error(Fault::Usage, "--cost {}: give factors as in int16=2,float=4", text);
        *factor = *value;
    }
    return cost;
}

}  // namespace calibscope::cli
