// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Results of the check of a quantized model: plain values.
namespace calibscope {

/// How far a tensor of one model is from the same tensor of another, the reference, over all
/// samples. It is agreement, not accuracy: nobody knows here what is right.
struct Agreement
{
    std::uint64_t samples = 0;
    /// 10 log10(sum r^2 / sum (q - r)^2) in dB, of all samples and over them; infinite where they
    /// are equal, -infinite for noise on a reference of zeros; nothing where notFinite is not 0.
    std::optional<double> sqnrDb;
    std::optional<double> leastDb;
    std::optional<double> medianDb;
    std::optional<double> largestDb;
    double maxError = 0.0;             ///< |q - r|
    double meanError = 0.0;            ///< |q - r|
    double cosine = 1.0;               ///< 1 where both are zeros
    std::optional<double> sameArgmax;  ///< share (0..1) of rows whose largest entry is the same one
    std::uint64_t notFinite = 0;       ///< values that are NaN or infinite in one of them only

    bool operator==(const Agreement&) const = default;
};

constexpr int mostDraws = 32;  ///< of a check

/// The same output of the quantized model with other rounding errors, as written.
struct DrawCheck
{
    std::uint64_t draw = 0;  ///< its number, from 1
    Agreement agreement;
    bool operator==(const DrawCheck&) const = default;
};

/// What the draws of an output have in common, by their SQNR of all samples.
struct DrawSummary
{
    std::uint64_t draws = 0;     ///< that have an SQNR
    double meanDb = 0.0;         ///< of the mean of their noise powers
    double lowestDb = 0.0;       ///< of them
    double highestDb = 0.0;      ///< of them
    std::optional<double> sdDb;  ///< by n - 1; nothing for one draw, or where one is infinite
    bool operator==(const DrawSummary&) const = default;
};

/// One of the model's outputs.
struct OutputCheck
{
    std::string name;
    std::string op;
    std::optional<double> recordedDb;  ///< float model against the recording; nothing: not recorded
    Agreement asWritten;               ///< without optimisation against the float model
    Agreement asFused;                 ///< with it; of no sample: not run
    std::vector<DrawCheck> draws = {};
    std::optional<DrawSummary> drawSummary = {};  ///< nothing without a draw that has an SQNR

    /// False where the runner refused it: a note says why.
    [[nodiscard]] bool isRunAsFused() const { return asFused.samples > 0; }
    /// asFused less asWritten, in dB; below 0 where fusing costs. Nothing where one has no SQNR, 0
    /// where both are infinite.
    [[nodiscard]] std::optional<double> fusedDifferenceDb() const
    {
        if (!asWritten.sqnrDb || !asFused.sqnrDb)
            return std::nullopt;
        return *asFused.sqnrDb == *asWritten.sqnrDb ? 0.0 : *asFused.sqnrDb - *asWritten.sqnrDb;
    }
    bool operator==(const OutputCheck&) const = default;
};

/// One of the tensors that the quantized model has in integers.
struct TensorCheck
{
    std::string name;  ///< the graph's
    std::string op;    ///< that makes it; empty for a weight
    bool isWeight = false;
    std::optional<double> ownDb;         ///< quantized at its scale against itself
    std::optional<double> outputSqnrDb;  ///< of its layer's output; nothing: not computed
    std::optional<double> runningDb;     ///< in the quantized model against the float one
    std::optional<double> medianDb;      ///< the same of the median sample
    std::optional<double> leastDb;       ///< and of the least
    /// How far runningDb lies below what was to be expected there, in dB, at least 0; nothing where
    /// nothing before it has cost anything.
    std::optional<double> dropDb;
    std::optional<double> maxError;  ///< of the running one; of a weight: its own
    std::uint64_t samples = 0;

    bool operator==(const TensorCheck&) const = default;
};

struct CheckReport
{
    std::string model;
    std::string quantized;
    std::string dump;
    std::string runtime;
    std::uint64_t samples = 0;
    double floatSeconds = 0.0;    ///< of all batches, the float model without optimisation
    double writtenSeconds = 0.0;  ///< the quantized one likewise
    double fusedSeconds = 0.0;    ///< the quantized one with optimisation
    std::vector<OutputCheck> outputs;
    std::vector<TensorCheck> tensors;  ///< in the graph's order, weights where they are used
    std::vector<std::string> notes;    ///< sentences

    bool operator==(const CheckReport&) const = default;
};

}  // namespace calibscope
