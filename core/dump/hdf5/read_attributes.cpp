// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/hdf5/read_attributes.h"

#include "core/base/carried_exception.h"
#include "core/base/utf8.h"
#include "core/dump/hdf5/library.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace calibscope::hdf5 {

namespace {

constexpr hsize_t mostBytes = hsize_t{1} << 20;

struct AttributeNames
{
    std::vector<std::string> names;
    CarriedException carried;
};

herr_t collectName(hid_t /*object*/, const char* name, const H5A_info_t* /*info*/, void* collected)
{
    auto& found = *static_cast<AttributeNames*>(collected);
    return found.carried.guard([&] { found.names.emplace_back(name); });
}

void reclaim(hid_t type, hid_t space, void* values)
{
#if H5_VERSION_GE(1, 12, 0)
    H5Treclaim(type, space, H5P_DEFAULT, values);
#else
    H5Dvlen_reclaim(type, space, H5P_DEFAULT, values);
#endif
}

/// Texts of variable length, which the library allocates.
std::optional<std::vector<std::string>> readVariableTexts(hid_t attribute, hid_t type, hid_t space,
                                                          std::size_t count)
{
    std::vector<char*> pointers(count, nullptr);
    if (H5Aread(attribute, type, pointers.data()) < 0)
        return std::nullopt;
    std::vector<std::string> texts;
    for (const char* text : pointers)
        texts.emplace_back(text == nullptr ? "" : text);
    reclaim(type, space, pointers.data());
    return texts;
}

std::optional<std::vector<std::string>> readFixedTexts(hid_t attribute, hid_t type,
                                                       std::size_t count)
{
    const std::size_t length = H5Tget_size(type);
    std::string bytes(count * length, '\0');
    if (H5Aread(attribute, type, bytes.data()) < 0)
        return std::nullopt;
    const bool isPadded = H5Tget_strpad(type) == H5T_STR_SPACEPAD;
    std::vector<std::string> texts;
    for (std::size_t first = 0; first < bytes.size(); first += length) {
        std::string text = bytes.substr(first, length);
        text.erase(std::min(text.find('\0'), text.size()));
        if (isPadded)
            text.erase(text.find_last_not_of(' ') + 1);
        texts.push_back(std::move(text));
    }
    return texts;
}

AttributeValue readTexts(hid_t attribute, hid_t type, hid_t space, std::size_t count)
{
    std::optional<std::vector<std::string>> texts =
        H5Tis_variable_str(type) > 0 ? readVariableTexts(attribute, type, space, count)
                                     : readFixedTexts(attribute, type, count);
    if (!texts)
        return {};
    if (H5Sget_simple_extent_type(space) == H5S_SCALAR)
        return std::move(texts->front());
    return *std::move(texts);
}

template <typename Number>
AttributeValue readNumber(hid_t attribute, hid_t memoryType)
{
    Number value{};
    if (H5Aread(attribute, memoryType, &value) < 0)
        return {};
    return value;
}

AttributeValue readIntegers(hid_t attribute, std::size_t count)
{
    std::vector<std::int64_t> values(count);
    if (count > 0 && H5Aread(attribute, H5T_NATIVE_INT64, values.data()) < 0)
        return {};
    return values;
}

AttributeValue readValue(hid_t object, const std::string& name)
{
    const Handle attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose);
    if (!attribute.isValid() || H5Aget_storage_size(attribute.id()) > mostBytes)
        return {};
    const Handle type(H5Aget_type(attribute.id()), H5Tclose);
    const Handle space(H5Aget_space(attribute.id()), H5Sclose);
    const hssize_t count = H5Sget_simple_extent_npoints(space.id());
    const H5T_class_t kind = H5Tget_class(type.id());
    if (kind == H5T_STRING && count > 0)
        return readTexts(attribute.id(), type.id(), space.id(), static_cast<std::size_t>(count));
    if ((kind == H5T_INTEGER || kind == H5T_ENUM) && count == 1)  // h5py's booleans are enums
        return readNumber<std::int64_t>(attribute.id(), H5T_NATIVE_INT64);
    // h5py's empty list is one of floats.
    if ((kind == H5T_INTEGER && count > 1) || (kind == H5T_FLOAT && count == 0))
        return readIntegers(attribute.id(), static_cast<std::size_t>(count));
    if (kind == H5T_FLOAT && count == 1)
        return readNumber<double>(attribute.id(), H5T_NATIVE_DOUBLE);
    if (kind == H5T_STRING && count == 0)
        return std::vector<std::string>{};
    return {};
}

/// The earliest format has no checksum of texts: what damage leaves is often none.
bool isText(const std::string& text)
{
    constexpr std::string_view usual = "\t\n\r";
    return validUtf8(text) == text && std::ranges::none_of(text, [&](char byte) {
               const auto code = static_cast<unsigned char>(byte);
               return (code < 0x20 && usual.find(byte) == std::string_view::npos) || code == 0x7f;
           });
}

bool holdsText(const AttributeValue& value)
{
    if (const auto* text = std::get_if<std::string>(&value))
        return isText(*text);
    const auto* texts = std::get_if<std::vector<std::string>>(&value);
    return texts == nullptr || std::ranges::all_of(*texts, isText);
}

void noteBinary(const std::string& name, const AttributeValue& value,
                std::vector<std::string>& warnings)
{
    if (!isText(name))
        warnings.push_back("the name of its attribute " + name +
                           " is not text; the file may be damaged");
    if (!holdsText(value))
        warnings.push_back("its attribute " + name +
                           " holds what is not text; the file may be damaged");
}

const std::map<std::string, std::string>& leftOut(hid_t object, const structure::Findings* findings)
{
    static const std::map<std::string, std::string> none;
    const auto address = findings == nullptr ? std::nullopt : headerAddress(object);
    return address ? findings->attributesLeftOut(*address) : none;
}

}  // namespace

ReadAttributes readAttributes(hid_t object, const structure::Findings* findings)
{
    ReadAttributes read;
    const std::map<std::string, std::string>& damaged = leftOut(object, findings);
    for (const auto& [name, reason] : damaged)
        read.warnings.push_back((name.empty() ? "its attributes are left out: "
                                              : "its attribute " + name + " is left out: ") +
                                reason);
    if (damaged.contains(""))
        return read;
    AttributeNames found;
    hsize_t position = 0;
    H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, &position, collectName, &found);
    found.carried.rethrow();
    for (const std::string& name : found.names) {
        if (damaged.contains(name))
            continue;
        noteBinary(name, read.values[name] = readValue(object, name), read.warnings);
    }
    return read;
}

ReadAttributes attributesWith(Attributes values)
{
    ReadAttributes read{.values = std::move(values), .warnings = {}};
    for (const auto& [name, value] : read.values)
        noteBinary(name, value, read.warnings);
    return read;
}

}  // namespace calibscope::hdf5
