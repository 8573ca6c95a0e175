#include "core/dump/integer_file.h"

#include "core/base/error.h"
#include "core/base/whole_file.h"
#include "core/dump/hdf5/library.h"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <set>
#include <string_view>
#include <system_error>
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

hid_t storedType(ElementKind kind)
{
    switch (kind) {
    case ElementKind::Uint8: return H5T_STD_U8LE;
    case ElementKind::Int16: return H5T_STD_I16LE;
    case ElementKind::Uint16: return H5T_STD_U16LE;
    default: return H5T_STD_I8LE;
    }
}

}  // namespace

struct IntegerFile::Impl
{
    std::string path;
    std::unique_ptr<WholeFile> whole;  ///< outlives what is open of it
    Handle file;
    std::set<std::string> names;

    [[noreturn]] void fail(const std::string& why) const
    {
        throw Error(Fault::Output, path + " could not be written: " + why);
    }
    void require(bool isDone) const
    {
        if (!isDone)
            fail(systemsReason(hdf5::lastReason()));
    }
    [[nodiscard]] Handle checked(hid_t id, Handle::Close close) const
    {
        require(id >= 0);
        return {id, close};
    }

    void attribute(hid_t object, const std::string& name, const AttributeValue& value) const;
    void attributes(hid_t object, const Attributes& all) const
    {
        for (const auto& [name, value] : all)
            attribute(object, name, value);
    }
    [[nodiscard]] Handle dataset(const std::string& place, hid_t type,
                                 const std::vector<hsize_t>& shape) const;
    void write(hid_t dataset, hid_t type, const void* values) const
    {
        require(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    }
    void scales(const std::string& name, const StoredScales& scales,
                const Attributes* attributes) const;
    void integers(hid_t dataset, const std::vector<hsize_t>& shape, const Writer& write) const;
};

void IntegerFile::Impl::attribute(hid_t object, const std::string& name,
                                  const AttributeValue& value) const
{
    const auto put = [&](hid_t type, const void* values, std::size_t count, bool isList) {
        const hsize_t length = count;
        const Handle space = checked(
            isList ? H5Screate_simple(1, &length, nullptr) : H5Screate(H5S_SCALAR), H5Sclose);
        const Handle attribute = checked(
            H5Acreate2(object, name.c_str(), type, space.id(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
        require(H5Awrite(attribute.id(), type, values) >= 0);
    };
    if (const auto* integer = std::get_if<std::int64_t>(&value))
        return put(H5T_NATIVE_INT64, integer, 1, false);
    if (const auto* number = std::get_if<double>(&value))
        return put(H5T_NATIVE_DOUBLE, number, 1, false);
    // Texts of variable length lie outside of the object's header, which holds 64 KiB.
    const Handle type = checked(H5Tcopy(H5T_C_S1), H5Tclose);
    require(H5Tset_size(type.id(), H5T_VARIABLE) >= 0 &&
            H5Tset_cset(type.id(), H5T_CSET_UTF8) >= 0);
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

Handle IntegerFile::Impl::dataset(const std::string& place, hid_t type,
                                  const std::vector<hsize_t>& shape) const
{
    const Handle space = checked(
        shape.empty() ? H5Screate(H5S_SCALAR)
                      : H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr),
        H5Sclose);
    const Handle creation = checked(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    require(H5Pset_obj_track_times(creation.id(), 0) >= 0);  // the same calls, the same bytes
    return checked(H5Dcreate2(file.id(), place.c_str(), type, space.id(), H5P_DEFAULT,
                              creation.id(), H5P_DEFAULT),
                   H5Dclose);
}

void IntegerFile::Impl::scales(const std::string& name, const StoredScales& scales,
                               const Attributes* attributesOfScales) const
{
    assert(scales.scales.size() == scales.zeroPoints.size() &&
           (scales.isPerChannel || scales.scales.size() == 1));
    const std::vector<hsize_t> shape =
        scales.isPerChannel ? std::vector<hsize_t>{scales.scales.size()} : std::vector<hsize_t>{};
    const Handle stored = dataset("/scales/" + name, H5T_IEEE_F32LE, shape);
    write(stored.id(), H5T_NATIVE_FLOAT, scales.scales.data());
    if (attributesOfScales != nullptr)
        attributes(stored.id(), *attributesOfScales);
    const Handle zeros = dataset("/zero_points/" + name, storedType(scales.integerType), shape);
    write(zeros.id(), H5T_NATIVE_INT, scales.zeroPoints.data());
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
            this->write(dataset, H5T_NATIVE_SCHAR, values.data());
        for (std::size_t done = 0; !shape.empty() && done < values.size();) {
            const hsize_t count = boxes.next(values.size() - done);
            const Handle place = checked(H5Dget_space(dataset), H5Sclose);
            const Handle memory = checked(H5Screate_simple(1, &count, nullptr), H5Sclose);
            require(H5Sselect_hyperslab(place.id(), H5S_SELECT_SET, boxes.first(), nullptr,
                                        boxes.lengths(), nullptr) >= 0);
            require(H5Dwrite(dataset, H5T_NATIVE_SCHAR, memory.id(), place.id(), H5P_DEFAULT,
                             values.data() + done) >= 0);
            done += static_cast<std::size_t>(count);
        }
        written += values.size();
    });
    assert(written == all);
}

IntegerFile::IntegerFile(const std::string& path, const Attributes& root)
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
    m_impl->require(H5Pset_file_locking(access.id(), 0, 1) >= 0);
    m_impl->file = m_impl->checked(
        H5Fcreate(m_impl->whole->part().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.id()),
        H5Fclose);
    const Handle group = m_impl->checked(H5Gopen2(m_impl->file.id(), "/", H5P_DEFAULT), H5Gclose);
    m_impl->attributes(group.id(), root);
    for (const char* name : {"/scales", "/weights", "/zero_points"})
        static_cast<void>(m_impl->checked(
            H5Gcreate2(m_impl->file.id(), name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose));
}

IntegerFile::~IntegerFile()
{
    const Lock lock;
    m_impl->file = {};
}

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

void IntegerFile::addScales(const std::string& name, const StoredScales& scales,
                            const Attributes& attributes)
{
    const std::string stored = storedName(name);
    m_impl->names.insert(stored);
    const Lock lock;
    m_impl->scales(stored, scales, &attributes);
}

void IntegerFile::addWeight(const std::string& name, const std::vector<std::uint64_t>& shape,
                            const StoredScales& scales, const Attributes& attributes,
                            const Writer& write)
{
    const std::string stored = storedName(name);
    m_impl->names.insert(stored);
    const std::vector<hsize_t> lengths(shape.begin(), shape.end());
    Handle dataset;
    {
        const Lock lock;
        dataset = m_impl->dataset("/weights/" + stored, H5T_STD_I8LE, lengths);
        m_impl->attributes(dataset.id(), attributes);
        m_impl->scales(stored, scales, nullptr);
    }
    m_impl->integers(dataset.id(), lengths, write);
    const Lock lock;
    dataset = {};
}

void IntegerFile::finish()
{
    {
        const Lock lock;
        m_impl->require(H5Fflush(m_impl->file.id(), H5F_SCOPE_GLOBAL) >= 0);
        m_impl->file = {};
    }
    try {
        m_impl->whole->finish();
    } catch (const std::system_error& failure) {
        m_impl->fail(failure.code().message());
    }
}

}  // namespace calibscope
