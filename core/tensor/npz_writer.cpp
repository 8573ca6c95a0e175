// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/npz_writer.h"

#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/base/utf8.h"
#include "core/tensor/npy_header.h"

#include <libdeflate.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <utility>
#include <vector>

namespace calibscope {

namespace {

/// The lowest bytes, the least significant first.
std::string littleEndian(std::uint64_t number, std::size_t bytes)
{
    std::string text;
    for (std::size_t byte = 0; byte < bytes; ++byte)
        text += static_cast<char>(number >> (8U * byte) & 0xffU);
    return text;
}

/// Of valid UTF-8.
std::u32string utf32(std::string_view text)
{
    std::u32string points;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if ((byte & 0xc0U) == 0x80U)
            points.back() = points.back() << 6U | (byte & 0x3fU);
        else
            points += byte < 0x80U   ? byte
                      : byte < 0xe0U ? byte & 0x1fU
                      : byte < 0xf0U ? byte & 0x0fU
                                     : byte & 0x07U;
    }
    return points;
}

template <typename Value>
std::string wideElements(std::span<const Value> values)
{
    std::string elements;
    elements.reserve(values.size() * sizeof(std::uint64_t));
    for (const Value value : values)
        elements += littleEndian(std::bit_cast<std::uint64_t>(value), sizeof(std::uint64_t));
    return elements;
}

}  // namespace

std::string shapeLiteral(std::span<const std::uint64_t> shape)
{
    std::string text = "(";
    for (const std::uint64_t& length : shape)
        text += numberText(length) + (shape.size() == 1          ? ","
                                      : &length == &shape.back() ? ""
                                                                 : ", ");
    return text + ")";
}

std::string npyText(std::string_view descr, std::span<const std::uint64_t> shape,
                    std::string_view elements)
{
    std::string header = "{'descr': '" + std::string(descr) +
                         "', 'fortran_order': False, 'shape': " + shapeLiteral(shape) + ", }";
    constexpr std::size_t before = npyMagic.size() + 4;
    constexpr std::size_t alignment = 64;
    while ((before + header.size() + 1) % alignment != 0)
        header += ' ';
    header += '\n';
    std::string text(npyMagic);
    text += '\x01';
    text += '\0';
    text += littleEndian(header.size(), 2);
    return text.append(header).append(elements);
}

void NpzWriter::add(const std::string& name, std::span<const double> values)
{
    addMember(name,
              npyText("<f8", std::array<std::uint64_t, 1>{values.size()}, wideElements(values)));
}

void NpzWriter::add(const std::string& name, std::span<const std::uint64_t> values)
{
    constexpr std::uint64_t mostSigned = std::numeric_limits<std::int64_t>::max();
    const bool isSigned =
        std::ranges::all_of(values, [](std::uint64_t value) { return value <= mostSigned; });
    addMember(name, npyText(isSigned ? "<i8" : "<u8", std::array<std::uint64_t, 1>{values.size()},
                            wideElements(values)));
}

void NpzWriter::add(const std::string& name, std::span<const std::string> texts)
{
    std::vector<std::u32string> rows;
    std::size_t width = 1;  // NumPy's own least
    for (const std::string& text : texts) {
        rows.push_back(utf32(validUtf8(text)));
        width = std::max(width, rows.back().size());
    }
    std::string elements;
    for (std::u32string& row : rows) {
        row.resize(width);
        for (const char32_t point : row)
            elements += littleEndian(point, sizeof point);
    }
    addMember(name, npyText("<U" + std::to_string(width),
                            std::array<std::uint64_t, 1>{texts.size()}, elements));
}

// PKWARE APPNOTE 6.3.9, 4.3.7: a member's header, its bytes; 4.3.12: its entry in the list at the end.
void NpzWriter::addMember(const std::string& name, const std::string& npy)
{
    constexpr std::uint64_t mostBytes = std::numeric_limits<std::uint32_t>::max();
    constexpr std::uint64_t mostMembers = 65534;
    constexpr std::size_t fixedBytes = 76;  // of header and entry, without the name in each
    const std::string file = name + ".npy";
    if (m_members == mostMembers || npy.size() > mostBytes ||
        m_written + m_list.size() + npy.size() + 2 * file.size() + fixedBytes > mostBytes)
        throw Error(Fault::Output, "more than an archive of NumPy without zip64 holds (4 GiB, "
                                   "65534 arrays); choose another format");
    constexpr std::uint64_t version = 20;
    constexpr std::uint64_t namesAreUtf8 = 1U << 11U;
    constexpr std::uint64_t stored = 0;
    constexpr std::uint64_t firstDay = 0x210000;  // of 1980, at 0:00
    // What both have in common.
    const std::string facts = littleEndian(version, 2) + littleEndian(namesAreUtf8, 2) +
                              littleEndian(stored, 2) + littleEndian(firstDay, 4) +
                              littleEndian(libdeflate_crc32(0, npy.data(), npy.size()), 4) +
                              littleEndian(npy.size(), 4) + littleEndian(npy.size(), 4) +
                              littleEndian(file.size(), 2) + littleEndian(0, 2);
    constexpr std::size_t placeBytes = 10;  // comment, disk, attributes
    m_list += "PK\x01\x02" + littleEndian(version, 2) + facts + std::string(placeBytes, '\0') +
              littleEndian(m_written, 4) + file;
    ++m_members;
    write("PK\x03\x04" + facts + file);
    write(npy);
}

// 4.3.16
void NpzWriter::finish()
{
    const std::string members = littleEndian(m_members, 2);
    const std::string end = "PK\x05\x06" + littleEndian(0, 4) + members + members +
                            littleEndian(m_list.size(), 4) + littleEndian(m_written, 4) +
                            littleEndian(0, 2);
    write(m_list);
    write(end);
}

void NpzWriter::write(std::string_view bytes)
{
    m_written += bytes.size();
    m_sink(bytes);
}

}  // namespace calibscope
