// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/formats/block_format.h"
#include "core/formats/input_products.h"
#include "core/layers/layer_errors.h"
#include "core/layers/layer_pass.h"
#include "core/layers/layer_plan.h"
#include "core/results/layer_results.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Number formats of a layer's weight, and factors of its input's channels, judged by its output
/// (resources/docs/layers.md).
namespace calibscope::layers {

/// What one pass over a layer's input leaves: no trial on the weight alone reads it again.
struct InputSums
{
    InputGrams grams;  ///< of the values as recorded
    InputMagnitudes magnitudes;
    double signal = 0.0;  ///< sum of squares of the outputs at the same positions
};

/// Factors s of a layer's input channels, x / s and W s computing the same, from the largest
/// magnitudes a of the input's channels and w of the weight's that meet them:
///
///     s = max(a^alpha / max(w, 1e-5)^(1 - alpha), 1e-5)      1 where a is 0
///
/// in float32. Source: Xiao et al., SmoothQuant, ICML 2023, section 4, with the reference program's
/// floors.
[[nodiscard]] std::vector<float> smoothFactors(std::span<const double> inputLargest,
                                               std::span<const double> weightLargest, double alpha);

/// A search of factors s by alpha, with a the mean |x| of an input channel, w the mean over outputs of
/// |w| / (largest |w| of its group, of its row where the format has no groups):
///
///     s = clip(a^alpha / (w^(1 - alpha) + addend), 1e-4, most)      then s / sqrt(max s min s)
///
/// Source: Lin et al., AWQ, MLSys 2024, 3.2, as the programs have it.
struct AwqRule
{
    std::string_view method;
    bool hasWeight = true;  ///< else a^alpha
    float addend = 0.0F;
    int steps = 20;  ///< from alpha 0 to 1
    bool hasOne = false;

    static const AwqRule Input;     // NOLINT(readability-identifier-naming): as an enumeration
    static const AwqRule Duo;       // NOLINT(readability-identifier-naming): as an enumeration
    static const AwqRule ModelOpt;  // NOLINT(readability-identifier-naming): as an enumeration
};

inline constexpr AwqRule AwqRule::Input{.method = "awq", .hasWeight = false};
inline constexpr AwqRule AwqRule::Duo{.method = "awq-duo", .addend = 1e-4F};  // AutoAWQ
inline constexpr AwqRule AwqRule::ModelOpt{.method = "awq-lite", .steps = 10, .hasOne = true};

constexpr std::size_t mostClipShares = 11;  ///< of WeightTrials::clipped()

/// Trials on a layer's weight, the input being float: an error d of the weight makes sum d H d^T of
/// the output, H = X^T X.
class WeightTrials
{
public:
    /// Of a layer with one matrix of the weight. All must outlive it.
    WeightTrials(const LayerPlan& plan, const InputSums& sums, std::span<const float> weight);

    /// The weight times `factors` of the input's channels (empty: 1) in that format, divided by them
    /// again. Throws Error as encodeTensor().
    [[nodiscard]] OperandTrial under(const BlockFormat& format,
                                     std::span<const float> factors = {}) const;

    /// Factors of AWQ for each alpha, in that format. Throws Error as encodeTensor().
    [[nodiscard]] std::vector<OperandTrial> awq(const BlockFormat& format,
                                                const AwqRule& rule) const;

    /// Ends of all blocks at the shares 1, 0.95 to 0.5 of their largest magnitude; last, each block at
    /// the one of least error with the inputs that it meets, the widest of equals. Affine formats have
    /// the values clipped, too, before they are rounded (AutoAWQ), others have not (ModelOpt). Source: Lin et al.,
    /// AWQ, MLSys 2024. Throws Error(Usage) for a format whose blocks are neither rows nor groups, or blocks of
    /// blocks; searches of a format play no part.
    [[nodiscard]] std::vector<OperandTrial> clipped(const BlockFormat& format) const;
    /// The share of each block, in the order of rows, then groups, of the first `shares` ones.
    [[nodiscard]] std::vector<double> clipShares(const BlockFormat& format,
                                                 std::size_t shares = mostClipShares) const;

    /// Groups of 2, 4 and so on up to 256 of the input's channels rotated together by a Hadamard matrix
    /// (Sylvester's, over the root of its size), and the weight's columns that meet them: what the
    /// layer computes stays, the weight is quantized in that format after it and rotated back.
    /// Groups that the channels are no multiple of are left out. Source: Ashkboos et al., QuaRot,
    /// NeurIPS 2024, section 3. Throws Error as encodeTensor(), and Error(Usage) for importance,
    /// whose inputs are not rotated.
    [[nodiscard]] std::vector<OperandTrial> rotated(const BlockFormat& format) const;

    /// A row for each output, along what it sums over.
    [[nodiscard]] MatrixShape matrix() const { return {.outer = rows(), .length = depth()}; }

    /// OperandTrials::errorShares of that format.
    [[nodiscard]] std::vector<double> errorShares(const BlockFormat& format) const;

private:
    struct Clips;

    [[nodiscard]] std::uint64_t rows() const { return m_plan.channels(); }
    [[nodiscard]] std::uint64_t depth() const { return m_plan.depth(); }
    [[nodiscard]] float factorAt(std::span<const float> factors, std::uint64_t row,
                                 std::uint64_t column) const;
    [[nodiscard]] InputProducts productsFor(const BlockFormat& format,
                                            std::span<const float> factors) const;
    [[nodiscard]] std::vector<double> meanShares(const BlockFormat& format) const;
    [[nodiscard]] std::vector<double> errorsOf(std::span<const float> decoded,
                                               std::span<const float> factors,
                                               std::uint64_t group) const;
    void setError(OperandTrial& trial, std::span<const float> decoded,
                  std::span<const float> factors) const;
    void rotate(std::span<float> matrix, std::uint64_t size) const;
    void clip(const BlockFormat& format, float share, std::span<float> decoded) const;
    [[nodiscard]] std::vector<double> blockErrors(std::span<const float> decoded,
                                                  std::uint64_t columns) const;
    [[nodiscard]] Clips clips(const BlockFormat& format, std::size_t shares) const;

    const LayerPlan& m_plan;
    const InputSums& m_sums;
    std::vector<float> m_matrix;  ///< [row][depth]
};

/// Throws Error(Usage) for another word.
[[nodiscard]] OperandAnalysis operandAnalysis(std::string_view word);

struct OperandOptions
{
    OperandAnalysis analysis = OperandAnalysis::Formats;
    /// Of the weight; of Formats each, of others the first. Empty: the points of all usual families
    /// (core/formats/rate_points.h), their method being the family; int8-row of Smooth,
    /// int4-row of Rotate, uint4-g128:zero-in-range=no of the others.
    std::vector<BlockFormat> formats = {};
    /// Of the input, Smooth: one scale from its largest magnitude.
    NumberFormat input = NumberFormat::integers(-127, 127);
    LayerOptions layers = {};  ///< the layers, and their positions
};

/// Trials on each layer that the options want. A layer that can't be computed, or whose weight is a
/// second activation or a stack of matrices, has the reason. Throws Error(Usage) for a format that
/// has no such analysis, and Cancelled.
[[nodiscard]] std::vector<OperandTrials>
operandTrials(const LayerDump& dump, const OperandOptions& options, const Progress& progress = {});

}  // namespace calibscope::layers
