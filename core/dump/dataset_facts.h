#pragma once

#include "core/tensor/element_type.h"
#include "core/tensor/unreadable.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace calibscope {

/// An attribute's value; nothing where it is of a type that no layout rule asks for.
using AttributeValue =
    std::variant<std::monostate, std::int64_t, double, std::string, std::vector<std::string>>;
using Attributes = std::map<std::string, AttributeValue>;

/// What a file says of one dataset, before anything is made of it.
struct DatasetFacts
{
    std::string path;                     ///< "/activations/conv1"
    std::vector<std::string> otherPaths;  ///< further links to the same dataset
    std::vector<std::uint64_t> shape;     ///< empty for a scalar
    std::string typeText;                 ///< "float32", "int8", "compound", ...
    std::string storedType;               ///< what the file calls them, where that is another
    std::optional<ElementType> element;   ///< nothing: no number type that is known without a word
    std::vector<ElementType> otherElements;  ///< what else the same bytes could be read as
    std::vector<std::uint64_t> chunk;        ///< per axis; all 1 for values in one piece
    std::string compression;                 ///< as in TensorInfo
    std::string checksum;                    ///< as in TensorInfo
    Attributes attributes;
    std::vector<std::string> evidence;  ///< for how its elements are read, as sentences
    std::vector<std::string> warnings;  ///< sentences without the path
    Unreadable unreadable;              ///< why its values can't be read; or empty

    /// Whether its elements are numbers, or could be read as such.
    [[nodiscard]] bool holdsNumbers() const { return element || !otherElements.empty(); }
};

}  // namespace calibscope
