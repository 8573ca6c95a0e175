#include "core/dump/hdf5/filters.h"

#include "core/dump/hdf5/lzf_filter.h"

#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

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

/// Short name of a filter that is registered with The HDF Group: "gzip", "blosc"; empty for others.
std::string filterName(H5Z_filter_t filter)
{
    const KnownFilter* known = knownFilter(filter);
    return known == nullptr ? std::string() : std::string(known->name);
}

/// How to get a filter that is missing, as a clause without a full stop.
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

struct Filter
{
    H5Z_filter_t id = 0;
    std::string recordedName;
    std::array<unsigned, 8> parameters{};  ///< the first ones; 0 where there are fewer
};

Filter filterAt(hid_t creationProperties, unsigned index)
{
    Filter filter;
    std::size_t parameterCount = filter.parameters.size();
    std::array<char, 64> name{};
    unsigned flags = 0;
    unsigned config = 0;
    filter.id = H5Pget_filter2(creationProperties, index, &flags, &parameterCount,
                               filter.parameters.data(), name.size() - 1, name.data(), &config);
    filter.recordedName = name.data();
    return filter;
}

/// In the order in which they were applied.
std::vector<Filter> filtersOf(hid_t creationProperties)
{
    std::vector<Filter> filters;
    const int count = H5Pget_nfilters(creationProperties);
    for (int index = 0; index < count; ++index)
        filters.push_back(filterAt(creationProperties, static_cast<unsigned>(index)));
    return filters;
}

std::string nameOf(const Filter& filter)
{
    std::string name = filterName(filter.id);
    if (!name.empty())
        return name;
    return filter.recordedName.empty() ? fmt::format("filter {}", filter.id) : filter.recordedName;
}

bool canDecode(H5Z_filter_t filter)
{
    unsigned abilities = 0;
    return H5Zfilter_avail(filter) > 0 && H5Zget_filter_info(filter, &abilities) >= 0 &&
           (abilities & H5Z_FILTER_CONFIG_DECODE_ENABLED) != 0;
}

std::string unreadableFilter(const Filter& filter)
{
    if (filter.id < 0)
        return "its list of filters cannot be read; the file is damaged";
    if (canDecode(filter.id))
        return {};
    return fmt::format("it is compressed with {} (HDF5 filter {}), which is not installed; {}",
                       nameOf(filter), filter.id, filterRemedy(filter.id));
}

bool isPacking(const Filter& filter)
{
    return filter.id != H5Z_FILTER_SHUFFLE && filter.id != H5Z_FILTER_FLETCHER32;
}

/// zlib's 1032 to 1 holds for LZF (264 bytes from 3) too, but not for one upon another.
bool isBounded(const std::vector<Filter>& filters)
{
    const auto packing = std::ranges::count_if(filters, isPacking);
    return packing == 0 || (packing == 1 && std::ranges::all_of(filters, [](const Filter& filter) {
                                return !isPacking(filter) || filter.id == H5Z_FILTER_DEFLATE ||
                                       filter.id == lzfFilter;
                            }));
}

}  // namespace

FilterFacts filterFacts(hid_t creationProperties)
{
    const std::vector<Filter> filters = filtersOf(creationProperties);
    FilterFacts facts{
        .compression = {}, .checksum = "none", .isBounded = isBounded(filters), .unreadable = {}};
    for (const Filter& filter : filters) {
        if (facts.unreadable.empty())
            facts.unreadable = unreadableFilter(filter);
        if (filter.id == H5Z_FILTER_FLETCHER32) {
            facts.checksum = "fletcher32";
            continue;
        }
        facts.compression += (facts.compression.empty() ? "" : "+") + nameOf(filter);
        if (filter.id == H5Z_FILTER_DEFLATE)
            facts.compression += " " + std::to_string(filter.parameters.front());
        if (filter.id == H5Z_FILTER_DEFLATE && facts.checksum == "none")
            facts.checksum = "adler32 (gzip)";
    }
    if (facts.compression.empty())
        facts.compression = "none";
    return facts;
}

std::string lzfComplaint(hid_t creationProperties, std::uint64_t chunkBytes)
{
    for (const Filter& filter : filtersOf(creationProperties))
        if (filter.id == lzfFilter && filter.parameters[lzfChunkBytesAt] != chunkBytes)
            return fmt::format("its chunks take {} bytes, but its LZF parameters say {}; the file "
                               "is damaged, copy or record it again",
                               chunkBytes, filter.parameters[lzfChunkBytesAt]);
    return {};
}

std::optional<ChunkCode> chunkCode(hid_t creationProperties, std::size_t chunkBytes,
                                   std::size_t elementBytes)
{
    ChunkCode code{.filters = {}, .chunkBytes = chunkBytes, .elementBytes = elementBytes};
    for (const Filter& filter : filtersOf(creationProperties)) {
        const bool isFirst = code.filters.empty();
        if (filter.id == H5Z_FILTER_SHUFFLE && isFirst && filter.parameters.front() == elementBytes)
            code.filters.push_back(ChunkFilter::Shuffle);
        else if (filter.id != H5Z_FILTER_DEFLATE && filter.id != lzfFilter)
            return std::nullopt;
        else if (isFirst || code.filters == std::vector{ChunkFilter::Shuffle})
            code.filters.push_back(filter.id == lzfFilter ? ChunkFilter::Lzf
                                                          : ChunkFilter::Deflate);
        else
            return std::nullopt;
    }
    return code;
}

bool isLzfOfPackedChunks(hid_t creationProperties)
{
    const std::vector<Filter> filters = filtersOf(creationProperties);
    const auto lzf = std::ranges::find(filters, lzfFilter, &Filter::id);
    return lzf != filters.end() && std::any_of(filters.begin(), lzf, [](const Filter& before) {
               return before.id != H5Z_FILTER_SHUFFLE;
           });
}

}  // namespace calibscope::hdf5
