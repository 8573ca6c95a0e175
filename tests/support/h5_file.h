// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/temporary_folder.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace calibscope::test {

/// How values are stored in a test file. HDF5 itself converts and encodes them.
enum class Stored {
    Float16,
    Float16Big,
    Float32,
    Float32Big,
    Float64,
    Float64Big,
    Bfloat16,
    Int32,
    Uint8,
};

/// An element type by its parts, for bytes that are written as they are.
struct RawType
{
    enum class Kind { Float, Signed, Unsigned, Opaque };

    Kind kind = Kind::Unsigned;
    std::size_t bytes = 1;
    bool isBigEndian = false;
    unsigned exponentBits = 0;  ///< of a float; the rest is mantissa, but for the sign
    unsigned bias = 0;
};

/// A filter by its number, as H5Pset_filter() takes it; one from 256 on only passes bytes on.
struct FilterStep
{
    int id = 0;
    std::vector<unsigned> parameters = {};
};

struct Storage
{
    std::vector<unsigned long long> chunk = {};  ///< empty: contiguous
    bool isCompact = false;
    bool hasShuffle = false;
    int gzip = -1;  ///< level; -1: none
    bool hasFletcher32 = false;
    int unknownFilter = 0;                 ///< id of a filter that only the writer has
    bool isResizable = false;              ///< along axis 0
    std::vector<FilterStep> filters = {};  ///< behind those above, in this order
    std::optional<float> fillValue = {};
    bool allocatesEarly = false;
};

using Shape = std::vector<unsigned long long>;

/// A single value of a file, which dumps do not hold: its only element as a double.
[[nodiscard]] double singleValue(const std::string& path, const std::string& dataset);

/// A small HDF5 file, written with the HDF5 library alone: what the program reads is compared with
/// what these calls were given. Groups come into being as paths need them. The file is whole and
/// closed after each call.
class H5File
{
public:
    H5File();

    [[nodiscard]] std::string path() const { return m_folder.file("dump.h5"); }
    [[nodiscard]] const TemporaryFolder& folder() const { return m_folder; }

    void write(const std::string& dataset, const Shape& shape, const std::vector<double>& values,
               Stored stored = Stored::Float32, const Storage& storage = {});
    void write(const std::string& dataset, const Shape& shape, const std::vector<float>& values,
               const Storage& storage = {});
    /// Patterns of binary16 as they are.
    void writePatterns(const std::string& dataset, const Shape& shape,
                       const std::vector<std::uint16_t>& patterns, Stored stored,
                       const Storage& storage = {});
    /// Elements of any type, one behind the other as they are to be in the file.
    void writeBytes(const std::string& dataset, const Shape& shape, const std::string& bytes,
                    const RawType& type, const Storage& storage = {});

    /// Puts a chunk's bytes into a dataset as they are: what its filters made, but for those whose
    /// bit is set in `skippedFilters`.
    void writeChunk(const std::string& dataset, const Shape& offset, const std::string& bytes,
                    std::uint32_t skippedFilters = 0);

    /// Makes a resizable dataset longer; nothing is written there.
    void extend(const std::string& dataset, const Shape& shape);

    void writeScalar(const std::string& dataset, double value);
    void writeNull(const std::string& dataset);
    void writeNothing(const std::string& dataset, const Shape& shape, const Storage& storage = {});
    void writeTexts(const std::string& dataset, const std::vector<std::string>& texts);
    void writeCompound(const std::string& dataset);
    void writeEnum(const std::string& dataset);
    void nameType(const std::string& path);
    void makeGroup(const std::string& path);

    /// Attributes of an object; "/" is the file itself.
    void attribute(const std::string& object, const std::string& name, const std::string& text);
    void attribute(const std::string& object, const std::string& name,
                   const std::vector<std::string>& texts);
    void attribute(const std::string& object, const std::string& name, std::int64_t number);
    void attribute(const std::string& object, const std::string& name, double number);
    void attribute(const std::string& object, const std::string& name,
                   const std::vector<std::int64_t>& numbers);
    void paddedAttribute(const std::string& object, const std::string& name,
                         const std::string& text, std::size_t length);

    void softLink(const std::string& path, const std::string& target);
    void hardLink(const std::string& path, const std::string& target);
    void externalLink(const std::string& path, const std::string& file, const std::string& target);

private:
    TemporaryFolder m_folder;
};

}  // namespace calibscope::test
