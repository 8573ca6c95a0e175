// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/hdf5/new_file.h"

#include "core/base/error.h"

#include <optional>
#include <string_view>
#include <system_error>

namespace calibscope::hdf5 {

namespace {

/// Of a message of the library with numbers of bytes and addresses what the system said.
std::string systemsReason(const std::string& message)
{
    constexpr std::string_view mark = "error message = '";
    const std::size_t begin = message.find(mark);
    if (begin == std::string::npos)
        return message;
    const std::size_t first = begin + mark.size();
    return message.substr(first, message.find('\'', first) - first);
}

}  // namespace

NewFile::NewFile(const std::string& path) : m_path(path)
{
    try {
        m_whole = std::make_unique<WholeFile>(path);
    } catch (const std::system_error& failure) {
        fail(failure.code().message());
    }
    const Handle access = checked(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    require(H5Pset_file_locking(access.id(), 0, 1));
    // From 1.8 on all metadata have checksums, which the first format lacks.
    require(H5Pset_libver_bounds(access.id(), H5F_LIBVER_V18, H5F_LIBVER_LATEST));
    const Handle creation = untimed(H5P_FILE_CREATE);
    m_file = checked(H5Fcreate(m_whole->part().c_str(), H5F_ACC_TRUNC, creation.id(), access.id()),
                     H5Fclose);
}

NewFile::~NewFile()
{
    const Lock lock;
    m_file = {};
}

void NewFile::fail(const std::string& why) const
{
    throw Error(Fault::Output, m_path + " could not be written: " + why);
}

void NewFile::require(herr_t status) const
{
    if (status < 0)
        fail(systemsReason(lastReason()));
}

Handle NewFile::checked(hid_t id, Handle::Close close) const
{
    if (id < 0)
        fail(systemsReason(lastReason()));
    return {id, close};
}

/// Of what keeps no times: the same calls, the same bytes.
Handle NewFile::untimed(hid_t kind) const
{
    Handle creation = checked(H5Pcreate(kind), H5Pclose);
    require(H5Pset_obj_track_times(creation.id(), 0));
    return creation;
}

Handle NewFile::root() const
{
    return checked(H5Gopen2(m_file.id(), "/", H5P_DEFAULT), H5Gclose);
}

void NewFile::addGroup(const std::string& path) const
{
    const Handle creation = untimed(H5P_GROUP_CREATE);
    static_cast<void>(checked(
        H5Gcreate2(m_file.id(), path.c_str(), H5P_DEFAULT, creation.id(), H5P_DEFAULT), H5Gclose));
}

Handle NewFile::addDataset(const std::string& place, hid_t type,
                           const std::vector<hsize_t>& shape) const
{
    const Handle space = checked(
        shape.empty() ? H5Screate(H5S_SCALAR)
                      : H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr),
        H5Sclose);
    const Handle creation = untimed(H5P_DATASET_CREATE);
    return checked(H5Dcreate2(m_file.id(), place.c_str(), type, space.id(), H5P_DEFAULT,
                              creation.id(), H5P_DEFAULT),
                   H5Dclose);
}

void NewFile::write(hid_t dataset, hid_t type, const void* values) const
{
    require(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
}

void NewFile::setAttribute(hid_t object, const std::string& name, hid_t type, const Handle& space,
                           const void* values) const
{
    const Handle attribute = checked(
        H5Acreate2(object, name.c_str(), type, space.id(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    require(H5Awrite(attribute.id(), type, values));
}

void NewFile::setAttribute(hid_t object, const std::string& name, const AttributeValue& value) const
{
    const auto put = [&](hid_t type, const void* values, std::optional<std::size_t> list) {
        const hsize_t length = list.value_or(0);
        const Handle space =
            checked(list ? H5Screate_simple(1, &length, nullptr) : H5Screate(H5S_SCALAR), H5Sclose);
        setAttribute(object, name, type, space, values);
    };
    if (const auto* integer = std::get_if<std::int64_t>(&value))
        return put(H5T_NATIVE_INT64, integer, {});
    if (const auto* number = std::get_if<double>(&value))
        return put(H5T_NATIVE_DOUBLE, number, {});
    if (const auto* integers = std::get_if<std::vector<std::int64_t>>(&value))
        return put(H5T_NATIVE_INT64, integers->data(), integers->size());
    // Texts of variable length lie outside of the object's header, which holds 64 KiB.
    const Handle type = textType(H5T_VARIABLE);
    std::vector<const char*> texts;
    if (const auto* text = std::get_if<std::string>(&value)) {
        texts = {text->c_str()};
        return put(type.id(), texts.data(), {});
    }
    if (const auto* list = std::get_if<std::vector<std::string>>(&value)) {
        for (const std::string& text : *list)
            texts.push_back(text.c_str());
        put(type.id(), texts.data(), texts.size());
    }
}

void NewFile::setAttributes(hid_t object, const Attributes& all) const
{
    for (const auto& [name, value] : all)
        setAttribute(object, name, value);
}

void NewFile::remove(const std::string& path) const
{
    require(H5Ldelete(m_file.id(), path.c_str(), H5P_DEFAULT));
}

Handle NewFile::textType(std::size_t size) const
{
    Handle type = checked(H5Tcopy(H5T_C_S1), H5Tclose);
    require(H5Tset_size(type.id(), size));
    require(H5Tset_cset(type.id(), H5T_CSET_UTF8));
    return type;
}

void NewFile::finish()
{
    require(H5Fflush(m_file.id(), H5F_SCOPE_GLOBAL));
    m_file = {};
    try {
        m_whole->finish();
    } catch (const std::system_error& failure) {
        fail(failure.code().message());
    }
}

}  // namespace calibscope::hdf5
