// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/h5_file.h"
#include "tests/support/h5_id.h"

#include <hdf5.h>

namespace calibscope::test {

namespace {

hid_t openForWriting(const std::string& path)
{
    return H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
}

}  // namespace

void H5File::softLink(const std::string& name, const std::string& target)
{
    const Id file(openForWriting(path()), H5Fclose);
    check(H5Lcreate_soft(target.c_str(), file, name.c_str(), H5P_DEFAULT, H5P_DEFAULT));
}

void H5File::hardLink(const std::string& name, const std::string& target)
{
    const Id file(openForWriting(path()), H5Fclose);
    check(H5Lcreate_hard(file, target.c_str(), file, name.c_str(), H5P_DEFAULT, H5P_DEFAULT));
}

void H5File::externalLink(const std::string& name, const std::string& file,
                          const std::string& target)
{
    const Id own(openForWriting(path()), H5Fclose);
    check(H5Lcreate_external(file.c_str(), target.c_str(), own, name.c_str(), H5P_DEFAULT,
                             H5P_DEFAULT));
}

}  // namespace calibscope::test
