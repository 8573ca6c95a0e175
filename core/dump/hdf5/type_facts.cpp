#include "core/dump/hdf5/type_facts.h"

#include <fmt/format.h>

#include <array>
#include <string_view>

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

/// IEEE 754 interchange formats.
constexpr std::array knownFloats{
    KnownFloat{ElementType::Kind::Float16, 2, {15, 10, 5, 0, 10, 15}},
    KnownFloat{ElementType::Kind::Float32, 4, {31, 23, 8, 0, 23, 127}},
    KnownFloat{ElementType::Kind::Float64, 8, {63, 52, 11, 0, 52, 1023}},
};
constexpr FloatFields bfloat16{15, 7, 8, 0, 7, 127};

FloatFields fieldsOf(hid_t type)
{
    FloatFields fields;
    H5Tget_fields(type, &fields.sign, &fields.exponent, &fields.exponentBits, &fields.mantissa,
                  &fields.mantissaBits);
    fields.bias = H5Tget_ebias(type);
    return fields;
}

TypeFacts floatFacts(hid_t type)
{
    const std::size_t bytes = H5Tget_size(type);
    const FloatFields fields = fieldsOf(type);
    const H5T_order_t order = H5Tget_order(type);
    const bool isPlain = H5Tget_offset(type) == 0 && H5Tget_precision(type) == 8 * bytes &&
                         H5Tget_norm(type) == H5T_NORM_IMPLIED &&
                         (order == H5T_ORDER_LE || order == H5T_ORDER_BE);
    for (const KnownFloat& known : knownFloats)
        if (isPlain && bytes == known.bytes && fields == known.fields) {
            const ElementType element{.kind = known.kind, .isBigEndian = order == H5T_ORDER_BE};
            return {.text = std::string(element.text()), .element = element, .unreadable = {}};
        }
    const bool isBfloat16 = isPlain && bytes == 2 && fields == bfloat16;
    const std::string text = isBfloat16 ? "bfloat16" : fmt::format("float{}", 8 * bytes);
    return {.text = text,
            .element = {},
            .unreadable =
                fmt::format("its elements are {}, of {} bytes with {} bits of exponent and "
                            "{} of mantissa; write it as float32 or float16",
                            isBfloat16 ? "bfloat16" : "floats of an unusual kind", bytes,
                            fields.exponentBits, fields.mantissaBits)};
}

TypeFacts integerFacts(hid_t type)
{
    const std::string text =
        fmt::format("{}int{}", H5Tget_sign(type) == H5T_SGN_NONE ? "u" : "", 8 * H5Tget_size(type));
    return {.text = text,
            .element = {},
            .unreadable = "it holds integers (" + text +
                          "); only floating-point tensors are calibrated, write it as float32"};
}

TypeFacts otherFacts(std::string_view text, std::string_view holds)
{
    return {.text = std::string(text),
            .element = {},
            .unreadable =
                "it holds " + std::string(holds) + "; only floating-point tensors are read"};
}

}  // namespace

TypeFacts typeFacts(hid_t type)
{
    switch (H5Tget_class(type)) {
    case H5T_FLOAT: return floatFacts(type);
    case H5T_INTEGER: return integerFacts(type);
    case H5T_STRING: return otherFacts("string", "texts");
    case H5T_COMPOUND: return otherFacts("compound", "records of several members");
    case H5T_ENUM: return otherFacts("enum", "values of an enumeration, such as booleans");
    case H5T_OPAQUE: return otherFacts("opaque", "bytes of unknown meaning");
    case H5T_REFERENCE: return otherFacts("reference", "references to other objects");
    case H5T_VLEN: return otherFacts("vlen", "rows of different lengths");
    case H5T_ARRAY: return otherFacts("array", "an array in each element");
    case H5T_BITFIELD: return otherFacts("bitfield", "bit fields");
    case H5T_TIME: return otherFacts("time", "times");
    default: return otherFacts("unknown", "elements of an unknown type");
    }
}

}  // namespace calibscope::hdf5
