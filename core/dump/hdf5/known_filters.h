#pragma once

#include <hdf5.h>

#include <string>

namespace calibscope::hdf5 {

/// Short name of a filter that is registered with The HDF Group: "gzip", "blosc"; empty for others.
[[nodiscard]] std::string filterName(H5Z_filter_t filter);

/// How to get a filter that is missing, as a clause without a full stop.
[[nodiscard]] std::string filterRemedy(H5Z_filter_t filter);

}  // namespace calibscope::hdf5
