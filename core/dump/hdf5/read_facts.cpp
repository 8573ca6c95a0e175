#include "core/dump/hdf5/read_facts.h"

#include "core/dump/hdf5/filters.h"
#include "core/dump/hdf5/library.h"
#include "core/dump/hdf5/read_attributes.h"
#include "core/dump/hdf5/storage.h"
#include "core/dump/hdf5/type_facts.h"
#include "core/dump/hdf5/walk.h"

#include <algorithm>
#include <utility>

namespace calibscope::hdf5 {

namespace {

/// The first reason stands: what comes later may follow from it.
void addReason(DatasetFacts& facts, const std::string& reason)
{
    if (facts.unreadable.empty())
        facts.unreadable = reason;
}

/// Returns why the elements can't be read, or can't be read unless another type is given; or
/// nothing.
std::string readType(DatasetFacts& facts, hid_t dataset)
{
    const Handle type(H5Dget_type(dataset), H5Tclose);
    StatedType stated = statedType(typeFacts(type.id()), facts.attributes);
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

void readShape(DatasetFacts& facts, hid_t dataset)
{
    const Handle space(H5Dget_space(dataset), H5Sclose);
    const H5S_class_t kind = H5Sget_simple_extent_type(space.id());
    if (kind == H5S_NULL)
        addReason(facts, "it has no values at all (a null dataspace)");
    if (kind == H5S_SCALAR)
        addReason(facts, "it is a single value, not a tensor");
    const int axes = H5Sget_simple_extent_ndims(space.id());
    if (axes < 0)
        addReason(facts, "its shape cannot be read (" + lastReason() + ")");
    if (axes <= 0)
        return;
    std::vector<hsize_t> lengths(static_cast<std::size_t>(axes));
    H5Sget_simple_extent_dims(space.id(), lengths.data(), nullptr);
    facts.shape.assign(lengths.begin(), lengths.end());
    if (std::ranges::count(facts.shape, 0U) > 0)
        addReason(facts, "it has no values: one of its axes has length 0");
}

void readStorage(DatasetFacts& facts, hid_t dataset, std::uint64_t fileBytes,
                 std::uint64_t memoryBytes)
{
    const Handle properties(H5Dget_create_plist(dataset), H5Pclose);
    if (!properties.isValid()) {
        addReason(facts, "how its values are stored cannot be read (" + lastReason() + ")");
        return;
    }
    const FilterFacts filters = filterFacts(properties.id());
    facts.compression = filters.compression;
    facts.checksum = filters.checksum;
    addReason(facts, filters.unreadable);
    if (!facts.unreadable.empty())
        return;
    const ElementType& anyElement = facts.element ? *facts.element : facts.otherElements.front();
    StorageFacts storage = storageFacts(
        dataset, properties.id(), facts.shape, anyElement.bytes(),
        {.fileBytes = fileBytes, .memoryBytes = memoryBytes, .isBounded = filters.isBounded});
    addReason(facts, storage.unreadable);
    facts.chunk = std::move(storage.chunk);
    if (!storage.warning.empty())
        facts.warnings.push_back(storage.warning);
}

}  // namespace

DatasetFacts readFacts(hid_t file, const std::string& path, std::uint64_t fileBytes,
                       std::uint64_t memoryBytes)
{
    DatasetFacts facts;
    facts.path = path;
    const Handle linkAccess = withinFile();
    const Handle dataset(H5Oopen(file, path.c_str(), linkAccess.id()), H5Oclose);
    if (!dataset.isValid()) {
        facts.unreadable = "it cannot be opened (" + lastReason() + "); the file is damaged";
        return facts;
    }
    facts.attributes = readAttributes(dataset.id());
    const std::string unreadableType = readType(facts, dataset.id());
    if (!facts.element && facts.otherElements.empty())
        addReason(facts, unreadableType);
    readShape(facts, dataset.id());
    readStorage(facts, dataset.id(), fileBytes, memoryBytes);
    if (!facts.unreadable.empty())
        facts.otherElements.clear();  // no other type would help
    addReason(facts, unreadableType);
    return facts;
}

}  // namespace calibscope::hdf5
