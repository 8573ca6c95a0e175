#include "core/dump/hdf5/known_filters.h"

#include "core/dump/hdf5/lzf_filter.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace calibscope::hdf5 {

namespace {

/// Where a filter comes from.
enum class Source {
    Library,        ///< built into the HDF5 library, or left out of it
    DebianPlugins,  ///< Debian's hdf5-filter-plugin and Python's hdf5plugin
    DebianBlosc,
    DebianZfp,
    PythonPlugins,  ///< only Python's hdf5plugin
    Elsewhere,
};

struct KnownFilter
{
    H5Z_filter_t id;  ///< as registered with The HDF Group
    std::string_view name;
    Source source = Source::Elsewhere;
};

constexpr std::array knownFilters{
    KnownFilter{H5Z_FILTER_DEFLATE, "gzip", Source::Library},
    KnownFilter{H5Z_FILTER_SHUFFLE, "shuffle", Source::Library},
    KnownFilter{H5Z_FILTER_FLETCHER32, "fletcher32", Source::Library},
    KnownFilter{H5Z_FILTER_SZIP, "szip", Source::Library},
    KnownFilter{H5Z_FILTER_NBIT, "nbit", Source::Library},
    KnownFilter{H5Z_FILTER_SCALEOFFSET, "scaleoffset", Source::Library},
    KnownFilter{305, "lzo"},
    KnownFilter{307, "bzip2", Source::DebianPlugins},
    KnownFilter{lzfFilter, "lzf", Source::Library},
    KnownFilter{32001, "blosc", Source::DebianBlosc},
    KnownFilter{32002, "mafisc"},
    KnownFilter{32003, "snappy"},
    KnownFilter{32004, "lz4", Source::DebianPlugins},
    KnownFilter{32008, "bitshuffle", Source::PythonPlugins},
    KnownFilter{32009, "spdp"},
    KnownFilter{32012, "jpeg-ls"},
    KnownFilter{32013, "zfp", Source::DebianZfp},
    KnownFilter{32014, "fpzip"},
    KnownFilter{32015, "zstd", Source::PythonPlugins},
    KnownFilter{32016, "b3d"},
    KnownFilter{32017, "sz", Source::PythonPlugins},
    KnownFilter{32018, "fcidecomp", Source::PythonPlugins},
    KnownFilter{32019, "jpeg"},
    KnownFilter{32020, "vbz"},
    KnownFilter{32022, "bitgroom"},
    KnownFilter{32023, "granular bitround"},
    KnownFilter{32024, "sz3", Source::PythonPlugins},
    KnownFilter{32026, "blosc2", Source::PythonPlugins},
    KnownFilter{32028, "sperr", Source::PythonPlugins},
};

const KnownFilter* knownFilter(H5Z_filter_t id)
{
    const auto found = std::ranges::find(knownFilters, id, &KnownFilter::id);
    return found == knownFilters.end() ? nullptr : &*found;
}

// Debian's python3-hdf5plugin holds no filters, so the package is pip's.
constexpr std::string_view pythonPlugins =
    "\"pip install hdf5plugin\" and set HDF5_PLUGIN_PATH to its hdf5plugin.PLUGIN_PATH";

std::string debianOrPython(std::string_view package)
{
    return "install Debian's package " + std::string(package) + ", or " +
           std::string(pythonPlugins);
}

}  // namespace

std::string filterName(H5Z_filter_t filter)
{
    const KnownFilter* known = knownFilter(filter);
    return known == nullptr ? std::string() : std::string(known->name);
}

std::string filterRemedy(H5Z_filter_t filter)
{
    const KnownFilter* known = knownFilter(filter);
    switch (known == nullptr ? Source::Elsewhere : known->source) {
    case Source::Library: return "use an HDF5 library that was built with it";
    case Source::DebianPlugins: return debianOrPython("hdf5-filter-plugin");
    case Source::DebianBlosc: return debianOrPython("hdf5-filter-plugin-blosc-serial");
    case Source::DebianZfp: return debianOrPython("hdf5-filter-plugin-zfp-serial");
    case Source::PythonPlugins: return std::string(pythonPlugins);
    case Source::Elsewhere: break;
    }
    return "get its plugin from whoever wrote the file and set HDF5_PLUGIN_PATH to its folder, or "
           "write the file with gzip";
}

}  // namespace calibscope::hdf5
