// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/deploy/check/npy.h"

#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/base/whole_file.h"
#include "core/kernels/half_floats.h"

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

namespace calibscope::deploy {

static_assert(std::endian::native == std::endian::little, "elements are copied as they are");

namespace {

struct TypeRow
{
    NpyType type;
    std::string_view text;
    std::string_view code;  ///< of a descr, behind the order of bytes
    std::size_t bytes;
};

constexpr std::array<TypeRow, 12> typeRows{{{NpyType::Bool, "bool", "b1", 1},
                                            {NpyType::Int8, "int8", "i1", 1},
                                            {NpyType::Int16, "int16", "i2", 2},
                                            {NpyType::Int32, "int32", "i4", 4},
                                            {NpyType::Int64, "int64", "i8", 8},
                                            {NpyType::Uint8, "uint8", "u1", 1},
                                            {NpyType::Uint16, "uint16", "u2", 2},
                                            {NpyType::Uint32, "uint32", "u4", 4},
                                            {NpyType::Uint64, "uint64", "u8", 8},
                                            {NpyType::Float16, "float16", "f2", 2},
                                            {NpyType::Float32, "float32", "f4", 4},
                                            {NpyType::Float64, "float64", "f8", 8}}};

const TypeRow& rowOf(NpyType type)
{
    return typeRows.at(static_cast<std::size_t>(type));
}

constexpr std::string_view magic = "\x93NUMPY";

/// Calls `use` with a value of the C++ type that holds such elements; float16 is not among them.
template <typename Use>
void withElementType(NpyType type, const Use& use)
{
    switch (type) {
    case NpyType::Bool:
    case NpyType::Uint8: use(std::uint8_t{}); break;
    case NpyType::Int8: use(std::int8_t{}); break;
    case NpyType::Int16: use(std::int16_t{}); break;
    case NpyType::Int32: use(std::int32_t{}); break;
    case NpyType::Int64: use(std::int64_t{}); break;
    case NpyType::Uint16: use(std::uint16_t{}); break;
    case NpyType::Uint32: use(std::uint32_t{}); break;
    case NpyType::Uint64: use(std::uint64_t{}); break;
    case NpyType::Float32: use(float{}); break;
    case NpyType::Float64: use(double{}); break;
    case NpyType::Float16: break;
    }
}

template <typename Element>
bool holds(float value)
{
    if constexpr (std::is_floating_point_v<Element>)
        return true;
    else {
        // Both ends are powers of two, which double holds: the upper one is not included.
        const double below = static_cast<double>(std::numeric_limits<Element>::min());
        const double above = std::ldexp(1.0, std::numeric_limits<Element>::digits);
        const auto number = static_cast<double>(value);
        return number >= below && number < above && number == std::trunc(number);
    }
}

template <typename Element>
std::string elementBytes(std::span<const float> values, NpyType type)
{
    std::string bytes(values.size() * sizeof(Element), '\0');
    char* to = bytes.data();
    for (const float value : values) {
        if (type != NpyType::Bool && !holds<Element>(value))
            throw Error(Fault::Input, numberText(static_cast<double>(value)) + " is no " +
                                          std::string(npyTypeText(type)));
        const auto element = type == NpyType::Bool ? static_cast<Element>(value != 0.0F ? 1 : 0)
                                                   : static_cast<Element>(value);
        std::memcpy(to, &element, sizeof element);
        to += sizeof element;
    }
    return bytes;
}

/// Product of the shape times the bytes of an element; nothing where it exceeds 64 bits.
std::optional<std::uint64_t> byteCount(const std::vector<std::uint64_t>& shape, NpyType type)
{
    std::uint64_t bytes = npyTypeBytes(type);
    for (const std::uint64_t length : shape)
        if (length == 0)
            return 0;
    for (const std::uint64_t length : shape) {
        if (bytes > std::numeric_limits<std::uint64_t>::max() / length)
            return std::nullopt;
        bytes *= length;
    }
    return bytes;
}

/// Reads the literal of Python that a header is: a dict of a text, a bool and a tuple.
class HeaderReader
{
public:
    HeaderReader(std::string_view text, std::string origin)
        : m_text(text), m_origin(std::move(origin))
    {}

    NpyArray read()
    {
        expect("{");
        while (!accept("}")) {
            member();
            if (!accept(",")) {
                expect("}");
                break;
            }
        }
        skipSpaces();
        if (!m_text.empty() || !m_hasType || !m_hasOrder || !m_hasShape)
            fail("its header is not a description of an array");
        return m_array;
    }

private:
    [[noreturn]] void fail(const std::string& what) const
    {
        throw Error(Fault::Input, m_origin + ": " + what);
    }

    void skipSpaces()
    {
        const std::size_t first = m_text.find_first_not_of(" \n\t");
        m_text.remove_prefix(std::min(first, m_text.size()));
    }

    bool accept(std::string_view token)
    {
        skipSpaces();
        if (!m_text.starts_with(token))
            return false;
        m_text.remove_prefix(token.size());
        return true;
    }

    void expect(std::string_view token)
    {
        if (!accept(token))
            fail("its header is not a description of an array");
    }

    std::string_view quoted()
    {
        const std::string_view quote = accept("'") ? "'" : "\"";
        if (quote == "\"")
            expect(quote);
        const std::size_t end = m_text.find(quote);
        if (end == std::string_view::npos)
            fail("its header is not a description of an array");
        const std::string_view text = m_text.substr(0, end);
        m_text.remove_prefix(end + 1);
        return text;
    }

    void member()
    {
        const std::string_view key = quoted();
        expect(":");
        if (key == "descr")
            readType();
        else if (key == "fortran_order")
            readOrder();
        else if (key == "shape")
            readShape();
        else
            fail("its header has an unknown member");
    }

    void readType()
    {
        skipSpaces();
        if (!m_text.starts_with('\'') && !m_text.starts_with('"'))
            fail("holds records, which are not tensors");
        const std::string_view text = quoted();
        const std::string_view code = text.substr(std::min<std::size_t>(1, text.size()));
        for (const TypeRow& row : typeRows)
            if (row.code == code &&
                (text.front() == '<' || (text.front() == '|' && row.bytes == 1))) {
                m_array.type = row.type;
                m_hasType = true;
                return;
            }
        fail("holds elements of type \"" + std::string(text) +
             "\"; little-endian numbers and bool are taken");
    }

    void readOrder()
    {
        if (accept("True"))
            fail("is in Fortran's order; C's is taken");
        expect("False");
        m_hasOrder = true;
    }

    void readShape()
    {
        constexpr std::size_t mostAxes = 32;
        expect("(");
        m_array.shape.clear();
        while (!accept(")")) {
            std::uint64_t length = 0;
            skipSpaces();
            const auto [end, failure] =
                std::from_chars(m_text.data(), m_text.data() + m_text.size(), length);
            if (failure != std::errc{} || m_array.shape.size() == mostAxes)
                fail("its shape is none");
            m_text.remove_prefix(static_cast<std::size_t>(end - m_text.data()));
            m_array.shape.push_back(length);
            if (!accept(",")) {
                expect(")");
                break;
            }
        }
        m_hasShape = true;
    }

    std::string_view m_text;
    std::string m_origin;
    NpyArray m_array;
    bool m_hasType = false;
    bool m_hasOrder = false;
    bool m_hasShape = false;
};

std::string shapeLiteral(const std::vector<std::uint64_t>& shape)
{
    std::string text = "(";
    for (const std::uint64_t& length : shape)
        text += numberText(length) + (shape.size() == 1          ? ","
                                      : &length == &shape.back() ? ""
                                                                 : ", ");
    return text + ")";
}

}  // namespace

std::string_view npyTypeText(NpyType type)
{
    return rowOf(type).text;
}

std::size_t npyTypeBytes(NpyType type)
{
    return rowOf(type).bytes;
}

std::uint64_t NpyArray::count() const
{
    std::uint64_t product = 1;
    for (const std::uint64_t length : shape)
        product *= length;
    return product;
}

NpyArray npyArray(std::span<const float> values, std::vector<std::uint64_t> shape, NpyType type)
{
    NpyArray array{.type = type, .shape = std::move(shape), .bytes = {}};
    if (type == NpyType::Float16) {
        array.bytes.resize(values.size() * 2);
        char* to = array.bytes.data();
        for (const float value : values) {
            const std::uint16_t pattern = kernels::float16Pattern(value);
            std::memcpy(to, &pattern, sizeof pattern);
            to += sizeof pattern;
        }
        return array;
    }
    withElementType(
        type, [&](auto element) { array.bytes = elementBytes<decltype(element)>(values, type); });
    return array;
}

std::vector<float> floatsOf(const NpyArray& array)
{
    std::vector<float> values(array.bytes.size() / npyTypeBytes(array.type));
    const char* from = array.bytes.data();
    const auto take = [&]<typename Element>(Element element) {
        std::memcpy(&element, from, sizeof element);
        from += sizeof element;
        return element;
    };
    if (array.type == NpyType::Float16)
        for (float& value : values)
            value = kernels::float16Value(take(std::uint16_t{}));
    else
        withElementType(array.type, [&](auto element) {
            for (float& value : values)
                value = static_cast<float>(take(element));
        });
    if (array.type == NpyType::Bool)
        for (float& value : values)
            value = value != 0.0F ? 1.0F : 0.0F;
    return values;
}

std::string npyText(const NpyArray& array)
{
    const TypeRow& type = rowOf(array.type);
    std::string header = "{'descr': '" + std::string(type.bytes == 1 ? "|" : "<") +
                         std::string(type.code) +
                         "', 'fortran_order': False, 'shape': " + shapeLiteral(array.shape) + ", }";
    constexpr std::size_t before = magic.size() + 4;
    constexpr std::size_t alignment = 64;
    while ((before + header.size() + 1) % alignment != 0)
        header += ' ';
    header += '\n';
    std::string text(magic);
    text += '\x01';
    text += '\0';
    text += static_cast<char>(header.size() & 0xffU);
    text += static_cast<char>(header.size() >> 8U);
    return text + header + array.bytes;
}

NpyArray parseNpy(std::string_view text, const std::string& origin)
{
    const auto byteAt = [&](std::size_t index) {
        return static_cast<std::size_t>(static_cast<unsigned char>(text[index]));
    };
    if (!text.starts_with(magic) || text.size() < magic.size() + 2)
        throw Error(Fault::Input, origin + ": is not a .npy file");
    const std::size_t version = byteAt(magic.size());
    if (version < 1 || version > 3)
        throw Error(Fault::Input, origin + ": is a .npy file of version " +
                                      std::to_string(version) + "; 1 to 3 are known");
    const std::size_t lengthBytes = version == 1 ? 2 : 4;
    const std::size_t start = magic.size() + 2 + lengthBytes;
    if (text.size() < start)
        throw Error(Fault::Input, origin + ": truncated in its header");
    std::size_t length = 0;
    for (std::size_t byte = lengthBytes; byte-- > 0;)
        length = length << 8U | byteAt(magic.size() + 2 + byte);
    if (text.size() - start < length)
        throw Error(Fault::Input, origin + ": truncated in its header");
    NpyArray array = HeaderReader(text.substr(start, length), origin).read();
    const std::string_view elements = text.substr(start + length);
    if (byteCount(array.shape, array.type) != elements.size())
        throw Error(Fault::Input, origin + ": has " + std::to_string(elements.size()) +
                                      " bytes of elements, which is not what its shape " +
                                      shapeLiteral(array.shape) + " of " +
                                      std::string(npyTypeText(array.type)) + " takes");
    array.bytes = elements;
    return array;
}

NpyArray readNpy(const std::string& path)
{
    return parseNpy(readWholeFile(path, mostNpyBytes), path);
}

}  // namespace calibscope::deploy
