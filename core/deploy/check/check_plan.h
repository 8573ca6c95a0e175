// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/deploy/check/runner_job.h"
#include "core/deploy/names/name_map.h"
#include "core/dump/dump_file.h"
#include "core/model/tensor_scales.h"
#include "core/quant/tensor_quantization.h"
#include "core/results/check_results.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

/// The check of a quantized model, step by step. What reads dumps, models and arrays runs in
/// processes under guard, which start no programs; what starts the runner reads nothing of them. So
/// the steps hand what they know to each other in a folder.
namespace calibscope::deploy {

/// Samples that are run together.
struct CheckBatch
{
    std::uint64_t first = 0;  ///< sample of the recording
    std::uint64_t count = 0;
    bool operator==(const CheckBatch&) const = default;
};

/// A tensor that both models give when they are run.
struct PlannedOutput
{
    std::string name;
    std::string op;
    bool isOutput = false;                  ///< of the model; else it is looked into
    std::optional<std::uint64_t> recorded;  ///< which tensor of the dump it is
    bool isHalf = false;                    ///< is recorded in 16-bit floats
    bool isEnd = false;                     ///< what is compared where the plan judges ends alone
    std::string flattenedTo = {};  ///< the model's output that an end stands before; empty: none
    bool operator==(const PlannedOutput&) const = default;
};

/// An activation that the quantized model has in integers.
struct ProbedTensor
{
    std::string name;
    std::string op;
    std::int64_t order = 0;  ///< position in the graph
    bool isInput = false;    ///< of the model: `place` is among the inputs, else among the outputs
    std::uint64_t place = 0;
    TensorQuantization quantization;
    /// Divisor of each channel of the float model's values in the quantized one; empty: 1.
    std::vector<float> times = {};
    bool areLast = false;                ///< its channels: the last axis, or the second one
    std::optional<double> outputSqnrDb;  ///< of the layer that makes it; nothing: not computed
    bool operator==(const ProbedTensor&) const = default;
};

/// A weight needs no run: its figures are known from the models.
struct ProbedWeight
{
    std::int64_t order = 0;
    TensorCheck figures;
    bool operator==(const ProbedWeight&) const = default;
};

/// An operand of a cut.
struct PlannedOperand
{
    std::uint64_t asked = 0;  ///< position in CheckOptions::alone
    std::string tensor;
    std::string input;                     ///< of the cut's model
    bool isWeight = false;                 ///< its values, both ways, are files of the feeds
    TensorQuantization quantization = {};  ///< of an activation
    bool operator==(const PlannedOperand&) const = default;
};

/// A model of what follows some operands, cut-0.onnx and so on: for each of them it is run with
/// that one quantized, in one job.
struct PlannedCut
{
    std::vector<PlannedOperand> operands;
    std::vector<std::string> taken;  ///< its other inputs
    bool operator==(const PlannedCut&) const = default;
};

/// A choice whose effect at the end a model of the way back computes.
struct PlannedProduct
{
    std::uint64_t set = 0;  ///< position in CheckOptions::adjoint
    std::uint64_t asked = 0;
    std::string whyNot = {};  ///< empty: it is a row of the product
    bool operator==(const PlannedProduct&) const = default;
};

/// The model adjoint.onnx (model::adjointModel()).
struct PlannedAdjoint
{
    std::string end;
    std::vector<std::string> taken;  ///< inputs of the network
    std::string vector;              ///< input; empty: there is no such model
    std::string product;
    std::vector<PlannedProduct> products;  ///< rows first
    bool operator==(const PlannedAdjoint&) const = default;
};

struct CheckPlan
{
    std::string model;
    std::string quantized;  ///< empty: none
    std::string dump;
    std::vector<std::string> inputs;
    std::vector<CheckBatch> batches;
    std::vector<PlannedOutput> outputs;  ///< the model's own first
    std::vector<ProbedTensor> tensors;   ///< where ends alone are judged: CheckOptions::averaged
    std::vector<ProbedWeight> weights;
    std::uint64_t draws = 0;              ///< or variants that are written, draw-1.onnx and so on
    std::vector<std::string> sized = {};  ///< tensors whose numbers of values the float model gives
    std::vector<PlannedCut> cuts = {};
    PlannedAdjoint adjoint = {};
    std::vector<std::string> given = {};  ///< further tensors that cuts take from the float model
    /// Only the ends of the network are compared, of the model as written: its outputs, or what a
    /// Sigmoid or Softmax makes them of.
    bool judgesEnds = false;
    std::vector<std::string> notes;

    [[nodiscard]] std::uint64_t samples() const;
    /// The runs of quantized models are compared there: at ends if the plan judges them
    /// alone, else at the model's own outputs.
    [[nodiscard]] bool isCompared(const PlannedOutput& output) const
    {
        return judgesEnds ? output.isEnd : output.isOutput;
    }
    /// Its name, and where it stands before one of the model's outputs, that one with its operator.
    [[nodiscard]] std::string endText(const PlannedOutput& output) const;
    bool operator==(const CheckPlan&) const = default;
};

[[nodiscard]] std::string planText(const CheckPlan& plan);
/// Throws Error(Input) that begins with `origin`.
[[nodiscard]] CheckPlan parsePlan(const std::string& text, const std::string& origin);

/// Which of the runs.
enum class CheckRun {
    Float,    ///< the float model, each node as written
    Written,  ///< the quantized one likewise
    Fused,    ///< the quantized one with all optimisation, its own outputs only
    Draw,     ///< a draw as written, its own outputs only; or a variant, its ends, too
};

/// The job of one run over some batches of the plan, `first` and `count` of them. Files: feeds/B-I,
/// float/B-O, written/B-O, fused/B-O, draw/B-O with the places of batch, input and output; the
/// numbers of values of sized tensors are the float run's behind all outputs, given tensors behind these. `draw`: the number of a
/// draw or variant, from 1.
[[nodiscard]] RunnerJob jobOf(const CheckPlan& plan, CheckRun run, std::size_t first,
                              std::size_t count, std::uint64_t draw = 0);

/// The values of a tensor that a cut takes, in the float run over a batch.
[[nodiscard]] std::string floatFile(const CheckPlan& plan, std::size_t batch,
                                    const std::string& tensor);
/// The values of a cut's operand as quantized, or for a weight as in float.
[[nodiscard]] std::string operandFile(const CheckPlan& plan, std::size_t cut, std::size_t operand,
                                      std::size_t batch, bool isQuantized);
/// The job of a cut over some batches: these for one operand after the other. Files: cut/C-P-B of
/// activations, feeds/cut-C-P of weights, cut/C-P-B-O of compared outputs.
[[nodiscard]] RunnerJob cutJobOf(const CheckPlan& plan, std::size_t cut, std::size_t first,
                                 std::size_t count);

/// A vector for the way back, and what the model gives for it.
[[nodiscard]] std::string vectorFile(std::size_t batch, std::size_t vector);
[[nodiscard]] std::string productFile(std::size_t batch, std::size_t vector);
/// The job of the way back over some batches for one vector.
[[nodiscard]] RunnerJob adjointJobOf(const CheckPlan& plan, std::size_t first, std::size_t count,
                                     std::size_t vector);

struct CheckOptions
{
    std::string model;
    std::string quantized;      ///< empty, with judgesEnds: none
    std::uint64_t samples = 0;  ///< as many batches as hold these; 0: all
    /// Inputs that were not recorded, by name: a number for all elements.
    std::map<std::string, double> feeds = {};
    bool judgesEnds = false;  ///< CheckPlan::judgesEnds
    std::string end = {};     ///< with judgesEnds: only that one, by its output or as compared
    std::uint64_t draws = 0;  ///< further quantized models (model::drawnModel()), up to mostDraws
    /// With judgesEnds: files of quantized models that are run and compared as draws are.
    std::vector<std::string> variants = {};
    /// With judgesEnds: operands that are run alone quantized, what follows their layers alone, as
    /// far as model::operandCuts() has them.
    std::vector<model::TensorScales> alone = {};
    /// With judgesEnds, of one end: sets of scales, each of operands alone, whose effect there is
    /// computed to first order.
    std::vector<std::vector<model::TensorScales>> adjoint = {};
    std::vector<std::string> sized = {};  ///< CheckPlan::sized
    /// With judgesEnds: outputs of layers, by the graph's names, that the plan's tensors are then,
    /// without scales: for channelMeans().
    std::vector<std::string> averaged = {};
    NameMap map = {};  ///< the graph's names of tensors of the dump, as far as known
};

/// Reads both models and the dump; writes the models with further outputs and all feeds into the
/// folder, which has an empty folder feeds: under guard none can be made. Feeds are /feeds of the
/// dump, else its activations, if all of the model's inputs are among them: a part of the recorded
/// network may be fed with another operator's output. Throws Error(Input) where inputs are missing
/// or don't fit the model, where the models' inputs or outputs differ, and where the quantized
/// model is none.
[[nodiscard]] CheckPlan prepareCheck(const CheckOptions& options, const DumpFile& dump,
                                     const std::string& folder, const Progress& progress);

}  // namespace calibscope::deploy
