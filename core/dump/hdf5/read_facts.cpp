// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/hdf5/read_facts.h"

#include "core/dump/hdf5/filters.h"
#include "core/dump/hdf5/library.h"
#include "core/dump/hdf5/read_attributes.h"
#include "core/dump/hdf5/storage.h"
#include "core/dump/hdf5/type_facts.h"
#include "core/dump/hdf5/virtual_storage.h"
#include "core/dump/recorded_digest.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace calibscope::hdf5 {

namespace {

/// The first reason stands: what comes later may follow from it.
void addReason(DatasetFacts& facts, const Unreadable& reason)
{
    if (facts.unreadable.empty())
        facts.unreadable = reason;
}

/// Returns why the elements can't be read, or can't be read unless another type is given; or
/// nothing.
Unreadable takeType(DatasetFacts& facts, const StatedType& ofFile)
{
    StatedType stated = statedType(ofFile, facts.attributes);
    facts.typeText = std::move(stated.text);
    facts.storedType = std::move(stated.storedText);
    facts.element = stated.element;
    facts.otherElements = std::move(stated.others);
    facts.evidence = std::move(stated.evidence);
    const std::string quantizer = quantizerAttributes(facts.attributes);
    if (facts.element && facts.element->isInteger() && !quantizer.empty()) {
        facts.evidence.push_back("it holds already quantized integers (attributes: " + quantizer +
                                 "), which are read as they are, not scaled back");
        facts.warnings.push_back(facts.evidence.back());
    }
    return stated.unreadable;
}

void takeAttributes(DatasetFacts& facts, ReadAttributes attributes)
{
    facts.attributes = std::move(attributes.values);
    facts.warnings = std::move(attributes.warnings);
}

/// Adds the recorded digest, and the reason why its elements may need another type.
DatasetFacts finished(DatasetFacts facts, const Unreadable& unreadableType)
{
    takeRecordedDigest(facts);
    if (!facts.unreadable.empty())
        facts.otherElements.clear();  // no other type would help
    addReason(facts, unreadableType);
    return facts;
}

void readShape(DatasetFacts& facts, hid_t space)
{
    const H5S_class_t kind = H5Sget_simple_extent_type(space);
    if (kind == H5S_NULL)
        addReason(facts, "it has no values at all (a null dataspace)");
    if (kind == H5S_SCALAR)
        addReason(facts, "it is a single value, not a tensor");
    const int axes = H5Sget_simple_extent_ndims(space);
    if (axes < 0)
        addReason(facts, "its shape cannot be read (" + lastReason() + ")");
    if (axes <= 0)
        return;
    std::vector<hsize_t> lengths(static_cast<std::size_t>(axes));
    H5Sget_simple_extent_dims(space, lengths.data(), nullptr);
    facts.shape.assign(lengths.begin(), lengths.end());
    if (std::ranges::count(facts.shape, 0U) > 0)
        addReason(facts, "it has no values: one of its axes has length 0");
}

std::uint64_t bytesOfFile(hid_t dataset)
{
    const Handle file(H5Iget_file_id(dataset), H5Fclose);
    hsize_t bytes = 0;
    return H5Fget_filesize(file.id(), &bytes) < 0 ? 0 : bytes;
}

void readStorage(DatasetFacts& facts, hid_t dataset, hid_t creationProperties,
                 const DatasetPlace& place, const ReadContext& context)
{
    const FilterFacts filters = filterFacts(creationProperties);
    facts.compression = filters.compression;
    facts.checksum = filters.checksum;
    addReason(facts, {Unreadable::Reason::MissingFilter, filters.unreadable});
    if (!facts.unreadable.empty())
        return;
    const ElementType& anyElement = facts.element ? *facts.element : facts.otherElements.front();
    const std::uint64_t fileBytes =
        place.isInOtherFile ? bytesOfFile(dataset) : context.file.identity.bytes;
    StorageFacts storage =
        storageFacts(dataset, creationProperties, facts.shape, anyElement.bytes(),
                     {.fileBytes = fileBytes, .isBounded = filters.isBounded, .context = context});
    addReason(facts, storage.unreadable);
    facts.chunk = std::move(storage.chunk);
    facts.sources = std::move(storage.sources);
    facts.storedChunks = storage.storedChunks;
    if (storage.doubt.empty())
        return;
    facts.warnings.push_back(storage.doubt);
    facts.doubts.push_back(std::move(storage.doubt));
}

/// Nothing is stored for a shape without values, unless the shape is damaged.
void noteStoredBytes(DatasetFacts& facts, hid_t dataset)
{
    const hsize_t bytes = H5Dget_storage_size(dataset);
    if (bytes == 0)
        return;
    facts.warnings.push_back(fmt::format(
        "its shape has no values, but {} bytes of them are stored: it is damaged", bytes));
    facts.doubts.push_back(facts.warnings.back());
}

/// The shape and where the values lie; those of a virtual dataset only if its sources may be
/// opened, since the library looks into them even for the shape.
void readSpace(DatasetFacts& facts, hid_t dataset, const DatasetPlace& place,
               const ReadContext& context)
{
    const Handle properties(H5Dget_create_plist(dataset), H5Pclose);
    if (!properties.isValid()) {
        addReason(facts, "how its values are stored cannot be read (" + lastReason() + ")");
        return;
    }
    if (H5Pget_layout(properties.id()) == H5D_VIRTUAL &&
        !context.file.findings.areAllObjectsSound()) {
        addReason(facts, "it is a virtual dataset, whose sources are not looked for in a file with "
                         "damaged objects; copy or record it again");
        return;
    }
    const std::string forbidden = forbiddenSource(properties.id(), context.file);
    const Handle space(forbidden.empty() ? H5Dget_space(dataset)
                                         : H5Pget_virtual_vspace(properties.id(), 0),
                       H5Sclose);
    readShape(facts, space.id());
    if (std::ranges::count(facts.shape, 0U) > 0 && H5Pget_layout(properties.id()) != H5D_VIRTUAL)
        noteStoredBytes(facts, dataset);
    if (forbidden.empty())
        readStorage(facts, dataset, properties.id(), place, context);
    else
        addReason(facts,
                  onlyIfAllowed("it is a virtual dataset with values from the file " + forbidden));
}

}  // namespace

DatasetFacts readFacts(const DatasetPlace& place, const ReadContext& context)
{
    DatasetFacts facts;
    facts.path = place.path;
    const Handle dataset(H5Dopen2(place.group, place.name.c_str(), context.file.others->access()),
                         H5Dclose);
    if (!dataset.isValid()) {
        facts.unreadable = "it cannot be opened (" + lastReason() + "); the file is damaged";
        return facts;
    }
    if (!place.isInOtherFile && !context.file.findings.areAllObjectsSound())
        facts.address = headerAddress(dataset.id());
    takeAttributes(facts, readAttributes(dataset.id(),
                                         place.isInOtherFile ? nullptr : &context.file.findings));
    if (const auto address = headerAddress(dataset.id()); address && !place.isInOtherFile)
        std::ranges::copy(context.file.findings.doubtsOf(*address),
                          std::back_inserter(facts.warnings));
    facts.doubts = facts.warnings;
    const Handle type(H5Dget_type(dataset.id()), H5Tclose);
    const Unreadable unreadableType = takeType(facts, typeFacts(type.id()));
    if (!facts.holdsNumbers() && !facts.holdsBooleans())
        addReason(facts, unreadableType);
    readSpace(facts, dataset.id(), place, context);
    return finished(std::move(facts), unreadableType);
}

DatasetFacts plainFacts(const std::string& path, structure::PlainDataset plain,
                        const StatedType& type)
{
    DatasetFacts facts{
        .path = path, .shape = std::move(plain.shape), .compression = "none", .checksum = "none"};
    takeAttributes(facts, attributesWith(std::move(plain.attributes)));
    facts.doubts = facts.warnings;
    const Unreadable unreadableType = takeType(facts, type);
    if (facts.holdsNumbers() || facts.holdsBooleans())
        facts.chunk.assign(facts.shape.size(), 1);
    else
        addReason(facts, unreadableType);
    return finished(std::move(facts), unreadableType);
}

}  // namespace calibscope::hdf5
