// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/integer_file.h"

#include "core/dump/hdf5/new_file.h"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <set>
#include <utility>

namespace calibscope {

namespace {

using hdf5::Handle;
using hdf5::Lock;

/// Chooses boxes of a dataset for consecutive values: as many whole rows at a time as there are.
class Boxes
{
public:
    Boxes(std::vector<hsize_t> shape, hsize_t first)
        : m_shape(std::move(shape)), m_start(m_shape.size())
    {
        for (std::size_t axis = m_shape.size(); axis-- > 0;) {
            m_start[axis] = first % m_shape[axis];
            first /= m_shape[axis];
        }
    }

    /// A box with at most that many values, from where the last one ended: how many it has.
    hsize_t next(hsize_t count)
    {
        std::size_t axis = m_shape.size() - 1;
        hsize_t inner = 1;
        while (axis > 0 && m_start[axis] == 0 && inner * m_shape[axis] <= count)
            inner *= m_shape[axis--];
        const hsize_t rows = std::min(m_shape[axis] - m_start[axis], count / inner);
        m_first = m_start;
        m_lengths.assign(m_shape.size(), 1);
        std::copy(m_shape.begin() + std::ptrdiff_t(axis) + 1, m_shape.end(),
                  m_lengths.begin() + std::ptrdiff_t(axis) + 1);
        m_lengths[axis] = rows;
        m_start[axis] += rows;
        for (; axis > 0 && m_start[axis] == m_shape[axis]; --axis) {
            m_start[axis] = 0;
            ++m_start[axis - 1];
        }
        return rows * inner;
    }

    [[nodiscard]] const hsize_t* first() const { return m_first.data(); }
    [[nodiscard]] const hsize_t* lengths() const { return m_lengths.data(); }

private:
    std::vector<hsize_t> m_shape;
    std::vector<hsize_t> m_start;
    std::vector<hsize_t> m_first;
    std::vector<hsize_t> m_lengths;
};

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

    void attribute(hid_t object, const std::string& name, const AttributeValue& value) const;
    void attributes(hid_t object, const Attributes& all) const
    {
        for (const auto& [name, value] : all)
            attribute(object, name, value);
    }
    void scales(const std::string& name, const TensorQuantization& scales,
                const Attributes* attributes) const;
    void integers(hid_t dataset, const std::vector<hsize_t>& shape, const Writer& write) const;
};

void IntegerFile::Impl::attribute(hid_t object, const std::string& name,
                                  const AttributeValue& value) const
{
    const auto put = [&](hid_t type, const void* values, std::size_t count, bool isList) {
        const hsize_t length = count;
        const Handle space = file.checked(
            isList ? H5Screate_simple(1, &length, nullptr) : H5Screate(H5S_SCALAR), H5Sclose);
        file.setAttribute(object, name, type, space, values);
    };
    if (const auto* integer = std::get_if<std::int64_t>(&value))
        return put(H5T_NATIVE_INT64, integer, 1, false);
    if (const auto* number = std::get_if<double>(&value))
        return put(H5T_NATIVE_DOUBLE, number, 1, false);
    // Texts of variable length lie outside of the object's header, which holds 64 KiB.
    const Handle type = file.textType(H5T_VARIABLE);
    std::vector<const char*> texts;
    if (const auto* text = std::get_if<std::string>(&value)) {
        texts = {text->c_str()};
        return put(type.id(), texts.data(), 1, false);
    }
    if (const auto* list = std::get_if<std::vector<std::string>>(&value)) {
        for (const std::string& text : *list)
            texts.push_back(text.c_str());
        put(type.id(), texts.data(), texts.size(), true);
    }
}

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
        attributes(stored.id(), *attributesOfScales);
    const Handle zeros = file.addDataset("/zero_points/" + name, storedType(scales.format), shape);
    const std::vector<int> zeroPoints(scales.zeroPoints.begin(), scales.zeroPoints.end());
    file.write(zeros.id(), H5T_NATIVE_INT, zeroPoints.data());
}

void IntegerFile::Impl::integers(hid_t dataset, const std::vector<hsize_t>& shape,
                                 const Writer& write) const
{
    const hsize_t all = std::accumulate(shape.begin(), shape.end(), hsize_t{1}, std::multiplies{});
    hsize_t written = 0;
    Boxes boxes(all == 0 ? std::vector<hsize_t>{1} : shape, 0);
    write([&](Integers values) {
        const Lock lock;
        assert(values.size() <= all - written);
        if (shape.empty() && !values.empty())
            file.write(dataset, H5T_NATIVE_SCHAR, values.data());
        for (std::size_t done = 0; !shape.empty() && done < values.size();) {
            const hsize_t count = boxes.next(values.size() - done);
            const Handle place = file.checked(H5Dget_space(dataset), H5Sclose);
            const Handle memory = file.checked(H5Screate_simple(1, &count, nullptr), H5Sclose);
            file.require(H5Sselect_hyperslab(place.id(), H5S_SELECT_SET, boxes.first(), nullptr,
                                             boxes.lengths(), nullptr));
            file.require(H5Dwrite(dataset, H5T_NATIVE_SCHAR, memory.id(), place.id(), H5P_DEFAULT,
                                  values.data() + done));
            done += static_cast<std::size_t>(count);
        }
        written += values.size();
    });
    assert(written == all);
}

IntegerFile::IntegerFile(const std::string& path, const Attributes& root)
{
    const Lock lock;
    m_impl.reset(new Impl{.file = hdf5::NewFile(path), .names = {}});
    const Handle group = m_impl->file.root();
    m_impl->attributes(group.id(), root);
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
        m_impl->attributes(dataset.id(), attributes);
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
