// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/dump_writer.h"

#include "core/base/digest.h"
#include "core/base/error.h"
#include "core/base/hex.h"
#include "core/dump/hdf5/new_file.h"
#include "core/dump/hdf5/piece_writer.h"

#include <algorithm>
#include <bit>
#include <set>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace calibscope {

namespace {

using hdf5::Handle;
using hdf5::Lock;

/// The type in the file of elements that are read like that.
hid_t convertedType(std::optional<ElementKind> kind)
{
    switch (kind.value_or(ElementKind::Float32)) {
    case ElementKind::Int8: return H5T_STD_I8LE;
    case ElementKind::Int16: return H5T_STD_I16LE;
    case ElementKind::Int32: return H5T_STD_I32LE;
    case ElementKind::Int64: return H5T_STD_I64LE;
    case ElementKind::Uint8: return H5T_STD_U8LE;
    case ElementKind::Uint16: return H5T_STD_U16LE;
    case ElementKind::Uint32: return H5T_STD_U32LE;
    case ElementKind::Uint64: return H5T_STD_U64LE;
    default: return H5T_IEEE_F32LE;
    }
}

std::string_view groupOf(Role role)
{
    switch (role) {
    case Role::Activation: return "/activations/";
    case Role::Weight:
    case Role::Bias: return "/weights/";
    case Role::Unknown: break;
    }
    return "/";
}

/// Attributes that say something: no empty texts and lists.
class StatedAttributes
{
public:
    void set(const char* name, AttributeValue value)
    {
        const bool isEmpty = std::visit(
            [](const auto& stated) {
                if constexpr (requires { stated.empty(); })
                    return stated.empty();
                return false;
            },
            value);
        if (!isEmpty)
            m_all[name] = std::move(value);
    }
    template <typename Number>
    void set(const char* name, std::optional<Number> value)
    {
        if (value)
            m_all[name] = *value;
    }
    Attributes all() && { return std::move(m_all); }

private:
    Attributes m_all;
};

void addGeometry(StatedAttributes& stated, const OpGeometry& geometry)
{
    stated.set("kernel_shape", geometry.kernelShape);
    stated.set("strides", geometry.strides);
    stated.set("pads", geometry.pads);
    stated.set("dilations", geometry.dilations);
    stated.set("output_padding", geometry.outputPadding);
    stated.set("output_shape", geometry.outputShape);
    stated.set("group", geometry.group);
    stated.set("auto_pad", geometry.autoPad);
    stated.set("transA", geometry.transA);
    stated.set("transB", geometry.transB);
    stated.set("alpha", geometry.alpha);
    stated.set("beta", geometry.beta);
}

Attributes attributesOf(const TensorInfo& info)
{
    StatedAttributes stated;
    stated.set("op_type", info.op);
    stated.set("inputs", info.inputs);
    if (info.layout.size() == info.shape.size())
        stated.set("layout", info.layout);
    if (info.channelAxis)
        stated.set("channel_axis", std::int64_t{*info.channelAxis});
    if (info.batchSize > 0)
        stated.set("batch_size", std::bit_cast<std::int64_t>(info.batchSize));
    if (info.role == Role::Bias)
        stated.set("role", std::string(roleText(Role::Bias)));
    stated.set("graph_name", info.graphName);
    stated.set("node", info.node);
    stated.set("consumer", info.consumer);
    if (info.outputIndex > 0)
        stated.set("output_index", std::bit_cast<std::int64_t>(info.outputIndex));
    addGeometry(stated, info.geometry);
    stated.set("op_attributes", info.opAttributes);
    stated.set("samples", std::vector<std::int64_t>(info.samples.begin(), info.samples.end()));
    return std::move(stated).all();
}

}  // namespace

struct DumpWriter::Impl
{
    hdf5::NewFile file;
    std::set<std::string> groups;
    std::set<std::string> datasets;
    std::int64_t order = 0;

    [[nodiscard]] std::string freePath(std::string_view group, const std::string& name) const;
    void makeGroups(const std::string& path);
    std::uint64_t add(std::string_view group, const Attributes& attributes,
                      const ValueSource& source, const Progress& progress);
    std::uint64_t fill(hid_t dataset, const ValueSource& source, const Progress& progress) const;
};

/// Nested as the name is; where a dataset is in the way, with "." for "/".
std::string DumpWriter::Impl::freePath(std::string_view group, const std::string& name) const
{
    const auto isFree = [&](const std::string& path) {
        for (std::size_t end = path.find('/', 1); end != std::string::npos;
             end = path.find('/', end + 1))
            if (datasets.contains(path.substr(0, end)))
                return false;
        return !datasets.contains(path) && !groups.contains(path);
    };
    const auto isClean = [](const std::string& path) {
        const std::string closed = path + '/';
        return closed.find("//") == std::string::npos && closed.find("/./") == std::string::npos;
    };
    std::string flat = name;
    std::ranges::replace(flat, '/', '.');
    for (const std::string& tried : {name, flat})
        if (std::string path = std::string(group) + tried; !tried.empty() &&
                                                           tried.find('\0') == std::string::npos &&
                                                           isClean(path) && isFree(path))
            return path;
    throw Error(Fault::Input, "{}: its name is taken already, or none that HDF5 takes", name);
}

void DumpWriter::Impl::makeGroups(const std::string& path)
{
    for (std::size_t end = path.find('/', 1); end != std::string::npos;
         end = path.find('/', end + 1))
        if (groups.insert(path.substr(0, end)).second)
            file.addGroup(path.substr(0, end));
}

std::uint64_t DumpWriter::Impl::add(std::string_view group, const Attributes& attributes,
                                    const ValueSource& source, const Progress& progress)
{
    const std::string path = freePath(group, source.info.name);
    const std::vector<hsize_t> shape(source.info.shape.begin(), source.info.shape.end());
    Handle dataset;
    {
        const Lock lock;
        makeGroups(path);
        dataset = file.addDataset(path, convertedType(source.info.elementType), shape);
        file.setAttributes(dataset.id(), attributes);
    }
    try {
        const std::uint64_t changed = fill(dataset.id(), source, progress);
        datasets.insert(path);
        const Lock lock;
        dataset = {};
        return changed;
    } catch (const Error&) {
        const Lock lock;
        dataset = {};
        file.remove(path);
        throw;
    }
}

std::uint64_t DumpWriter::Impl::fill(hid_t dataset, const ValueSource& source,
                                     const Progress& progress) const
{
    const std::vector<hsize_t> shape(source.info.shape.begin(), source.info.shape.end());
    hdf5::PieceWriter pieces(file, dataset, shape, H5T_NATIVE_FLOAT);
    Sha256 digest;
    std::uint64_t changed = 0;
    source.visit(
        [&](const Block& block) {
            static_assert(std::endian::native == std::endian::little);
            digest.add(
                {reinterpret_cast<const char*>(block.values.data()), block.values.size_bytes()});
            changed += block.lost.size();
            const Lock lock;
            pieces.write(block.values.data(), block.values.size());
        },
        progress);
    if (!source.info.holdsIntegers()) {
        const Lock lock;
        file.setAttributes(dataset, {{"values_sha256", hexText(digest.finish())}});
    }
    return changed;
}

DumpWriter::DumpWriter(const std::string& path, const Attributes& root)
{
    const Lock lock;
    m_impl.reset(new Impl{.file = hdf5::NewFile(path), .groups = {}, .datasets = {}});
    const Handle group = m_impl->file.root();
    m_impl->file.setAttributes(group.id(), {{"format", std::string("calibration-dump")},
                                            {"format_version", std::int64_t{1}}});
    m_impl->file.setAttributes(group.id(), root);
}

DumpWriter::~DumpWriter() = default;

std::uint64_t DumpWriter::add(const ValueSource& source, const Attributes& more,
                              const Progress& progress, const PositionMask& mask)
{
    Attributes attributes = attributesOf(source.info);
    attributes.insert(more.begin(), more.end());
    attributes["order"] = m_impl->order++;
    const std::string_view group = groupOf(source.info.role);
    if (mask.counts) {
        TensorInfo info;
        info.name = source.info.name + ".mask";
        info.elementType = ElementKind::Uint8;
        info.shape = mask.shape;
        attributes["mask"] = m_impl->freePath(group, info.name);
        const std::vector<float> flags(mask.counts->begin(), mask.counts->end());
        m_impl->add(group, {}, sourceOf(info, flags), {});
    }
    return m_impl->add(group, attributes, source, progress);
}

std::uint64_t DumpWriter::addFeed(const ValueSource& source, const Progress& progress)
{
    Attributes attributes;
    if (!source.info.graphName.empty())
        attributes["graph_name"] = source.info.graphName;
    return m_impl->add("/feeds/", attributes, source, progress);
}

void DumpWriter::finish()
{
    const Lock lock;
    m_impl->file.finish();
}

}  // namespace calibscope
