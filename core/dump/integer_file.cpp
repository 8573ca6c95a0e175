// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/integer_file.h"

#include "core/dump/hdf5/new_file.h"
#include "core/dump/hdf5/piece_writer.h"

#include <algorithm>
#include <cassert>
#include <set>

namespace calibscope {

namespace {

using hdf5::Handle;
using hdf5::Lock;

hid_t storedType(const NumberFormat& format)
{
    if (format.low() >= 0)
        return format.high() <= 255 ? H5T_STD_U8LE : H5T_STD_U16LE;
    return format.low() >= -128 && format.high() <= 127 ? H5T_STD_I8LE : H5T_STD_I16LE;
}

}  // namespace

struct IntegerFile::Impl
{
    hdf5::NewFile file;
    std::set<std::string> names;

    void scales(const std::string& name, const TensorQuantization& scales,
                const Attributes* attributes) const;
    void integers(hid_t dataset, const std::vector<hsize_t>& shape, const Writer& write) const;
};

void IntegerFile::Impl::scales(const std::string& name, const TensorQuantization& scales,
                               const Attributes* attributesOfScales) const
{
    assert(scales.scales.size() == scales.zeroPoints.size() &&
           (scales.axis || scales.scales.size() == 1));
    const std::vector<hsize_t> shape =
        scales.axis ? std::vector<hsize_t>{scales.scales.size()} : std::vector<hsize_t>{};
    const Handle stored = file.addDataset("/scales/" + name, H5T_IEEE_F32LE, shape);
    file.write(stored.id(), H5T_NATIVE_FLOAT, scales.scales.data());
    if (attributesOfScales != nullptr)
        file.setAttributes(stored.id(), *attributesOfScales);
    const Handle zeros = file.addDataset("/zero_points/" + name, storedType(scales.format), shape);
    const std::vector<int> zeroPoints(scales.zeroPoints.begin(), scales.zeroPoints.end());
    file.write(zeros.id(), H5T_NATIVE_INT, zeroPoints.data());
}

void IntegerFile::Impl::integers(hid_t dataset, const std::vector<hsize_t>& shape,
                                 const Writer& write) const
{
    hdf5::PieceWriter pieces(file, dataset, shape, H5T_NATIVE_SCHAR);
    write([&](Integers values) {
        const Lock lock;
        pieces.write(values.data(), values.size());
    });
    assert(pieces.isFull());
}

IntegerFile::IntegerFile(const std::string& path, const Attributes& root)
{
    const Lock lock;
    m_impl.reset(new Impl{.file = hdf5::NewFile(path), .names = {}});
    const Handle group = m_impl->file.root();
    m_impl->file.setAttributes(group.id(), root);
    for (const char* name : {"/scales", "/weights", "/zero_points"})
        m_impl->file.addGroup(name);
}

IntegerFile::~IntegerFile() = default;

std::string IntegerFile::storedName(const std::string& name)
{
    std::string stored = name;
    std::ranges::replace(stored, '/', '.');
    return stored;
}

bool IntegerFile::takes(const std::string& name) const
{
    const std::string stored = storedName(name);
    return !stored.empty() && stored != "." && stored.find('\0') == std::string::npos &&
           !m_impl->names.contains(stored);
}

void IntegerFile::addScales(const std::string& name, const TensorQuantization& scales,
                            const Attributes& attributes)
{
    const std::string stored = storedName(name);
    m_impl->names.insert(stored);
    const Lock lock;
    m_impl->scales(stored, scales, &attributes);
}

void IntegerFile::addWeight(const std::string& name, const std::vector<std::uint64_t>& shape,
                            const TensorQuantization& scales, const Attributes& attributes,
                            const Writer& write)
{
    const std::string stored = storedName(name);
    m_impl->names.insert(stored);
    const std::vector<hsize_t> lengths(shape.begin(), shape.end());
    Handle dataset;
    {
        const Lock lock;
        dataset = m_impl->file.addDataset("/weights/" + stored, H5T_STD_I8LE, lengths);
        m_impl->file.setAttributes(dataset.id(), attributes);
        m_impl->scales(stored, scales, nullptr);
    }
    m_impl->integers(dataset.id(), lengths, write);
    const Lock lock;
    dataset = {};
}

void IntegerFile::finish()
{
    const Lock lock;
    m_impl->file.finish();
}

}  // namespace calibscope
