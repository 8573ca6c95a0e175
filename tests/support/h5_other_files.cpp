// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/h5_other_files.h"

#include "tests/support/h5_id.h"

namespace calibscope::test {

namespace {

hid_t openForWriting(const H5File& file)
{
    return H5Fopen(file.path().c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
}

hid_t spaceOf(const Shape& shape)
{
    return H5Screate_simple(static_cast<int>(shape.size()), lengthsOf(shape).data(), nullptr);
}

void create(const H5File& file, const std::string& name, hid_t space, hid_t properties)
{
    const Id opened(openForWriting(file), H5Fclose);
    const Id links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
    check(H5Pset_create_intermediate_group(links, 1));
    const Id dataset(
        H5Dcreate2(opened, name.c_str(), H5T_IEEE_F32LE, space, links, properties, H5P_DEFAULT),
        H5Dclose);
}

}  // namespace

void writeVirtual(const H5File& file, const std::string& dataset, const Shape& shape,
                  const std::vector<VirtualPart>& parts, float fillValue)
{
    const Id properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    const Id space(spaceOf(shape), H5Sclose);
    for (const VirtualPart& part : parts) {
        Shape sourceShape = shape;
        sourceShape.front() = part.sourceRows == 0 ? part.rows : part.sourceRows;
        const Id source(spaceOf(sourceShape), H5Sclose);
        Shape count = shape;
        count.front() = part.rows;
        Shape start(shape.size(), 0);
        check(H5Sselect_hyperslab(source, H5S_SELECT_SET, lengthsOf(start).data(), nullptr,
                                  lengthsOf(count).data(), nullptr));
        start.front() = part.firstRow;
        check(H5Sselect_hyperslab(space, H5S_SELECT_SET, lengthsOf(start).data(), nullptr,
                                  lengthsOf(count).data(), nullptr));
        check(H5Pset_virtual(properties, space, part.file.c_str(), part.dataset.c_str(), source));
    }
    check(H5Pset_fill_value(properties, H5T_NATIVE_FLOAT, &fillValue));
    check(H5Sselect_all(space));
    create(file, dataset, space, properties);
}

void writeVirtualBlocks(const H5File& file, const std::string& dataset, unsigned long long width,
                        const std::string& sourceFile, const std::string& sourceDataset)
{
    const Id properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    const Shape shape{1, width};
    const Shape most{H5S_UNLIMITED, width};
    const Id space(H5Screate_simple(2, lengthsOf(shape).data(), lengthsOf(most).data()), H5Sclose);
    const Id source(spaceOf({1, width}), H5Sclose);
    const Shape start{0, 0};
    const Shape stride{1, 1};
    const Shape count{H5S_UNLIMITED, 1};
    const Shape block{1, width};
    check(H5Sselect_hyperslab(space, H5S_SELECT_SET, lengthsOf(start).data(),
                              lengthsOf(stride).data(), lengthsOf(count).data(),
                              lengthsOf(block).data()));
    check(H5Pset_virtual(properties, space, sourceFile.c_str(), sourceDataset.c_str(), source));
    create(file, dataset, space, properties);
}

void writeRaw(const H5File& file, const std::string& dataset, const Shape& shape,
              const std::vector<RawPart>& parts)
{
    const Id properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    for (const RawPart& part : parts)
        check(H5Pset_external(properties, part.file.c_str(), part.offset, part.bytes));
    const Id space(spaceOf(shape), H5Sclose);
    create(file, dataset, space, properties);
}

void writeSparse(const H5File& file, const std::string& dataset, const Shape& shape,
                 const Shape& chunk, bool neverFills)
{
    const Id properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    check(H5Pset_chunk(properties, static_cast<int>(chunk.size()), lengthsOf(chunk).data()));
    if (neverFills)
        check(H5Pset_fill_time(properties, H5D_FILL_TIME_NEVER));
    const Id space(spaceOf(shape), H5Sclose);
    create(file, dataset, space, properties);
}

}  // namespace calibscope::test
