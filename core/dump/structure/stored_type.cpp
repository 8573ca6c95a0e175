// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/structure/stored_type.h"

#include <algorithm>
#include <bit>

namespace calibscope::structure {

namespace {

constexpr int deepestType = 32;
constexpr unsigned mostAxes = 32;      // H5S_MAX_RANK
constexpr unsigned mostTypeAxes = 32;  // of an array in each element
constexpr unsigned complexKind = 11;   // H5T_COMPLEX of HDF5 2.0

/// What a type begins with.
struct TypeStart
{
    unsigned kind;
    unsigned version;
    std::uint64_t bits;  ///< 24, whose meaning depends on the kind
    std::uint64_t bytes;
};

/// Names are padded to multiples of 8 in the earlier versions.
void skipName(StoredReader& at, unsigned version)
{
    const std::uint64_t length = at.text().size() + 1;
    if (version < 3)
        at.skip((8 - length % 8) % 8);
}

void readWhole(StoredReader& at, const TypeStart& type)
{
    const unsigned offset = at.u16();
    const unsigned precision = at.u16();
    at.require(precision > 0 && offset + precision <= 8 * type.bytes,
               "its numbers have more bits than bytes hold");
}

void readFloat(StoredReader& at, const TypeStart& type)
{
    readWhole(at, type);
    const unsigned bits = static_cast<unsigned>(std::min<std::uint64_t>(8 * type.bytes, 65535));
    const unsigned exponent = at.u8();
    const unsigned exponentBits = at.u8();
    const unsigned mantissa = at.u8();
    const unsigned mantissaBits = at.u8();
    const unsigned sign = type.bits >> 8 & 0xffU;
    at.skip(4);
    at.require(exponentBits > 0 && mantissaBits > 0 && exponent + exponentBits <= bits &&
                   mantissa + mantissaBits <= bits && sign < bits,
               "the fields of its floats do not fit them");
    at.require(exponent >= mantissa + mantissaBits || mantissa >= exponent + exponentBits,
               "the fields of its floats overlap");
}

/// Returns whether any of them is of variable length.
bool readMembers(StoredReader& at, const TypeStart& type, int depth)
{
    bool holdsVariable = false;
    const unsigned count = type.bits & 0xffffU;
    at.require(count > 0, "its records have no members");
    const auto offsetBytes = type.version < 3
                                 ? std::size_t{4}
                                 : static_cast<std::size_t>((std::bit_width(type.bytes) + 7) / 8);
    for (unsigned member = 0; member < count; ++member) {
        skipName(at, type.version);
        const std::uint64_t offset = at.number(offsetBytes);
        std::uint64_t elements = 1;
        if (type.version == 1) {
            const unsigned axes = at.u8();
            at.require(axes <= 4, "a member of its records has too many axes");
            at.skip(11);
            for (unsigned axis = 0; axis < 4; ++axis) {
                const std::uint64_t length = at.u32();
                elements *= axis < axes ? std::min(length, type.bytes + 1) : 1;
                elements = std::min(elements, type.bytes + 1);
            }
        }
        const StoredElement one = readElement(at, depth + 1);
        at.require(offset <= type.bytes && elements <= (type.bytes - offset) / one.bytes,
                   "a member of its records lies outside of them");
        holdsVariable |= one.holdsVariable;
    }
    return holdsVariable;
}

void readChoices(StoredReader& at, const TypeStart& type, int depth)
{
    const unsigned count = type.bits & 0xffffU;
    at.require(readElement(at, depth + 1).bytes == type.bytes,
               "its values are not as large as their type");
    for (unsigned member = 0; member < count; ++member)
        skipName(at, type.version);
    at.skip(count * type.bytes);
}

bool readArray(StoredReader& at, const TypeStart& type, int depth)
{
    const unsigned axes = at.u8();
    at.require(axes > 0 && axes <= mostTypeAxes, "the arrays in it have too many axes");
    at.skip(type.version < 3 ? 3 : 0);
    std::uint64_t count = 1;
    for (unsigned axis = 0; axis < axes; ++axis)
        count = std::min(count * at.u32(), std::uint64_t{1} << 32);
    at.skip(type.version < 3 ? 4 * axes : 0);
    const StoredElement one = readElement(at, depth + 1);
    at.require(count > 0 && count * one.bytes == type.bytes,
               "the arrays in it are not as large as their type");
    return one.holdsVariable;
}

}  // namespace

StoredElement readElement(StoredReader& at, int depth)
{
    at.require(depth < deepestType, "its type is too deep");
    const unsigned start = at.u8();
    const TypeStart type{
        .kind = start & 15U, .version = start >> 4, .bits = at.number(3), .bytes = at.u32()};
    at.requireVersion(type.version, 1, 5, "its type");
    at.require(type.bytes > 0, "its elements have no bytes");
    StoredElement element{.bytes = type.bytes};
    switch (type.kind) {
    case 0:
    case 4: readWhole(at, type); break;
    case 1: readFloat(at, type); break;
    case 2: at.skip(2); break;
    case 3: element.isText = true; break;
    case 7: break;
    case 5: at.skip(type.bits & 0xffU); break;
    case 6: element.holdsVariable = readMembers(at, type, depth); break;
    case 8: readChoices(at, type, depth); break;
    case 9:
        element.isVariable = element.holdsVariable = true;
        element.isVariableText = (type.bits & 15U) == 1;
        element.variableBytes = readElement(at, depth + 1).bytes;
        at.require(type.bytes == 8 + at.widths().address, "its references are of no known size");
        break;
    case 10: element.holdsVariable = readArray(at, type, depth); break;
    default:
        throw Damage{at.place(), "its elements are of kind " + std::to_string(type.kind),
                     type.kind == complexKind && type.version == 5};
    }
    return element;
}

std::uint64_t StoredSpace::count() const
{
    std::uint64_t total = kind == Kind::Null ? 0 : 1;
    for (const std::uint64_t length : lengths)
        if (length == 0)
            return 0;
    for (const std::uint64_t length : lengths)
        if (__builtin_mul_overflow(total, length, &total))
            return UINT64_MAX;
    return total;
}

StoredSpace readSpace(StoredReader& at)
{
    StoredSpace space;
    const unsigned version = at.version(1, 2, "its shape");
    const unsigned axes = at.u8();
    const unsigned flags = at.u8();
    const unsigned kind = version == 2 ? at.u8() : axes == 0 ? 0U : 1U;
    at.skip(version == 1 ? 5 : 0);
    at.require(axes <= mostAxes && kind <= 2 && (kind == 1) == (axes > 0) && flags < 4,
               "its shape has axes that cannot be");
    space.kind = static_cast<StoredSpace::Kind>(kind);
    for (unsigned axis = 0; axis < axes; ++axis)
        space.lengths.push_back(at.length());
    space.mostLengths = space.lengths;
    if ((flags & 1U) != 0)
        for (std::uint64_t& length : space.mostLengths)
            length = at.length();
    if (at.widths().length < 8)
        for (std::uint64_t& length : space.mostLengths)
            if (length == (std::uint64_t{1} << 8 * at.widths().length) - 1)
                length = UINT64_MAX;
    for (unsigned axis = 0; axis < axes; ++axis)
        at.require(space.lengths[axis] <= space.mostLengths[axis],
                   "its shape is larger than it may become");
    return space;
}

}  // namespace calibscope::structure
