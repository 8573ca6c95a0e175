// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/npy_header.h"

#include "core/base/error.h"
#include "core/base/number_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace calibscope {

namespace {

struct TypeRow
{
    NpyType type;
    std::string_view text;
    std::string_view code;  ///< of a descr, behind the order of bytes
    std::size_t bytes;
    ElementKind kind;
};

constexpr std::array<TypeRow, 12> typeRows{{
    {NpyType::Bool, "bool", "b1", 1, ElementKind::Uint8},
    {NpyType::Int8, "int8", "i1", 1, ElementKind::Int8},
    {NpyType::Int16, "int16", "i2", 2, ElementKind::Int16},
    {NpyType::Int32, "int32", "i4", 4, ElementKind::Int32},
    {NpyType::Int64, "int64", "i8", 8, ElementKind::Int64},
    {NpyType::Uint8, "uint8", "u1", 1, ElementKind::Uint8},
    {NpyType::Uint16, "uint16", "u2", 2, ElementKind::Uint16},
    {NpyType::Uint32, "uint32", "u4", 4, ElementKind::Uint32},
    {NpyType::Uint64, "uint64", "u8", 8, ElementKind::Uint64},
    {NpyType::Float16, "float16", "f2", 2, ElementKind::Float16},
    {NpyType::Float32, "float32", "f4", 4, ElementKind::Float32},
    {NpyType::Float64, "float64", "f8", 8, ElementKind::Float64},
}};

const TypeRow& rowOf(NpyType type)
{
    return typeRows.at(static_cast<std::size_t>(type));
}

/// Reads the literal of Python that a header is: a dict of a type, a bool and a tuple.
class HeaderReader
{
public:
    HeaderReader(std::string_view text, std::string origin)
        : m_text(text), m_origin(std::move(origin))
    {}

    NpyHeader read()
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
            failAsNone();
        return std::move(m_header);
    }

private:
    [[noreturn]] void fail(const std::string& what) const
    {
        throw Error(Fault::Input, m_origin + ": " + what);
    }

    [[noreturn]] void failAsNone() const { fail("its header is not a description of an array"); }

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
            failAsNone();
    }

    std::string_view quoted()
    {
        const std::string_view quote = accept("'") ? "'" : "\"";
        if (quote == "\"")
            expect(quote);
        const std::size_t end = m_text.find(quote);
        if (end == std::string_view::npos)
            failAsNone();
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

    /// The text of a list, to its own closing bracket.
    std::string_view bracketed()
    {
        const std::string_view from = m_text;
        int depth = 0;
        do {
            skipSpaces();
            if (m_text.empty())
                failAsNone();
            const char next = m_text.front();
            if (next == '\'' || next == '"') {
                (void)quoted();
                continue;
            }
            depth += next == '[' ? 1 : next == ']' ? -1 : 0;
            m_text.remove_prefix(1);
        } while (depth > 0);
        return from.substr(0, from.size() - m_text.size());
    }

    void readType()
    {
        skipSpaces();
        m_hasType = true;
        m_header.type.reset();
        if (m_text.starts_with('[')) {
            m_header.descr = bracketed();
            return;
        }
        m_header.descr = quoted();
        const std::string_view text = m_header.descr;
        const std::string_view order = text.substr(0, 1);
        const auto* const row = std::ranges::find(
            typeRows, text.substr(std::min<std::size_t>(1, text.size())), &TypeRow::code);
        if (row == typeRows.end() || !(order == "<" || order == ">" || order == "|") ||
            (order == "|" && row->bytes > 1))
            return;
        m_header.type = row->type;
        m_header.isBigEndian = order == ">";
    }

    void readOrder()
    {
        m_header.isFortran = accept("True");
        if (!m_header.isFortran)
            expect("False");
        m_hasOrder = true;
    }

    void readShape()
    {
        constexpr std::size_t mostAxes = 32;
        expect("(");
        m_header.shape.clear();
        while (!accept(")")) {
            std::uint64_t length = 0;
            skipSpaces();
            const auto [end, failure] =
                std::from_chars(m_text.data(), m_text.data() + m_text.size(), length);
            if (failure != std::errc{} || m_header.shape.size() == mostAxes)
                fail("its shape is none");
            m_text.remove_prefix(static_cast<std::size_t>(end - m_text.data()));
            (void)accept("L");  // Python 2 wrote its long numbers so
            m_header.shape.push_back(length);
            if (!accept(",")) {
                expect(")");
                break;
            }
        }
        m_hasShape = true;
    }

    std::string_view m_text;
    std::string m_origin;
    NpyHeader m_header;
    bool m_hasType = false;
    bool m_hasOrder = false;
    bool m_hasShape = false;
};

std::uint64_t byteAt(std::string_view text, std::size_t index)
{
    return static_cast<unsigned char>(text[index]);
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

std::string_view npyTypeCode(NpyType type)
{
    return rowOf(type).code;
}

ElementKind npyElementKind(NpyType type)
{
    return rowOf(type).kind;
}

std::optional<std::uint64_t> NpyHeader::elementBytes() const
{
    if (!type)
        return std::nullopt;
    if (std::ranges::count(shape, std::uint64_t{0}) > 0)
        return 0;
    std::uint64_t bytes = npyTypeBytes(*type);
    for (const std::uint64_t length : shape)
        if (__builtin_mul_overflow(bytes, length, &bytes))
            return std::nullopt;
    return bytes;
}

std::uint64_t npyHeaderBytes(std::string_view firstBytes, const std::string& origin)
{
    const auto refuse = [&](const std::string& what) {
        throw Error(Fault::Input, origin + ": " + what);
    };
    constexpr std::size_t lengthAt = npyMagic.size() + 2;
    if (!firstBytes.starts_with(npyMagic) || firstBytes.size() < lengthAt)
        refuse("is not a .npy file");
    const std::uint64_t version = byteAt(firstBytes, npyMagic.size());
    if (version < 1 || version > 3)
        refuse("is a .npy file of version " + std::to_string(version) + "; 1 to 3 are known");
    const std::size_t lengthBytes = version == 1 ? 2 : 4;
    if (firstBytes.size() < lengthAt + lengthBytes)
        refuse("truncated in its header");
    std::uint64_t length = 0;
    for (std::size_t byte = lengthBytes; byte-- > 0;)
        length = length << 8U | byteAt(firstBytes, lengthAt + byte);
    const std::uint64_t bytes = lengthAt + lengthBytes + length;
    if (bytes > mostNpyHeaderBytes)
        refuse("its header has " + numberText(bytes) + " bytes, more than the " +
               numberText(mostNpyHeaderBytes) + " that are read");
    return bytes;
}

NpyHeader parseNpyHeader(std::string_view firstBytes, const std::string& origin)
{
    const std::uint64_t bytes = npyHeaderBytes(firstBytes, origin);
    if (firstBytes.size() < bytes)
        throw Error(Fault::Input, origin + ": truncated in its header");
    const std::size_t textAt = npyMagic.size() + (byteAt(firstBytes, npyMagic.size()) == 1 ? 4 : 6);
    NpyHeader header = HeaderReader(firstBytes.substr(textAt, bytes - textAt), origin).read();
    header.firstByte = bytes;
    return header;
}

}  // namespace calibscope
