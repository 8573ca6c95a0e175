// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/parameter.h"
#include "core/base/settings.h"
#include "core/formats/granularity.h"
#include "core/formats/headroom.h"
#include "core/quant/element_format.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Number formats as they are deployed: an element format, and scales that blocks of values share
/// (resources/docs/number-formats.md).
namespace calibscope {

/// Rule for the scale of a block; m is the largest magnitude of the finite ones.
enum class ScaleRule {
    Threshold,  ///< m / divisor
    Signed,     ///< the value of largest magnitude (the first) becomes the lowest integer
    BothEnds,   ///< the least that clips neither the lowest nor the highest value
    Affine,     ///< (high - low) / (2^b - 1) and an integer zero point
    Minimum,    ///< (high - low) / (2^b - 1) and the lowest value (llama.cpp's q4_1)
    // Powers of two, E8M0; E = floor(log2 of the largest element)
    Floor,    ///< floor(log2 m) - E: may saturate (OCP MX 1.0, 6.3; torchao's default)
    Rceil,    ///< the least that does not saturate (cuBLAS, torchao, ModelOpt)
    Even,     ///< floor(log2 m rounded half up to the element's mantissa) - E (torchao, Quark)
    Ceil,     ///< ceil(log2 m) - E
    TwoLevel  ///< E4M3 of m / (6 T), T being the tensor's scale, its maximum / 2688 (NVFP4)
};

/// Quotient of a value and its block's scale.
enum class Quotient {
    Divided,
    Multiplied,  ///< by the float32 inverse of the scale (torchao's integers, llama.cpp)
    Inverse  ///< by divisor (1 / m); integers are divided by that, other elements multiplied by its
             ///< inverse (ModelOpt)
};

/// Search for the scale of a block, where it does not follow from the largest magnitude alone.
struct ScaleSearch
{
    enum class Kind {
        None,
        /// Every block scale that can be stored (ModelOpt's NVFP4MSECalibrator); of powers of two
        /// the exponents from one below that of ScaleRule::Floor to two above it.
        Sweep,
        Shrink,       ///< the ends times `expand` (1 - i / grid) (GPTQ, llm-compressor)
        Multiplier,   ///< the ends times 39 factors from 0.25 to 4 (ModelOpt's MseCalibrator)
        FourOverSix,  ///< TwoLevel: m / 6 or m / 4, under a tensor's scale with room for both
        /// sum(x q) / sum(q^2), q being the integers under the scale before, until it no longer
        /// changes (torchao's scale-only HQQ).
        LeastSquares,
        Hqq,      ///< Affine: the zero point, with errors below a norm of 0.7 left to it
        Weighted  ///< llama.cpp: a few scales, each refitted by weighted least squares
    };
    /// Weights of errors in Shrink, Multiplier, Sweep, FourOverSix and Weighted.
    enum class Importance {
        None,
        Input,   ///< E[x^2] of the inputs that meet a value (llama.cpp, llm-compressor)
        Hessian  ///< d^T H d, H = E[x x^T] of these of a block (ModelOpt); not Weighted
    };
    Kind kind = Kind::None;
    Importance importance = Importance::None;
    double norm = 2.0;          ///< of the error: sum of |x - decoded|^norm
    int grid = 100;             ///< Shrink: steps from 1 to 0
    double maxShrink = 0.2;     ///< Shrink: where the steps end, as a share of 1
    double expand = 1.0;        ///< Shrink: of the first step
    int patience = 0;           ///< Shrink: steps without a gain after which it ends; 0: none
    bool endsByTensor = false;  ///< Shrink, Hqq: for all blocks at once, not for each

    /// Steps that follow from each other: they need the values of the block again and again.
    [[nodiscard]] bool isIterative() const
    {
        return kind == Kind::LeastSquares || kind == Kind::Hqq || kind == Kind::Weighted;
    }
};

/// Neighbouring groups whose scales, and minima, are whole numbers times one scale of them all
/// (llama.cpp's K-quants).
struct SuperBlock
{
    std::uint64_t columns = 256;
    int scaleBits = 6;  ///< of each scale and minimum
};

/// A format with the choices of its scales. Its id tells element, rule and granularity; the rest
/// are parameters.
struct BlockFormat
{
    std::string id;
    std::string users;  ///< tools that have it
    const ElementFormat* element = nullptr;
    const ElementFormat* scales = nullptr;  ///< how scales are stored; nullptr: float32
    Granularity granularity = {};
    ScaleRule rule = ScaleRule::Threshold;
    double divisor = 1.0;                       ///< of Threshold
    bool zeroInRange = true;                    ///< Affine: whether the ends are moved to hold 0
    bool hasTensorScale = false;                ///< TwoLevel: T is stored, else it is 1
    std::optional<SuperBlock> superBlock = {};  ///< `scales` are those that its groups share
    double leastScale = 0.0;                    ///< TwoLevel: smaller block scales are raised to it
    bool isNarrow = false;                      ///< signed integers: the lowest is left out
    bool zeroIsFloat = false;                   ///< Affine: the zero point is no whole number (HQQ)
    ScaleSearch search = {};
    std::optional<double> tensorMaximum = {};   ///< where it is not the tensor's own
    std::optional<HeadroomRule> headroom = {};  ///< a rule over the blocks instead
    Ties ties = Ties::ToEven;
    Quotient quotient = Quotient::Divided;
    /// They are so by the scale before it is rounded to what is stored.
    bool elementsByUnrounded = false;
    /// llama.cpp: half a step is added in float32, and the fraction cut off.
    bool cutsFraction = false;

    [[nodiscard]] bool isPowerOfTwo() const
    {
        return rule == ScaleRule::Floor || rule == ScaleRule::Rceil || rule == ScaleRule::Even ||
               rule == ScaleRule::Ceil;
    }
    /// Of a stored scale, with its zero point or minimum.
    [[nodiscard]] int scaleBits() const;
    /// True of a matrix with whole super-blocks along its rows, and with tiles along an end axis.
    [[nodiscard]] bool fits(const MatrixShape& matrix) const;
    /// Bits of elements and scales, the tensor's among them, by the number of values; 0 of none.
    [[nodiscard]] double effectiveBits(std::uint64_t values, std::uint64_t blocks) const;
    /// "float32", "e8m0", "e4m3, float32 of the tensor".
    [[nodiscard]] std::string scalesText() const;
};

/// The formats that are listed, in their order: each with the granularity it is known by.
[[nodiscard]] const std::vector<BlockFormat>& blockFormats();

/// The parameters of a format, with its own choices as defaults.
[[nodiscard]] std::vector<Parameter> formatParameters(const BlockFormat& format);

/// A format of "ID" or "ID:parameter=value,...", in any case: of the list, or one of its elements at
/// another granularity ("int3-g64", "fp8-e4m3-b128x128", "fp6-e2m3-row"), or of a preset, whose
/// format's id it then has. Throws Error(Usage) that
/// lists what there is, and for parameters that the format does not have.
[[nodiscard]] BlockFormat parseBlockFormat(std::string_view text);

/// "floor", "rceil", ...: the word of the parameter scale-rule.
[[nodiscard]] std::string_view scaleRuleText(ScaleRule rule);

}  // namespace calibscope
