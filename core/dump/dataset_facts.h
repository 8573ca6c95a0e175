// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/element_type.h"
#include "core/tensor/unreadable.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

namespace calibscope {

/// An attribute's value; nothing where it is of a type that no layout rule asks for.
using AttributeValue = std::variant<std::monostate, std::int64_t, double, std::string,
                                    std::vector<std::string>, std::vector<std::int64_t>>;
using Attributes = std::map<std::string, AttributeValue>;

/// A recorder's digests of a dataset's values, which show damage.
struct RecordedDigest
{
    std::string sha256;  ///< of the values as little-endian bytes in row-major order; 64 digits
    std::optional<double> min;  ///< of the finite values
    std::optional<double> max;

    [[nodiscard]] bool isEmpty() const { return sha256.empty() && !min && !max; }
};

/// A dataset that a virtual one takes values from.
struct DatasetSource
{
    std::string file;  ///< ".": the virtual dataset's own
    std::string dataset;

    bool operator==(const DatasetSource&) const = default;
    bool operator<(const DatasetSource& other) const
    {
        return std::tie(file, dataset) < std::tie(other.file, other.dataset);
    }
};

/// A file's facts on one dataset, before they are interpreted.
struct DatasetFacts
{
    std::string path;                     ///< "/activations/conv1"
    std::vector<std::string> otherPaths;  ///< further links to the same dataset
    std::vector<std::uint64_t> shape;     ///< empty for a scalar
    std::string typeText;                 ///< "float32", "int8", "compound", ...
    std::string storedType;               ///< what the file calls them, where that is another
    std::optional<ElementType> element;   ///< nothing: no number type that is known without a word
    std::vector<ElementType> otherElements;     ///< what else the same bytes could be read as
    std::vector<std::uint64_t> chunk;           ///< per axis; all 1 for values in one piece
    std::optional<std::uint64_t> storedChunks;  ///< that its index lists, where it has one
    std::string compression;                    ///< as in TensorInfo
    std::string checksum;                       ///< as in TensorInfo
    Attributes attributes;
    std::vector<std::string> evidence;  ///< for how its elements are read, as sentences
    std::vector<std::string> warnings;  ///< sentences without the path
    std::vector<std::string> doubts;    ///< of these, what all that is made of its values must tell
    std::vector<DatasetSource> sources;  ///< of a virtual dataset
    RecordedDigest digest;
    /// Of its header, where no path may be followed: the file has damaged objects.
    std::optional<std::uint64_t> address;
    Unreadable unreadable;  ///< why its values can't be read; or empty
    bool isBatch = false;   ///< a batch of a tensor for sure: what it lies in says so

    /// Booleans have an element type, and are read as masks alone.
    [[nodiscard]] bool holdsBooleans() const { return typeText == "bool"; }
    /// Whether its elements are numbers, or could be read as such.
    [[nodiscard]] bool holdsNumbers() const
    {
        return (element && !holdsBooleans()) || !otherElements.empty();
    }
};

}  // namespace calibscope
