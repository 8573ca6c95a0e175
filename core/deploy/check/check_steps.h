// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/deploy/check/agreement.h"
#include "core/deploy/check/check_plan.h"
#include "core/dump/dump_file.h"

#include <cstddef>
#include <string>
#include <vector>

/// Steps that turn the runs of a check into a report. Each reads the arrays that a runner left in
/// the folder: to be called under guard.
namespace calibscope::deploy {

/// Sums of some batches: for each of the plan's outputs or tensors its samples.
struct CheckSums
{
    using OfEach = std::vector<std::vector<SampleSums>>;
    OfEach recorded;  ///< by output: the float model against the recording
    OfEach written;   ///< by output that is the model's own
    OfEach fused;     ///< likewise
    OfEach own;       ///< by tensor: quantized at its scale against itself
    OfEach running;   ///< by tensor: in the quantized model against the float one
    /// Where the plan judges ends: of their errors the signed sums of directionParts parts, into
    /// which each value falls by its index (a count sketch: the product of two models' sums
    /// estimates that of their errors, to 1 / sqrt(parts) of their lengths; Charikar, Chen,
    /// Farach-Colton, ICALP 2002).
    std::vector<double> direction = {};
    std::vector<double> sizes = {};  ///< of the plan's sized tensors, over all batches
    bool operator==(const CheckSums&) const = default;
};

constexpr std::size_t directionParts = 512;

[[nodiscard]] std::string sumsText(const CheckSums& sums);
/// Throws Error(Input) that begins with `origin`.
[[nodiscard]] CheckSums parseSums(const std::string& text, const std::string& origin);

/// Batches of the plan, `first` and `count` of them, that were run together.
struct BatchGroup
{
    std::size_t first = 0;
    std::size_t count = 0;
};

/// Compares the float run of a group with what was recorded. Throws Error(Input) with
/// otherModelSentence() where they disagree, and where the runner's arrays can't be read.
[[nodiscard]] CheckSums compareWithRecording(const CheckPlan& plan, const DumpFile& dump,
                                             const std::string& folder, const BatchGroup& group,
                                             const Progress& progress);

/// Which entries of an output's last axis count as classes; empty: all.
using ClassMask = std::vector<std::uint64_t>;

/// Compares the runs of a group with each other; without `hasFused` there are two. The last axis of an output of two or three
/// axes holds classes. Throws Error(Input) where the runner's arrays can't be read, or have other
/// shapes in one run than in another.
[[nodiscard]] CheckSums compareRuns(const CheckPlan& plan, const std::string& folder,
                                    const BatchGroup& group, const ClassMask& classes,
                                    bool hasFused, const Progress& progress);

/// Compares the run of a draw with the float one: CheckSums::written is that of the draw, the others
/// are empty. Throws as compareRuns().
[[nodiscard]] CheckSums compareDraw(const CheckPlan& plan, const std::string& folder,
                                    const BatchGroup& group, const ClassMask& classes,
                                    const Progress& progress);

/// Writes what the cuts' activations are when they are quantized, of a group's batches, into the
/// folder, which has a folder cut. Throws Error(Input) where the runner's arrays can't be read.
void quantizeOperands(const CheckPlan& plan, const std::string& folder, const BatchGroup& group);
/// Compares the run of a cut with one of its operands quantized with the float one. As compareDraw().
[[nodiscard]] CheckSums compareCut(const CheckPlan& plan, std::size_t cut, std::size_t operand,
                                   const std::string& folder, const BatchGroup& group,
                                   const ClassMask& classes);

/// Writes the vectors for the way back over a group's batches into the folder, which has a folder
/// adjoint; returns how many: mostVectors of random signs, or for an end of fewer values a
/// sample one for each of them. Throws Error(Input) where the runner's arrays can't be read, or the
/// end's first axis is not that of the samples.
std::size_t writeVectors(const CheckPlan& plan, const std::string& folder, const BatchGroup& group);
/// Of each row of the product the noise power at the end for each sample, to first order.
[[nodiscard]] std::vector<std::vector<double>> adjointPowers(const CheckPlan& plan,
                                                             const std::string& folder,
                                                             const BatchGroup& group,
                                                             std::size_t vectors);

constexpr std::size_t mostVectors = 24;

/// Means of a tensor's channels: for each sample its channels'.
using ChannelMeans = std::vector<std::vector<double>>;

/// The means of the plan's tensors over the positions of each sample of a group's batches, of the float
/// model or of the quantized one as written; of the latter times 1 / ProbedTensor::times, so that
/// both are comparable. Throws Error(Input) where the runner's arrays can't be read, where one's
/// first axis is not that of the samples, and for NaN and infinities.
[[nodiscard]] std::vector<ChannelMeans> channelMeans(const CheckPlan& plan, CheckRun run,
                                                     const std::string& folder,
                                                     const BatchGroup& group);
[[nodiscard]] std::string meansText(const std::vector<ChannelMeans>& means);
/// Throws Error(Input) that begins with `origin`.
[[nodiscard]] std::vector<ChannelMeans> parseMeans(const std::string& text,
                                                   const std::string& origin);

/// Result of a draw.
struct DrawSums
{
    std::string failure;            ///< why nothing did, as a sentence; empty: it did
    std::vector<CheckSums> groups;  ///< as compareDraw() gave them
};

/// The report of all groups' sums and of the draws by their numbers, without runtime and times. A
/// draw that failed is a note, and so is `fusedFailure`: why there is no fused run; empty: there is.
[[nodiscard]] CheckReport reportOf(const CheckPlan& plan, const std::vector<CheckSums>& groups,
                                   const std::vector<DrawSums>& draws = {},
                                   const std::string& fusedFailure = {});

}  // namespace calibscope::deploy
