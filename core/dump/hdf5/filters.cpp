// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/hdf5/filters.h"

#include "core/dump/hdf5/lzf_filter.h"
#include "core/dump/hdf5/other_filters.h"

#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
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
std::string pythonPlugins()
{
    return "copy it from the folder that hdf5plugin.PLUGIN_PATH names after \"pip install "
           "hdf5plugin\" into " +
           pluginFolder();
}

std::string debianOrPython(std::string_view package)
{
    return "install Debian's package " + std::string(package) + ", or " + pythonPlugins();
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
    case Source::PythonPlugins: return pythonPlugins();
    case Source::Elsewhere: break;
    }
    return "write the file with gzip";
}

FilterUse filterAt(hid_t creationProperties, unsigned index)
{
    constexpr std::size_t mostParameters = 256;  // the library's own limit for this question
    FilterUse filter;
    filter.parameters.resize(mostParameters);
    std::size_t count = filter.parameters.size();
    std::array<char, 64> name{};
    unsigned config = 0;
    filter.id = H5Pget_filter2(creationProperties, index, &filter.flags, &count,
                               filter.parameters.data(), name.size() - 1, name.data(), &config);
    filter.parameters.resize(std::min(count, mostParameters));
    filter.recordedName = name.data();
    return filter;
}

/// 0 where there are fewer.
unsigned parameterOf(const FilterUse& filter, std::size_t index)
{
    return index < filter.parameters.size() ? filter.parameters[index] : 0;
}

/// In the order in which they were applied.
std::vector<FilterUse> filtersOf(hid_t creationProperties)
{
    std::vector<FilterUse> filters;
    const int count = H5Pget_nfilters(creationProperties);
    for (int index = 0; index < count; ++index)
        filters.push_back(filterAt(creationProperties, static_cast<unsigned>(index)));
    return filters;
}

std::string nameOf(const FilterUse& filter)
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

std::string unreadableFilter(const FilterUse& filter)
{
    if (filter.id < 0)
        return "its list of filters cannot be read; the file is damaged";
    if (canDecode(filter.id))
        return {};
    return fmt::format("it is compressed with {} (HDF5 filter {}), which is not installed; {}",
                       nameOf(filter), filter.id, filterRemedy(filter.id));
}

constexpr std::size_t mostFilters = 32;  // a chunk's mask has a bit for each

ChunkFilter kindOf(H5Z_filter_t id)
{
    switch (id) {
    case H5Z_FILTER_SHUFFLE: return ChunkFilter::Shuffle;
    case H5Z_FILTER_DEFLATE: return ChunkFilter::Deflate;
    case H5Z_FILTER_FLETCHER32: return ChunkFilter::Fletcher32;
    case lzfFilter: return ChunkFilter::Lzf;
    default: return ChunkFilter::Other;
    }
}

bool isPacking(const FilterUse& filter)
{
    return filter.id != H5Z_FILTER_SHUFFLE && filter.id != H5Z_FILTER_FLETCHER32;
}

/// zlib's 1032 to 1 holds for LZF (264 bytes from 3) too, but not for one upon another.
bool isBounded(const std::vector<FilterUse>& filters)
{
    const auto packing = std::ranges::count_if(filters, isPacking);
    return packing == 0 ||
           (packing == 1 && std::ranges::all_of(filters, [](const FilterUse& filter) {
                return !isPacking(filter) || filter.id == H5Z_FILTER_DEFLATE ||
                       filter.id == lzfFilter;
            }));
}

}  // namespace

FilterFacts filterFacts(hid_t creationProperties)
{
    const std::vector<FilterUse> filters = filtersOf(creationProperties);
    FilterFacts facts{
        .compression = {}, .checksum = "none", .isBounded = isBounded(filters), .unreadable = {}};
    for (const FilterUse& filter : filters) {
        if (facts.unreadable.empty())
            facts.unreadable = unreadableFilter(filter);
        if (filter.id == H5Z_FILTER_FLETCHER32) {
            facts.checksum = "fletcher32";
            continue;
        }
        facts.compression += (facts.compression.empty() ? "" : "+") + nameOf(filter);
        if (filter.id == H5Z_FILTER_DEFLATE)
            facts.compression += " " + std::to_string(parameterOf(filter, 0));
        if (filter.id == H5Z_FILTER_DEFLATE && facts.checksum == "none")
            facts.checksum = "adler32 (gzip)";
    }
    if (facts.compression.empty())
        facts.compression = "none";
    return facts;
}

std::string filterComplaint(hid_t creationProperties, std::uint64_t chunkBytes,
                            std::uint64_t elementBytes)
{
    const std::vector<FilterUse> filters = filtersOf(creationProperties);
    if (filters.size() > mostFilters)
        return fmt::format("it passed {} filters, more than {}; the file is damaged",
                           filters.size(), mostFilters);
    for (const FilterUse& filter : filters) {
        if (filter.id == lzfFilter && parameterOf(filter, lzfChunkBytesAt) != chunkBytes)
            return fmt::format("its chunks take {} bytes, but its LZF parameters say {}; the file "
                               "is damaged, copy or record it again",
                               chunkBytes, parameterOf(filter, lzfChunkBytesAt));
        if (filter.id == H5Z_FILTER_SHUFFLE && parameterOf(filter, 0) != elementBytes)
            return fmt::format("its elements have {} bytes, but its shuffle filter says {}; the "
                               "file is damaged, copy or record it again",
                               elementBytes, parameterOf(filter, 0));
    }
    return {};
}

ChunkCode chunkCode(hid_t dataset, hid_t creationProperties, std::size_t chunkBytes,
                    std::size_t elementBytes)
{
    ChunkCode code{.filters = {}, .chunkBytes = chunkBytes, .elementBytes = elementBytes};
    std::map<std::size_t, std::shared_ptr<OtherFilter>> others;
    for (const FilterUse& filter : filtersOf(creationProperties)) {
        const ChunkFilter kind = kindOf(filter.id);
        if (kind == ChunkFilter::Other)
            others[code.filters.size()] =
                std::make_shared<OtherFilter>(filter, dataset, creationProperties);
        code.filters.push_back(kind);
    }
    if (!others.empty())
        code.undoOther = [others](std::size_t filter, std::span<const std::byte> packed,
                                  std::size_t mostBytes, std::vector<std::byte>& unpacked) {
            return others.at(filter)->undo(packed, mostBytes, unpacked);
        };
    return code;
}

}  // namespace calibscope::hdf5
