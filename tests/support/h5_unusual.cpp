// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/h5_unusual.h"

#include "tests/support/h5_id.h"

#include <hdf5.h>

#include <array>
#include <vector>

namespace calibscope::test {

namespace {

void setCreation(hid_t creation, const Unusual& kind)
{
    check(H5Pset_sizes(creation, kind.addressBytes, kind.lengthBytes));
    if (kind.hasSmallNodes) {
        check(H5Pset_sym_k(creation, 2, 1));
        check(H5Pset_istore_k(creation, 3));
    }
    if (kind.hasSharedMessages) {
        constexpr unsigned leastBytes = 10;
        check(H5Pset_shared_mesg_nindexes(creation, 2));
        check(H5Pset_shared_mesg_index(creation, 0, H5O_SHMESG_ATTR_FLAG, leastBytes));
        check(H5Pset_shared_mesg_index(
            creation, 1, H5O_SHMESG_SDSPACE_FLAG | H5O_SHMESG_DTYPE_FLAG | H5O_SHMESG_PLINE_FLAG,
            leastBytes));
    }
}

}  // namespace

void writeUnusual(const std::string& path, const Unusual& kind)
{
    const Id creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
    setCreation(creation, kind);
    const Id access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    if (kind.isLatest)
        check(H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST));
    const Id file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation, access), H5Fclose);
    const std::array<hsize_t, 2> lengths{20, 20};
    const std::array<hsize_t, 2> chunk{1, 3};
    const Id space(H5Screate_simple(2, lengths.data(), nullptr), H5Sclose);
    const Id layout(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    check(H5Pset_chunk(layout, 2, chunk.data()));
    check(H5Pset_deflate(layout, 1));
    const std::vector<double> values(400, 1.5);
    for (int number = 0; number < 20; ++number) {
        const std::string name = "tensor " + std::to_string(number);
        const Id dataset(
            H5Dcreate2(file, name.c_str(), H5T_IEEE_F32LE, space, H5P_DEFAULT, layout, H5P_DEFAULT),
            H5Dclose);
        check(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()));
        for (int attribute = 0; attribute < 12; ++attribute) {
            const std::string attributeName = "attribute " + std::to_string(attribute);
            const Id one(H5Acreate2(dataset, attributeName.c_str(), H5T_IEEE_F64LE, space,
                                    H5P_DEFAULT, H5P_DEFAULT),
                         H5Aclose);
            check(H5Awrite(one, H5T_NATIVE_DOUBLE, values.data()));
        }
    }
}

}  // namespace calibscope::test
