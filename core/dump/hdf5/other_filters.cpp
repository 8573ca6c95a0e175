// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/hdf5/other_filters.h"

#include "core/dump/hdf5/library.h"

#include <H5PLextern.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <dlfcn.h>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

namespace calibscope::hdf5 {

namespace {

/// Where a filter's bytes are put while the library reads in this thread.
struct KeptBytes
{
    std::span<std::byte> room;
    std::size_t bytes = 0;
    bool wasReached = false;
};
thread_local KeptBytes* keptBytes = nullptr;

constexpr H5Z_filter_t keepingFilter = 397;  // from 256 to 511: for such uses, never in a file

/// Stands before another filter, so that it is undone after it: takes what that one made, and
/// fails, so that the library makes nothing of it.
std::size_t keepBytes(unsigned flags, std::size_t /*parameterCount*/,
                      const unsigned* /*parameters*/, std::size_t bytes,
                      std::size_t* /*bufferBytes*/, void** buffer)
{
    if ((flags & H5Z_FLAG_REVERSE) == 0)
        return bytes;
    if (keptBytes != nullptr) {
        keptBytes->wasReached = true;
        keptBytes->bytes = bytes;
        if (bytes <= keptBytes->room.size())
            std::memcpy(keptBytes->room.data(), *buffer, bytes);
    }
    return 0;
}

void registerKeepingFilter()
{
    static const H5Z_class2_t filter{.version = H5Z_CLASS_T_VERS,
                                     .id = keepingFilter,
                                     .encoder_present = 1,
                                     .decoder_present = 1,
                                     .name = "kept",
                                     .can_apply = nullptr,
                                     .set_local = nullptr,
                                     .filter = keepBytes};
    H5Zregister(&filter);
}

/// Of what a plugin exports.
using PluginType = H5PL_type_t (*)();
using PluginInfo = const void* (*)();

/// The filter's function in a library, which then stays loaded: HDF5 has loaded it before.
H5Z_func_t functionIn(const std::filesystem::path& library, H5Z_filter_t id)
{
    void* const handle = ::dlopen(library.c_str(), RTLD_LAZY | RTLD_LOCAL);
    if (handle == nullptr)
        return nullptr;
    const auto type = reinterpret_cast<PluginType>(::dlsym(handle, "H5PLget_plugin_type"));
    const auto info = reinterpret_cast<PluginInfo>(::dlsym(handle, "H5PLget_plugin_info"));
    if (type != nullptr && info != nullptr && type() == H5PL_TYPE_FILTER)
        if (const auto* const filter = static_cast<const H5Z_class2_t*>(info());
            filter != nullptr && filter->id == id)
            return filter->filter;
    ::dlclose(handle);
    return nullptr;
}

H5Z_func_t pluginFunction(H5Z_filter_t id)
{
    std::error_code failure;
    std::vector<std::filesystem::path> libraries;
    for (const auto& entry : std::filesystem::directory_iterator(pluginFolder(), failure))
        if (entry.path().filename().string().find(".so") != std::string::npos)
            libraries.push_back(entry.path());
    std::ranges::sort(libraries);
    for (const std::filesystem::path& library : libraries)
        if (H5Z_func_t function = functionIn(library, id); function != nullptr)
            return function;
    return nullptr;
}

struct Free
{
    void operator()(void* memory) const { H5free_memory(memory); }
};

std::vector<unsigned> parametersOf(hid_t creationProperties, H5Z_filter_t id)
{
    std::size_t count = 0;
    unsigned flags = 0;
    unsigned abilities = 0;
    if (H5Pget_filter_by_id2(creationProperties, id, &flags, &count, nullptr, 0, nullptr,
                             &abilities) < 0)
        return {};
    std::vector<unsigned> parameters(count);
    H5Pget_filter_by_id2(creationProperties, id, &flags, &count, parameters.data(), 0, nullptr,
                         &abilities);
    return parameters;
}

std::uint32_t wordAt(std::span<const std::byte> bytes, std::size_t at)
{
    std::uint32_t word = 0;
    for (std::size_t byte = 4; byte-- > 0;)
        word = word << 8U | std::to_integer<std::uint32_t>(bytes[at + byte]);
    return word;
}

/// The bytes that the library's own decoders read, which do not look how many there are: where
/// scale-offset and n-bit keep their parameters, see H5Zscaleoffset.c and H5Znbit.c.
std::uint64_t leastBytes(const FilterUse& filter, std::span<const std::byte> packed)
{
    const auto parameter = [&](std::size_t index) -> std::uint64_t {
        return index < filter.parameters.size() ? filter.parameters[index] : 0;
    };
    if (filter.id == H5Z_FILTER_SCALEOFFSET) {
        constexpr std::uint64_t headBytes = 21;
        if (packed.size() < headBytes)
            return headBytes;
        const std::uint64_t bits = wordAt(packed, 0);
        if (bits > 8 * parameter(4))
            return UINT64_MAX;
        return headBytes + (parameter(2) * bits + 7) / 8;
    }
    if (filter.id == H5Z_FILTER_NBIT) {
        constexpr std::uint64_t atomic = 1;
        const bool isPassed = parameter(1) != 0;
        if (isPassed || parameter(3) != atomic)
            return isPassed ? 0 : UINT64_MAX;
        return (parameter(2) * parameter(6) + 7) / 8;
    }
    return 4;  // szip: the bytes that come out
}

}  // namespace

/// A dataset of one chunk in memory, that passes the filter and the one that keeps.
struct OtherFilter::Trial
{
    Handle file;
    Handle dataset;
    Handle type;
    std::vector<hsize_t> origin;
    std::vector<std::byte> ignored;  ///< as many bytes as the library is to read
};

OtherFilter::OtherFilter(const FilterUse& filter, hid_t dataset, hid_t creationProperties)
    : m_filter(filter)
{
    if (filter.id >= H5Z_FILTER_RESERVED) {
        m_function = pluginFunction(filter.id);
        if (m_function == nullptr)
            m_fault = fmt::format("its filter {} is not a plugin in {}", filter.id, pluginFolder());
        return;
    }
    registerKeepingFilter();
    auto trial = std::make_unique<Trial>();
    std::vector<hsize_t> chunk(H5S_MAX_RANK);
    const int axes = H5Pget_chunk(creationProperties, H5S_MAX_RANK, chunk.data());
    chunk.resize(static_cast<std::size_t>(std::max(axes, 0)));
    trial->origin.assign(chunk.size(), 0);
    trial->type = Handle(H5Dget_type(dataset), H5Tclose);
    const Handle space(H5Screate_simple(static_cast<int>(chunk.size()), chunk.data(), nullptr),
                       H5Sclose);
    const Handle created(H5Pcopy(creationProperties), H5Pclose);
    H5Premove_filter(created.id(), H5Z_FILTER_ALL);
    H5Pset_filter(created.id(), keepingFilter, 0, 0, nullptr);
    H5Pset_filter(created.id(), filter.id, 0, filter.parameters.size(), filter.parameters.data());
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    H5Pset_fapl_core(access.id(), std::size_t{1} << 16, false);
    // Where no file can be: the driver looks for one before it takes memory.
    trial->file =
        Handle(H5Fcreate("/dev/null/memory", H5F_ACC_TRUNC, H5P_DEFAULT, access.id()), H5Fclose);
    trial->dataset = Handle(H5Dcreate2(trial->file.id(), "chunk", trial->type.id(), space.id(),
                                       H5P_DEFAULT, created.id(), H5P_DEFAULT),
                            H5Dclose);
    if (!trial->dataset.isValid()) {
        m_fault = "its filter cannot be used for such values (" + lastReason() + ")";
        return;
    }
    // The library has computed them anew from type and chunk.
    const Handle properties(H5Dget_create_plist(trial->dataset.id()), H5Pclose);
    if (parametersOf(properties.id(), filter.id) != filter.parameters) {
        m_fault = fmt::format("the parameters of its filter {} do not fit its elements and chunks",
                              filter.id);
        return;
    }
    std::size_t bytes = H5Tget_size(trial->type.id());
    for (const hsize_t length : chunk)
        bytes *= length;
    trial->ignored.resize(bytes);
    m_trial = std::move(trial);
}

OtherFilter::~OtherFilter() = default;

std::string OtherFilter::undoByPlugin(std::span<const std::byte> packed, std::size_t mostBytes,
                                      std::vector<std::byte>& unpacked) const
{
    std::size_t roomBytes = std::max<std::size_t>(packed.size(), 1);
    std::unique_ptr<void, Free> buffer(H5allocate_memory(roomBytes, true));
    if (!buffer)
        return "there is no memory for it";
    std::ranges::copy(packed, static_cast<std::byte*>(buffer.get()));
    void* bytes = buffer.release();
    const std::size_t count =
        m_function(m_filter.flags | H5Z_FLAG_REVERSE, m_filter.parameters.size(),
                   m_filter.parameters.data(), packed.size(), &roomBytes, &bytes);
    buffer.reset(bytes);
    if (count == 0 || count > roomBytes || bytes == nullptr)
        return fmt::format("its filter {} cannot decode it", m_filter.id);
    if (count > mostBytes)
        return fmt::format("its packed bytes decode to {} bytes, a chunk has {}", count, mostBytes);
    const auto* const first = static_cast<const std::byte*>(bytes);
    unpacked.assign(first, first + count);
    return {};
}

std::string OtherFilter::undo(std::span<const std::byte> packed, std::size_t mostBytes,
                              std::vector<std::byte>& unpacked)
{
    const Lock lock;
    if (!m_fault.empty())
        return m_fault;
    if (m_function != nullptr)
        return undoByPlugin(packed, mostBytes, unpacked);
    if (packed.size() < leastBytes(m_filter, packed))
        return fmt::format("its {} packed bytes are fewer than they say", packed.size());
    unpacked.resize(mostBytes);
    KeptBytes kept{.room = unpacked};
    Trial& trial = *m_trial;
    if (H5Dwrite_chunk(trial.dataset.id(), H5P_DEFAULT, 0, trial.origin.data(), packed.size(),
                       packed.data()) < 0)
        return "it cannot be decoded (" + lastReason() + ")";
    keptBytes = &kept;
    const herr_t status = H5Dread(trial.dataset.id(), trial.type.id(), H5S_ALL, H5S_ALL,
                                  H5P_DEFAULT, trial.ignored.data());
    keptBytes = nullptr;
    if (!kept.wasReached)
        return status < 0 ? "it cannot be decoded (" + lastReason() + ")" : "it is not decoded";
    if (kept.bytes > mostBytes)
        return fmt::format("its packed bytes decode to {} bytes, a chunk has {}", kept.bytes,
                           mostBytes);
    unpacked.resize(kept.bytes);
    return {};
}

void usePluginsOfSystemOnly()
{
    unsigned folders = 0;
    if (H5PLsize(&folders) < 0)
        return;
    while (folders-- > 0)
        H5PLremove(folders);
    H5PLappend(pluginFolder().c_str());
}

std::string pluginFolder()
{
    const std::string_view folders = H5_DEFAULT_PLUGINDIR;
    return std::string(folders.substr(0, folders.find(':')));
}

}  // namespace calibscope::hdf5
