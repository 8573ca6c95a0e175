#include "core/dump/profile_writer.h"

#include "core/base/error.h"
#include "core/base/whole_file.h"
#include "core/dump/hdf5/library.h"
#include "core/dump/profile_dump.h"

#include <system_error>

namespace calibscope {

namespace {

using hdf5::Handle;
using hdf5::Lock;

}  // namespace

struct ProfileWriter::Impl
{
    std::string path;
    std::unique_ptr<WholeFile> whole;
    Handle file;
    std::size_t tensors = 0;

    [[noreturn]] void fail(const std::string& reason) const
    {
        throw Error(Fault::Output, path + ": cannot be written (" + reason + ")");
    }
    [[nodiscard]] Handle checked(hid_t id, Handle::Close close) const
    {
        if (id < 0)
            fail(hdf5::lastReason());
        return {id, close};
    }
    void require(herr_t status) const
    {
        if (status < 0)
            fail(hdf5::lastReason());
    }

    void attribute(hid_t object, const std::string& name, const std::string& text) const
    {
        const Handle type = checked(H5Tcopy(H5T_C_S1), H5Tclose);
        require(H5Tset_size(type.id(), text.size() + 1));
        require(H5Tset_cset(type.id(), H5T_CSET_UTF8));
        const Handle space = checked(H5Screate(H5S_SCALAR), H5Sclose);
        const Handle attribute = checked(
            H5Acreate2(object, name.c_str(), type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT),
            H5Aclose);
        require(H5Awrite(attribute.id(), type.id(), text.c_str()));
    }

    void bytes(const std::string& place, std::string_view content) const
    {
        const hsize_t size = content.size();
        const Handle space = checked(H5Screate_simple(1, &size, nullptr), H5Sclose);
        const Handle creation = checked(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
        require(H5Pset_obj_track_times(creation.id(), 0));  // the same calls, the same bytes
        const Handle dataset =
            checked(H5Dcreate2(file.id(), place.c_str(), H5T_STD_U8LE, space.id(), H5P_DEFAULT,
                               creation.id(), H5P_DEFAULT),
                    H5Dclose);
        require(H5Dwrite(dataset.id(), H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                         content.data()));
    }
};

ProfileWriter::ProfileWriter(const std::string& path,
                             const std::map<std::string, std::string>& attributes)
    : m_impl(std::make_unique<Impl>())
{
    m_impl->path = path;
    try {
        m_impl->whole = std::make_unique<WholeFile>(path);
    } catch (const std::system_error& failure) {
        m_impl->fail(failure.code().message());
    }
    const Lock lock;
    const Handle access = m_impl->checked(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    m_impl->require(H5Pset_file_locking(access.id(), 0, 1));
    m_impl->file = m_impl->checked(
        H5Fcreate(m_impl->whole->part().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.id()),
        H5Fclose);
    const Handle root = m_impl->checked(H5Gopen2(m_impl->file.id(), "/", H5P_DEFAULT), H5Gclose);
    m_impl->attribute(root.id(), "format", std::string(ProfileDump::format));
    m_impl->attribute(root.id(), "format_version", std::string(ProfileDump::version));
    for (const auto& [name, text] : attributes)
        m_impl->attribute(root.id(), name, text);
    static_cast<void>(m_impl->checked(
        H5Gcreate2(m_impl->file.id(), "/tensors", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
        H5Gclose));
}

ProfileWriter::~ProfileWriter()
{
    const Lock lock;
    m_impl->file = {};
}

void ProfileWriter::addTensor(std::string_view bytes)
{
    const Lock lock;
    m_impl->bytes(ProfileDump::placeOf(m_impl->tensors++), bytes);
}

void ProfileWriter::finish(std::string_view index)
{
    {
        const Lock lock;
        m_impl->bytes(std::string(ProfileDump::indexPlace), index);
        m_impl->require(H5Fflush(m_impl->file.id(), H5F_SCOPE_GLOBAL));
        m_impl->file = {};
    }
    try {
        m_impl->whole->finish();
    } catch (const std::system_error& failure) {
        m_impl->fail(failure.code().message());
    }
}

}  // namespace calibscope
