// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/h5_growing.h"

#include "tests/support/h5_id.h"

#include <array>
#include <cstring>
#include <string_view>
#include <vector>

namespace calibscope::test {

namespace {

constexpr hsize_t samplesOfBatch = 4;
constexpr hsize_t valuesOfSample = 8;

void setText(hid_t object, const char* name, std::string_view text)
{
    const Id type(H5Tcopy(H5T_C_S1), H5Tclose);
    check(H5Tset_size(type, text.size()));
    const Id space(H5Screate(H5S_SCALAR), H5Sclose);
    const Id attribute(H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    check(H5Awrite(attribute, type, text.data()));
}

void setNumber(hid_t object, const char* name, int number)
{
    const Id space(H5Screate(H5S_SCALAR), H5Sclose);
    const Id attribute(H5Acreate2(object, name, H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT),
                       H5Aclose);
    check(H5Awrite(attribute, H5T_NATIVE_INT, &number));
}

/// A dataset that grows by batches.
hid_t newActivation(hid_t file, const std::string& path)
{
    const std::array<hsize_t, 2> none{0, valuesOfSample};
    const std::array<hsize_t, 2> most{H5S_UNLIMITED, valuesOfSample};
    const std::array<hsize_t, 2> chunk{samplesOfBatch, valuesOfSample};
    const Id space(H5Screate_simple(2, none.data(), most.data()), H5Sclose);
    const Id creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    check(H5Pset_chunk(creation, 2, chunk.data()));
    const Id links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
    check(H5Pset_create_intermediate_group(links, 1));
    const hid_t dataset =
        H5Dcreate2(file, path.c_str(), H5T_IEEE_F32LE, space, links, creation, H5P_DEFAULT);
    check(dataset < 0 ? -1 : 0);
    setText(dataset, "layout", "NC");
    setNumber(dataset, "batch_size", static_cast<int>(samplesOfBatch));
    return dataset;
}

void writeBatch(hid_t dataset, hsize_t batch, float value)
{
    const std::array<hsize_t, 2> length{(batch + 1) * samplesOfBatch, valuesOfSample};
    const std::array<hsize_t, 2> start{batch * samplesOfBatch, 0};
    const std::array<hsize_t, 2> count{samplesOfBatch, valuesOfSample};
    check(H5Dset_extent(dataset, length.data()));
    const Id inFile(H5Dget_space(dataset), H5Sclose);
    check(
        H5Sselect_hyperslab(inFile, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr));
    const Id inMemory(H5Screate_simple(2, count.data(), nullptr), H5Sclose);
    const std::vector<float> values(samplesOfBatch * valuesOfSample, value);
    check(H5Dwrite(dataset, H5T_NATIVE_FLOAT, inMemory, inFile, H5P_DEFAULT, values.data()));
}

hid_t latestFormat()
{
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    check(H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST));
    return access;
}

}  // namespace

struct GrowingFile::Impl
{
    explicit Impl(const std::string& path)
        : access(latestFormat(), H5Pclose),
          file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose),
          dataset(newActivation(file, "/activations/a"), H5Dclose)
    {
        setText(file, "format", "calibration-dump");
    }

    Id access;
    Id file;
    Id dataset;
    std::size_t batches = 0;
};

GrowingFile::GrowingFile(const std::string& path, bool isSwmr)
    : m_impl(std::make_unique<Impl>(path))
{
    check(isSwmr ? H5Fstart_swmr_write(m_impl->file) : H5Fflush(m_impl->file, H5F_SCOPE_GLOBAL));
}

GrowingFile::~GrowingFile() = default;

void GrowingFile::append(std::size_t batches)
{
    for (; batches > 0; --batches, ++m_impl->batches)
        writeBatch(m_impl->dataset, m_impl->batches, static_cast<float>(m_impl->batches));
    check(H5Dflush(m_impl->dataset));
}

void writeManyTensors(const std::string& path, std::size_t count, std::size_t pageBytes)
{
    const Id creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
    if (pageBytes > 0) {
        check(H5Pset_file_space_strategy(creation, H5F_FSPACE_STRATEGY_PAGE, false, 1));
        check(H5Pset_file_space_page_size(creation, pageBytes));
    }
    const Id file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation, H5P_DEFAULT), H5Fclose);
    setText(file, "format", "calibration-dump");
    for (std::size_t tensor = 0; tensor < count; ++tensor) {
        const Id dataset(newActivation(file, "/activations/block" + std::to_string(tensor / 20) +
                                                 "/layer" + std::to_string(tensor)),
                         H5Dclose);
        writeBatch(dataset, 0, static_cast<float>(tensor));
    }
}

}  // namespace calibscope::test
