// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/hdf5/type_facts.h"

#include "core/dump/hdf5/library.h"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace calibscope::hdf5 {

namespace {

/// The bit fields of a floating-point type, positions from the least significant bit.
struct FloatFields
{
    std::size_t sign = 0;
    std::size_t exponent = 0;
    std::size_t exponentBits = 0;
    std::size_t mantissa = 0;
    std::size_t mantissaBits = 0;
    std::size_t bias = 0;

    bool operator==(const FloatFields&) const = default;
};

struct KnownFloat
{
    ElementType::Kind kind;
    std::size_t bytes;
    FloatFields fields;
};

constexpr std::array knownFloats{
    KnownFloat{ElementType::Kind::Float16, 2, {15, 10, 5, 0, 10, 15}},
    KnownFloat{ElementType::Kind::Float32, 4, {31, 23, 8, 0, 23, 127}},
    KnownFloat{ElementType::Kind::Float64, 8, {63, 52, 11, 0, 52, 1023}},
    KnownFloat{ElementType::Kind::Bfloat16, 2, {15, 7, 8, 0, 7, 127}},
    // The fields do not tell whether there are infinities. HDF5's own type follows OCP, as does
    // everything that is called E4M3 without a further letter.
    KnownFloat{ElementType::Kind::Float8E4m3fn, 1, {7, 3, 4, 0, 3, 7}},
    KnownFloat{ElementType::Kind::Float8E5m2, 1, {7, 2, 5, 0, 2, 15}},
    KnownFloat{ElementType::Kind::Float8E4m3fnuz, 1, {7, 3, 4, 0, 3, 8}},
    KnownFloat{ElementType::Kind::Float8E5m2fnuz, 1, {7, 2, 5, 0, 2, 16}},
    KnownFloat{ElementType::Kind::Float8E4m3b11fnuz, 1, {7, 3, 4, 0, 3, 11}},
};

FloatFields fieldsOf(hid_t type)
{
    FloatFields fields;
    H5Tget_fields(type, &fields.sign, &fields.exponent, &fields.exponentBits, &fields.mantissa,
                  &fields.mantissaBits);
    fields.bias = H5Tget_ebias(type);
    return fields;
}

/// All bits of each element belong to the number, in one of two byte orders.
bool isPlain(hid_t type)
{
    const H5T_order_t order = H5Tget_order(type);
    return H5Tget_offset(type) == 0 && H5Tget_precision(type) == 8 * H5Tget_size(type) &&
           (order == H5T_ORDER_LE || order == H5T_ORDER_BE);
}

/// A byte has no order: types that differ in nothing else are equal.
bool isBigEndian(hid_t type)
{
    return H5Tget_size(type) > 1 && H5Tget_order(type) == H5T_ORDER_BE;
}

StatedType floatFacts(hid_t type)
{
    const std::size_t bytes = H5Tget_size(type);
    const FloatFields fields = fieldsOf(type);
    const bool isUsual = isPlain(type) && H5Tget_norm(type) == H5T_NORM_IMPLIED;
    for (const KnownFloat& known : knownFloats)
        if (isUsual && bytes == known.bytes && fields == known.fields) {
            const ElementType element{.kind = known.kind, .isBigEndian = isBigEndian(type)};
            StatedType facts{.text = std::string(element.text()), .element = element};
            if (known.kind == ElementType::Kind::Float8E4m3fn)
                facts.others = {{.kind = ElementType::Kind::Float8E4m3}};
            return facts;
        }
    return {.text = fmt::format("float{}", 8 * bytes),
            .unreadable = {Unreadable::Reason::ElementType,
                           fmt::format("its elements are floats of an unusual kind, of {} bytes "
                                       "with {} bits of exponent and {} of mantissa; write it as "
                                       "float32 or float16",
                                       bytes, fields.exponentBits, fields.mantissaBits)}};
}

StatedType integerFacts(hid_t type)
{
    const std::size_t bytes = H5Tget_size(type);
    const std::string text =
        fmt::format("{}int{}", H5Tget_sign(type) == H5T_SGN_NONE ? "u" : "", 8 * bytes);
    const std::optional<ElementType::Kind> kind = elementKind(text);
    if (!kind || !isPlain(type))
        return {.text = text,
                .unreadable = {Unreadable::Reason::ElementType,
                               fmt::format("its elements are integers of an unusual kind, {} bits "
                                           "in {} bytes; write it as int32 or float32",
                                           H5Tget_precision(type), bytes)}};
    return {.text = text,
            .element = ElementType{.kind = *kind, .isBigEndian = isBigEndian(type)},
            .others = floatsOf(bytes, isBigEndian(type))};
}

/// h5py writes a boolean as an enumeration.
StatedType enumFacts(hid_t type)
{
    const Handle boolean(H5Tenum_create(H5T_STD_I8LE), H5Tclose);
    const signed char no = 0;
    const signed char yes = 1;
    H5Tenum_insert(boolean.id(), "FALSE", &no);
    H5Tenum_insert(boolean.id(), "TRUE", &yes);
    if (H5Tequal(type, boolean.id()) > 0) {
        StatedType facts = typeOfNoNumbers("bool", "booleans");
        facts.element = ElementType{.kind = ElementKind::Uint8};
        return facts;
    }
    return typeOfNoNumbers("enum", "values of an enumeration");
}

}  // namespace

StatedType typeFacts(hid_t type)
{
    switch (H5Tget_class(type)) {
    case H5T_FLOAT: return floatFacts(type);
    case H5T_INTEGER: return integerFacts(type);
    case H5T_STRING: return typeOfNoNumbers("string", "texts");
    case H5T_COMPOUND: return typeOfNoNumbers("compound", "records of several members");
    case H5T_ENUM: return enumFacts(type);
    case H5T_OPAQUE: return opaqueType(H5Tget_size(type));
    case H5T_REFERENCE: return typeOfNoNumbers("reference", "references to other objects");
    case H5T_VLEN: return typeOfNoNumbers("vlen", "rows of different lengths");
    case H5T_ARRAY: return typeOfNoNumbers("array", "an array in each element");
    case H5T_BITFIELD: return typeOfNoNumbers("bitfield", "bit fields");
    case H5T_TIME: return typeOfNoNumbers("time", "times");
    default: return typeOfNoNumbers("unknown", "elements of an unknown type");
    }
}

}  // namespace calibscope::hdf5
