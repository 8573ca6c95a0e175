// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/profile_writer.h"

#include "core/base/digest.h"
#include "core/dump/hdf5/new_file.h"
#include "core/dump/profile_dump.h"

namespace calibscope {

namespace {

using hdf5::Handle;
using hdf5::Lock;

}  // namespace

struct ProfileWriter::Impl
{
    hdf5::NewFile file;
    std::size_t tensors = 0;

    void attribute(hid_t object, const std::string& name, const std::string& text) const
    {
        const Handle space = file.checked(H5Screate(H5S_SCALAR), H5Sclose);
        file.setAttribute(object, name, file.textType(text.size() + 1).id(), space, text.c_str());
    }

    void bytes(const std::string& place, std::string_view content) const
    {
        const std::string kept = sealed(std::string(content));
        const Handle dataset = file.addDataset(place, H5T_STD_U8LE, {kept.size()});
        file.write(dataset.id(), H5T_NATIVE_UINT8, kept.data());
    }
};

ProfileWriter::ProfileWriter(const std::string& path,
                             const std::map<std::string, std::string>& attributes)
{
    const Lock lock;
    m_impl.reset(new Impl{.file = hdf5::NewFile(path)});
    const Handle root = m_impl->file.root();
    m_impl->attribute(root.id(), "format", std::string(ProfileDump::format));
    m_impl->attribute(root.id(), "format_version", std::string(ProfileDump::version));
    for (const auto& [name, text] : attributes)
        m_impl->attribute(root.id(), name, text);
    m_impl->file.addGroup("/tensors");
}

ProfileWriter::~ProfileWriter() = default;

void ProfileWriter::addTensor(std::string_view bytes)
{
    const Lock lock;
    m_impl->bytes(ProfileDump::placeOf(m_impl->tensors++), bytes);
}

void ProfileWriter::finish(std::string_view index)
{
    const Lock lock;
    m_impl->bytes(std::string(ProfileDump::indexPlace), index);
    m_impl->file.finish();
}

}  // namespace calibscope
