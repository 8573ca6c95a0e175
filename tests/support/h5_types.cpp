// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/h5_types.h"

namespace calibscope::test {

namespace {

hid_t floatOf(const RawType& raw)
{
    const std::size_t mantissaBits = 8 * raw.bytes - 1 - raw.exponentBits;
    const hid_t type = H5Tcopy(H5T_IEEE_F64LE);
    H5Tset_fields(type, 8 * raw.bytes - 1, mantissaBits, raw.exponentBits, 0, mantissaBits);
    H5Tset_ebias(type, raw.bias);
    H5Tset_size(type, raw.bytes);
    return type;
}

hid_t smallFloat(bool isBigEndian, unsigned exponentBits, unsigned bias)
{
    return typeOf(RawType{.kind = RawType::Kind::Float,
                          .bytes = 2,
                          .isBigEndian = isBigEndian,
                          .exponentBits = exponentBits,
                          .bias = bias});
}

}  // namespace

hid_t typeOf(Stored stored)
{
    switch (stored) {
    case Stored::Float16: return smallFloat(false, 5, 15);
    case Stored::Float16Big: return smallFloat(true, 5, 15);
    case Stored::Float32: return H5Tcopy(H5T_IEEE_F32LE);
    case Stored::Float32Big: return H5Tcopy(H5T_IEEE_F32BE);
    case Stored::Float64: return H5Tcopy(H5T_IEEE_F64LE);
    case Stored::Float64Big: return H5Tcopy(H5T_IEEE_F64BE);
    case Stored::Bfloat16: return smallFloat(false, 8, 127);
    case Stored::Int32: return H5Tcopy(H5T_STD_I32LE);
    case Stored::Uint8: return H5Tcopy(H5T_STD_U8LE);
    }
    return H5I_INVALID_HID;
}

hid_t typeOf(const RawType& raw)
{
    hid_t type = H5I_INVALID_HID;
    switch (raw.kind) {
    case RawType::Kind::Opaque: return H5Tcreate(H5T_OPAQUE, raw.bytes);
    case RawType::Kind::Float: type = floatOf(raw); break;
    case RawType::Kind::Signed: type = H5Tcopy(H5T_STD_I8LE); break;
    case RawType::Kind::Unsigned: type = H5Tcopy(H5T_STD_U8LE); break;
    }
    H5Tset_size(type, raw.bytes);
    H5Tset_precision(type, 8 * raw.bytes);
    H5Tset_order(type, raw.isBigEndian ? H5T_ORDER_BE : H5T_ORDER_LE);
    return type;
}

}  // namespace calibscope::test
