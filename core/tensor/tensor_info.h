// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/element_type.h"
#include "core/tensor/op_geometry.h"
#include "core/tensor/unreadable.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace calibscope {

/// A bias of a layer is recorded for what follows from it: it is neither ranked nor given a scale
/// of its own.
enum class Role { Activation, Weight, Bias, Unknown };

/// "activation", "weight", "bias", "unknown": the word used in files and on the command line.
[[nodiscard]] std::string_view roleText(Role role);
/// The role a word stands for; nothing for any other word.
[[nodiscard]] std::optional<Role> parseRole(std::string_view text);

/// Which values of a tensor count. The others are left out of whatever is computed from values.
struct TensorMask
{
    std::string path;           ///< of the dataset that says it; of several the first
    std::uint64_t counted = 0;  ///< values that count
    std::uint64_t of = 0;       ///< values in all
    std::string sha256;         ///< of what it says

    bool operator==(const TensorMask&) const = default;
};

/// What is known of one recorded tensor without reading its values.
struct TensorInfo
{
    std::string name;                     ///< as recorded, without the group that tells its role
    std::string path;                     ///< of the dataset in the file
    std::vector<std::string> otherPaths;  ///< of further links to the same dataset
    Role role = Role::Unknown;
    std::optional<ElementKind> elementType;  ///< how its elements are read; none: not as numbers
    /// What the file calls them, where that is another or no number: "uint16", "opaque".
    std::string storedType;
    std::vector<ElementKind> otherTypes;  ///< what else the same bytes could be read as
    std::string lossy;  ///< which values float32 can't hold, as a sentence; empty: it holds all
    std::vector<std::uint64_t> shape;  ///< empty for a scalar
    /// Datasets whose values follow each other along axis 0, if they are several; `path` is then
    /// the group that holds them.
    std::vector<std::string> parts;
    std::optional<int> batchAxis;  ///< axis of the calibration samples; none: one batch
    std::uint64_t batchSize = 0;   ///< samples recorded together; 0: all of them are one batch
    std::optional<int>
        channelAxis;  ///< axis of the (output) channels; none: per-tensor algorithms only
    std::string op;   ///< op that made it (activation) or uses it (weight); empty if not recorded
    std::vector<std::string> inputs;  ///< names of that op's inputs, all in order if the recorder
                                      ///< tells all; "" for one that is left out
    std::string graphName;            ///< what the model's graph calls it; empty if not recorded
    std::string node;      ///< name of the node that made it (activation); empty if not recorded
    std::string consumer;  ///< name of the node that uses it, or of its output (weight, bias)
    std::uint64_t outputIndex = 0;  ///< which of that node's outputs it is
    OpGeometry geometry;            ///< of the layer that made it (activation)
    std::string opAttributes;  ///< JSON object of the op's other attributes; empty: none stated
    /// Indices into the calibration set of the samples that were kept; empty: all, in order.
    std::vector<std::uint64_t> samples;
    std::string layout;                 ///< "NCHW", "NTC", ...; empty if not recorded
    std::string layoutRule;             ///< the rule by which role and axes were understood
    std::vector<std::string> evidence;  ///< what that rule went by, as sentences
    bool isGuess = false;               ///< the rule guessed
    std::string compression;            ///< "none", "shuffle+gzip 4", ...
    std::string checksum;               ///< "none", "fletcher32", "adler32 (gzip)"
    /// What gives reason to doubt its values or how they are understood, as sentences, to be reported
    /// with whatever is made of them: parts that were never written, attributes that were ignored.
    std::vector<std::string> doubts;
    /// A counter of the training, an image, what the model was fed: no tensor of the model, and
    /// nobody misses its values.
    bool isBeside = false;
    std::optional<TensorMask> mask;  ///< none: all values count
    Unreadable unreadable;           ///< why its values can't be read; empty: they can

    [[nodiscard]] bool isReadable() const { return unreadable.empty(); }
    /// Its elements are read as integers: indices, counts, or what was quantized already.
    [[nodiscard]] bool holdsIntegers() const;
    /// Product of the shape; 1 for a scalar.
    [[nodiscard]] std::uint64_t valueCount() const;
    /// Values that count.
    [[nodiscard]] std::uint64_t countedValues() const
    {
        return mask ? mask->counted : valueCount();
    }
    /// Length of the channel axis; 0 without one.
    [[nodiscard]] std::uint64_t channelCount() const;
    /// Number of recorded batches: at least 1, the last one may be short.
    [[nodiscard]] std::uint64_t batchCount() const;
    /// Samples along the batch axis; 1 without one.
    [[nodiscard]] std::uint64_t sampleCount() const;
    /// Values of one sample (all values without a batch axis).
    [[nodiscard]] std::uint64_t valuesPerSample() const;
    /// Channel of the value at a flat row-major index. Requires a channel axis.
    [[nodiscard]] std::uint64_t channelOf(std::uint64_t flatIndex) const;
    /// Flat index in the tensor of a channel's value, given its index among the channel's values.
    /// Requires a channel axis.
    [[nodiscard]] std::uint64_t flatIndexOf(std::uint64_t channel, std::uint64_t index) const;
    /// The inverse; of a value of another channel the index of the next value behind it.
    [[nodiscard]] std::uint64_t indexInChannel(std::uint64_t channel,
                                               std::uint64_t flatIndex) const;
    /// Number of neighbouring values that share a channel: the product of the axes behind the
    /// channel axis.
    [[nodiscard]] std::uint64_t channelStride() const;
};

/// How the elements are read, "float32"; where they can't be, what the file calls them, "opaque";
/// empty for what could not be reached.
[[nodiscard]] std::string elementText(const TensorInfo& tensor);
/// What the file calls them: "uint16".
[[nodiscard]] std::string storedTypeText(const TensorInfo& tensor);
/// How the elements are stored and read: "float32", or "uint16 as bfloat16".
[[nodiscard]] std::string typeText(const TensorInfo& tensor);

/// "61.3 % of positions count (mask /activations/enc.mask)"; empty: all do.
[[nodiscard]] std::string maskText(const TensorInfo& tensor);

/// "8 x 40 x 240"; "scalar" for an empty shape.
[[nodiscard]] std::string shapeText(const std::vector<std::uint64_t>& shape);
/// "[3, 0, 17]": the index per axis of the value at a flat row-major index below the shape's count.
[[nodiscard]] std::string indexText(const std::vector<std::uint64_t>& shape,
                                    std::uint64_t flatIndex);

}  // namespace calibscope
