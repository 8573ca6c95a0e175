// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/calib/layer_input.h"
#include "app/calib/model_check.h"
#include "core/deploy/end_noise.h"
#include "core/deploy/improvement_file.h"
#include "core/layers/improvements.h"

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace calibscope::cli {

/// --end and what goes with it.
struct EndOptions
{
    std::string path;  ///< of the table; empty: none is wanted
    std::uint64_t within = 100;
    bool predicts = false;
    bool budgets = false;
    bool isKnown = false;       ///< the rows of what the file has
    bool isBest = false;        ///< the best of its choices
    bool isAdjoint = false;     ///< choices of operands that were measured with others
    std::uint64_t measure = 0;  ///< points of the budget, or the mix that is predicted
    std::uint64_t draws = 0;
    std::vector<std::string> costs;
    std::string costOf = "multiplications";

    void declare(Command& command);
    [[nodiscard]] bool isAny() const
    {
        return predicts || budgets || isKnown || isBest || isAdjoint || measure > 0 || draws > 0 ||
               within < 100 || !costs.empty();
    }
    /// All figures are those of the file.
    [[nodiscard]] bool runsNothing() const
    {
        return isKnown || isBest || ((predicts || budgets) && measure == 0 && draws == 0);
    }
    /// Throws Error(Usage) for costs that are none.
    [[nodiscard]] deploy::BudgetCost budgetCost() const;
};

/// The options of `calib improve`.
struct ImproveCommandOptions : LayerInput
{
    ImproveCommandOptions() { computesOutputs = true; }

    std::vector<std::string> remedies = {"precision", "channels", "rounding", "bias"};
    std::vector<std::string> without;  ///< LAYER:REMEDY
    std::string heldOut = "alternate";
    bool insertsMul = false;    ///< in front of layers whose factors no constant takes
    bool climbs = false;        ///< --ladder
    bool isSequential = false;  ///< the ladder tries biases by the quantized model's own errors
    EndOptions end;
    std::string places = "layers";  ///< of pairs in the models that are run
    ModelCheckOptions runs;         ///< the runner of these
    OutputOptions output;  ///< its path is that of the chosen improvements, or of the model

    [[nodiscard]] layers::ImproveOptions improveOptions() const;
    /// Hands the dump and the model to the runner, whose figures at the end go to that file. Throws
    /// Error(Usage), naming the option that asks for runs, without one dump and a model.
    void prepareRuns(std::string_view option, const std::string& figures);
    [[nodiscard]] Progress progressOf(const Reading& reading) const;
    [[nodiscard]] bool writesModel() const { return output.path.ends_with(".onnx"); }
};

/// The dump of that index with its remedies.
struct ImprovedDump
{
    DecidedLayers layers;
    ImprovementReport report;
};
[[nodiscard]] ImprovedDump improvedDump(const ImproveCommandOptions& options, std::size_t index,
                                        const std::set<Remedy>& remedies, const Reading& reading,
                                        Complaints& complaints);
/// The file of these improvements of that dump.
[[nodiscard]] deploy::SavedDump savedDump(const ImproveCommandOptions& options,
                                          const ImprovedDump& improved, std::size_t index,
                                          const Reading& reading);
[[nodiscard]] deploy::SavedImprovements savedImprovements(const ImproveCommandOptions& options);

/// Climbs the ladder: the models of one remedy after the other are run, those that surely lower the
/// network's output are left out; reports it, and writes what was accepted. An exit code.
int runLadder(ImproveCommandOptions& options);

/// Measures what each operand alone brings to the network's end, as far as its table does not have
/// it, and prints the table; or predicts from it. An exit code.
int runEnd(ImproveCommandOptions& options);

}  // namespace calibscope::cli
