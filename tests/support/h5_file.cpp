// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/h5_file.h"

#include "tests/support/h5_id.h"
#include "tests/support/h5_types.h"

#include <hdf5.h>

#include <list>
#include <stdexcept>

namespace calibscope::test {

namespace {

hid_t openForWriting(const std::string& path)
{
    return H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
}

std::size_t passThrough(unsigned /*flags*/, std::size_t /*parameters*/, const unsigned* /*values*/,
                        std::size_t bytes, std::size_t* /*bufferBytes*/, void** /*buffer*/)
{
    return bytes;
}

/// A filter that exists while the writer needs it, and is unknown to the reader.
class PassingFilter
{
public:
    explicit PassingFilter(int id) : m_id(id)
    {
        const H5Z_class2_t filter{H5Z_CLASS_T_VERS,    id,      1,       1,
                                  "only the writer's", nullptr, nullptr, passThrough};
        if (id != 0)
            check(H5Zregister(&filter));
    }
    PassingFilter(const PassingFilter&) = delete;
    PassingFilter& operator=(const PassingFilter&) = delete;
    ~PassingFilter()
    {
        if (m_id != 0)
            H5Zunregister(m_id);
    }

private:
    int m_id;
};

hid_t creationProperties(const Storage& storage)
{
    const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
    if (storage.isCompact)
        check(H5Pset_layout(properties, H5D_COMPACT));
    if (!storage.chunk.empty())
        check(H5Pset_chunk(properties, static_cast<int>(storage.chunk.size()),
                           lengthsOf(storage.chunk).data()));
    if (storage.hasShuffle)
        check(H5Pset_shuffle(properties));
    if (storage.gzip >= 0)
        check(H5Pset_deflate(properties, static_cast<unsigned>(storage.gzip)));
    if (storage.hasFletcher32)
        check(H5Pset_fletcher32(properties));
    if (storage.unknownFilter != 0)
        check(H5Pset_filter(properties, storage.unknownFilter, 0, 0, nullptr));
    for (const FilterStep& step : storage.filters)
        check(
            H5Pset_filter(properties, step.id, 0, step.parameters.size(), step.parameters.data()));
    if (storage.fillValue)
        check(H5Pset_fill_value(properties, H5T_NATIVE_FLOAT, &*storage.fillValue));
    if (storage.allocatesEarly)
        check(H5Pset_alloc_time(properties, H5D_ALLOC_TIME_EARLY));
    return properties;
}

/// Creates a dataset and writes what `values` points to, unless that is null.
void create(const std::string& path, const std::string& name, hid_t space, hid_t type,
            const Storage& storage, hid_t memoryType, const void* values)
{
    std::list<PassingFilter> filters;
    filters.emplace_back(storage.unknownFilter);
    for (const FilterStep& step : storage.filters)
        filters.emplace_back(step.id < 256 ? 0 : step.id);
    const Id file(openForWriting(path), H5Fclose);
    const Id properties(creationProperties(storage), H5Pclose);
    const Id links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
    check(H5Pset_create_intermediate_group(links, 1));
    const Id dataset(H5Dcreate2(file, name.c_str(), type, space, links, properties, H5P_DEFAULT),
                     H5Dclose);
    if (values != nullptr)
        check(H5Dwrite(dataset, memoryType, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
}

hid_t simpleSpace(const Shape& shape, bool isResizable)
{
    std::vector<hsize_t> most = lengthsOf(shape);
    if (isResizable)
        most.front() = H5S_UNLIMITED;
    return H5Screate_simple(static_cast<int>(shape.size()), lengthsOf(shape).data(), most.data());
}

void writeAttribute(const std::string& path, const std::string& object, const std::string& name,
                    hid_t type, hid_t space, const void* value)
{
    const Id file(openForWriting(path), H5Fclose);
    const Id attribute(H5Acreate_by_name(file, object.c_str(), name.c_str(), type, space,
                                         H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                       H5Aclose);
    check(H5Awrite(attribute, type, value));
}

hid_t variableText()
{
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5T_VARIABLE);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
}

std::vector<const char*> pointersTo(const std::vector<std::string>& texts)
{
    std::vector<const char*> pointers;
    for (const std::string& text : texts)
        pointers.push_back(text.c_str());
    return pointers;
}

}  // namespace

H5File::H5File()
{
    const Id file(H5Fcreate(path().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
}

void H5File::write(const std::string& dataset, const Shape& shape,
                   const std::vector<double>& values, Stored stored, const Storage& storage)
{
    const Id space(simpleSpace(shape, storage.isResizable), H5Sclose);
    const Id type(typeOf(stored), H5Tclose);
    create(path(), dataset, space, type, storage, H5T_NATIVE_DOUBLE, values.data());
}

void H5File::write(const std::string& dataset, const Shape& shape, const std::vector<float>& values,
                   const Storage& storage)
{
    const Id space(simpleSpace(shape, storage.isResizable), H5Sclose);
    create(path(), dataset, space, H5T_IEEE_F32LE, storage, H5T_NATIVE_FLOAT, values.data());
}

void H5File::writePatterns(const std::string& dataset, const Shape& shape,
                           const std::vector<std::uint16_t>& patterns, Stored stored,
                           const Storage& storage)
{
    const Id space(simpleSpace(shape, storage.isResizable), H5Sclose);
    const Id type(typeOf(stored), H5Tclose);
    const Id memoryType(typeOf(Stored::Float16), H5Tclose);
    create(path(), dataset, space, type, storage, memoryType, patterns.data());
}

void H5File::writeBytes(const std::string& dataset, const Shape& shape, const std::string& bytes,
                        const RawType& raw, const Storage& storage)
{
    const Id space(simpleSpace(shape, storage.isResizable), H5Sclose);
    const Id type(typeOf(raw), H5Tclose);
    create(path(), dataset, space, type, storage, type, bytes.data());
}

void H5File::writeChunk(const std::string& name, const Shape& offset, const std::string& bytes,
                        std::uint32_t skippedFilters)
{
    const Id file(openForWriting(path()), H5Fclose);
    const Id dataset(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose);
    check(H5Dwrite_chunk(dataset, H5P_DEFAULT, skippedFilters, lengthsOf(offset).data(),
                         bytes.size(), bytes.data()));
}

void H5File::extend(const std::string& name, const Shape& shape)
{
    const Id file(openForWriting(path()), H5Fclose);
    const Id dataset(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose);
    check(H5Dset_extent(dataset, lengthsOf(shape).data()));
}

void H5File::writeScalar(const std::string& dataset, double value)
{
    const Id space(H5Screate(H5S_SCALAR), H5Sclose);
    create(path(), dataset, space, H5T_IEEE_F32LE, {}, H5T_NATIVE_DOUBLE, &value);
}

void H5File::writeNull(const std::string& dataset)
{
    const Id space(H5Screate(H5S_NULL), H5Sclose);
    create(path(), dataset, space, H5T_IEEE_F32LE, {}, H5T_NATIVE_DOUBLE, nullptr);
}

void H5File::writeNothing(const std::string& dataset, const Shape& shape, const Storage& storage)
{
    const Id space(simpleSpace(shape, storage.isResizable), H5Sclose);
    create(path(), dataset, space, H5T_IEEE_F32LE, storage, H5T_NATIVE_DOUBLE, nullptr);
}

void H5File::writeTexts(const std::string& dataset, const std::vector<std::string>& texts)
{
    const Id space(simpleSpace({texts.size()}, false), H5Sclose);
    const Id type(variableText(), H5Tclose);
    create(path(), dataset, space, type, {}, type, pointersTo(texts).data());
}

void H5File::writeCompound(const std::string& dataset)
{
    const Id space(simpleSpace({2}, false), H5Sclose);
    const Id type(H5Tcreate(H5T_COMPOUND, 8), H5Tclose);
    check(H5Tinsert(type, "r", 0, H5T_IEEE_F32LE));
    check(H5Tinsert(type, "i", 4, H5T_IEEE_F32LE));
    const std::vector<float> values{1.0F, 2.0F, 3.0F, 4.0F};
    create(path(), dataset, space, type, {}, type, values.data());
}

void H5File::writeEnum(const std::string& dataset)
{
    const Id space(simpleSpace({2}, false), H5Sclose);
    const Id type(H5Tenum_create(H5T_STD_I8LE), H5Tclose);
    const signed char no = 0;
    const signed char yes = 1;
    check(H5Tenum_insert(type, "FALSE", &no));
    check(H5Tenum_insert(type, "TRUE", &yes));
    const std::vector<signed char> values{0, 1};
    create(path(), dataset, space, type, {}, type, values.data());
}

void H5File::nameType(const std::string& name)
{
    const Id file(openForWriting(path()), H5Fclose);
    const Id type(H5Tcopy(H5T_IEEE_F32LE), H5Tclose);
    check(H5Tcommit2(file, name.c_str(), type, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
}

void H5File::makeGroup(const std::string& name)
{
    const Id file(openForWriting(path()), H5Fclose);
    const Id links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
    check(H5Pset_create_intermediate_group(links, 1));
    const Id group(H5Gcreate2(file, name.c_str(), links, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
}

void H5File::attribute(const std::string& object, const std::string& name, const std::string& text)
{
    const Id space(H5Screate(H5S_SCALAR), H5Sclose);
    const Id type(variableText(), H5Tclose);
    const char* pointer = text.c_str();
    writeAttribute(path(), object, name, type, space, &pointer);
}

void H5File::attribute(const std::string& object, const std::string& name,
                       const std::vector<std::string>& texts)
{
    const Id space(simpleSpace({texts.size()}, false), H5Sclose);
    const Id type(variableText(), H5Tclose);
    writeAttribute(path(), object, name, type, space, pointersTo(texts).data());
}

void H5File::attribute(const std::string& object, const std::string& name, std::int64_t number)
{
    const Id space(H5Screate(H5S_SCALAR), H5Sclose);
    writeAttribute(path(), object, name, H5T_NATIVE_INT64, space, &number);
}

void H5File::attribute(const std::string& object, const std::string& name, double number)
{
    const Id space(H5Screate(H5S_SCALAR), H5Sclose);
    writeAttribute(path(), object, name, H5T_NATIVE_DOUBLE, space, &number);
}

void H5File::attribute(const std::string& object, const std::string& name,
                       const std::vector<std::int64_t>& numbers)
{
    const Id space(simpleSpace({numbers.size()}, false), H5Sclose);
    writeAttribute(path(), object, name, H5T_NATIVE_INT64, space, numbers.data());
}

double singleValue(const std::string& path, const std::string& dataset)
{
    const Id file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
    const Id opened(H5Dopen2(file, dataset.c_str(), H5P_DEFAULT), H5Dclose);
    const Id space(H5Dget_space(opened), H5Sclose);
    if (H5Sget_simple_extent_type(space) != H5S_SCALAR)
        throw std::runtime_error(dataset + " is not a single value");
    double value = 0.0;
    check(H5Dread(opened, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value));
    return value;
}

void H5File::paddedAttribute(const std::string& object, const std::string& name,
                             const std::string& text, std::size_t length)
{
    const Id space(H5Screate(H5S_SCALAR), H5Sclose);
    const Id type(H5Tcopy(H5T_C_S1), H5Tclose);
    check(H5Tset_size(type, length));
    check(H5Tset_strpad(type, H5T_STR_SPACEPAD));
    std::string padded = text;
    padded.resize(length, ' ');
    writeAttribute(path(), object, name, type, space, padded.data());
}

}  // namespace calibscope::test
