#include "core/dump/hdf5/filters.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace calibscope::hdf5 {

namespace {

struct KnownFilter
{
    H5Z_filter_t id;  ///< as registered with The HDF Group
    std::string_view name;
    std::string_view remedy;
};

constexpr std::string_view pluginPackage = "install Debian's package hdf5-filter-plugin";
constexpr std::string_view bloscPackage =
    "install Debian's package hdf5-filter-plugin-blosc-serial";
constexpr std::string_view pythonPlugins =
    "install the Python package hdf5plugin and set HDF5_PLUGIN_PATH to its hdf5plugin.PLUGIN_PATH";
constexpr std::string_view rewriteWithGzip =
    "write the file with gzip instead, with h5py: create_dataset(..., compression=\"gzip\")";
constexpr std::string_view otherLibrary = "use an HDF5 library that was built with it";

constexpr std::array knownFilters{
    KnownFilter{H5Z_FILTER_DEFLATE, "gzip", otherLibrary},
    KnownFilter{H5Z_FILTER_SHUFFLE, "shuffle", otherLibrary},
    KnownFilter{H5Z_FILTER_FLETCHER32, "fletcher32", otherLibrary},
    KnownFilter{H5Z_FILTER_SZIP, "szip", otherLibrary},
    KnownFilter{H5Z_FILTER_NBIT, "nbit", otherLibrary},
    KnownFilter{H5Z_FILTER_SCALEOFFSET, "scaleoffset", otherLibrary},
    KnownFilter{307, "bzip2", pluginPackage},
    KnownFilter{32000, "lzf", rewriteWithGzip},
    KnownFilter{32001, "blosc", bloscPackage},
    KnownFilter{32004, "lz4", pluginPackage},
    KnownFilter{32008, "bitshuffle", pythonPlugins},
    KnownFilter{32013, "zfp", "install Debian's package hdf5-filter-plugin-zfp-serial"},
    KnownFilter{32015, "zstd", pythonPlugins},
    KnownFilter{32017, "sz", pythonPlugins},
    KnownFilter{32026, "blosc2", pythonPlugins},
};

struct Filter
{
    H5Z_filter_t id = 0;
    std::string recordedName;
    unsigned firstParameter = 0;
};

Filter filterAt(hid_t creationProperties, unsigned index)
{
    Filter filter;
    std::array<unsigned, 16> parameters{};
    std::size_t parameterCount = parameters.size();
    std::array<char, 64> name{};
    unsigned flags = 0;
    unsigned config = 0;
    filter.id = H5Pget_filter2(creationProperties, index, &flags, &parameterCount,
                               parameters.data(), name.size() - 1, name.data(), &config);
    filter.recordedName = name.data();
    filter.firstParameter = parameters.front();
    return filter;
}

const KnownFilter* knownFilter(H5Z_filter_t id)
{
    const auto found = std::ranges::find(knownFilters, id, &KnownFilter::id);
    return found == knownFilters.end() ? nullptr : &*found;
}

std::string nameOf(const Filter& filter)
{
    if (const KnownFilter* known = knownFilter(filter.id))
        return std::string(known->name);
    return filter.recordedName.empty() ? fmt::format("filter {}", filter.id) : filter.recordedName;
}

std::string missing(const Filter& filter)
{
    const KnownFilter* known = knownFilter(filter.id);
    return fmt::format("it is compressed with {} (HDF5 filter {}), which is not installed; {}",
                       nameOf(filter), filter.id, known != nullptr ? known->remedy : pythonPlugins);
}

}  // namespace

FilterFacts filterFacts(hid_t creationProperties)
{
    FilterFacts facts;
    std::string compression;
    const int count = H5Pget_nfilters(creationProperties);
    for (int index = 0; index < count; ++index) {
        const Filter filter = filterAt(creationProperties, static_cast<unsigned>(index));
        if (filter.id < 0)
            facts.unreadable = "its list of filters cannot be read; the file is damaged";
        else if (H5Zfilter_avail(filter.id) <= 0 && facts.unreadable.empty())
            facts.unreadable = missing(filter);
        if (filter.id == H5Z_FILTER_FLETCHER32) {
            facts.checksum = "fletcher32";
            continue;
        }
        compression += (compression.empty() ? "" : "+") + nameOf(filter);
        if (filter.id == H5Z_FILTER_DEFLATE)
            compression += " " + std::to_string(filter.firstParameter);
        if (filter.id == H5Z_FILTER_DEFLATE && facts.checksum == "none")
            facts.checksum = "adler32 (gzip)";
        facts.isBounded &= filter.id == H5Z_FILTER_DEFLATE || filter.id == H5Z_FILTER_SHUFFLE;
    }
    if (!compression.empty())
        facts.compression = compression;
    return facts;
}

}  // namespace calibscope::hdf5
