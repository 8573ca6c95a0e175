// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/hdf5/virtual_storage.h"

#include "core/dump/hdf5/file_driver.h"
#include "core/dump/hdf5/library.h"
#include "core/dump/hdf5/storage.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

namespace calibscope::hdf5 {

namespace {

constexpr int deepestSource = 8;  // sources may be virtual themselves, and lead back
constexpr std::uint64_t mostBlocks = 1 << 20;
constexpr std::uint64_t mostUses = 16;  // of a source's values, in a dataset of many GiB

template <typename Ask>
std::string textOf(Ask ask)
{
    const ssize_t length = ask(nullptr, 0);
    if (length <= 0)
        return {};
    std::string text(static_cast<std::size_t>(length) + 1, '\0');
    ask(text.data(), text.size());
    text.pop_back();
    return text;
}

/// Where a part of a virtual dataset comes from. A "%b" in either name stands for the number of a
/// block; there are as many as there are sources of such names.
DatasetSource sourceAt(hid_t creationProperties, std::size_t mapping)
{
    return {.file = textOf([&](char* text, std::size_t size) {
                return H5Pget_virtual_filename(creationProperties, mapping, text, size);
            }),
            .dataset = textOf([&](char* text, std::size_t size) {
                return H5Pget_virtual_dsetname(creationProperties, mapping, text, size);
            })};
}

std::size_t mappingCount(hid_t creationProperties)
{
    std::size_t count = 0;
    return H5Pget_virtual_count(creationProperties, &count) < 0 ? 0 : count;
}

/// A name with the number of a block in it; "%%" is one percent sign.
std::string expanded(const std::string& name, std::uint64_t block)
{
    std::string text;
    for (std::size_t at = 0; at < name.size(); ++at) {
        const char next = at + 1 < name.size() ? name[at + 1] : '\0';
        if (name[at] == '%' && (next == 'b' || next == '%')) {
            text += next == 'b' ? std::to_string(block) : "%";
            ++at;
        } else {
            text += name[at];
        }
    }
    return text;
}

bool hasBlocks(const DatasetSource& source)
{
    return expanded(source.file, 0) != expanded(source.file, 1) ||
           expanded(source.dataset, 0) != expanded(source.dataset, 1);
}

bool isOwnFile(const std::string& name, const OpenFile& file)
{
    if (name == ".")
        return true;
    const std::optional<std::string> path = file.others->find(name);
    std::error_code ignored;
    return path && std::filesystem::equivalent(*path, file.identity.path, ignored);
}

class SourceCheck
{
public:
    SourceCheck(hid_t dataset, const ReadContext& context)
        : m_context(context), m_ownFile(H5Iget_file_id(dataset), H5Fclose)
    {}

    /// The first problem of a mapping's sources, as a sentence.
    Unreadable problemOf(const DatasetSource& source, hid_t selected)
    {
        if (!hasBlocks(source))
            return problemOfOne(expanded(source.file, 0), expanded(source.dataset, 0), selected);
        for (std::uint64_t block = 0; block < mostBlocks; ++block) {
            checkStopped();
            const std::string file = expanded(source.file, block);
            const std::string dataset = expanded(source.dataset, block);
            if (block > 0 && !isThere(file, dataset))
                break;
            Unreadable problem = problemOfOne(file, dataset, H5I_INVALID_HID);
            if (!problem.empty())
                return problem;
        }
        return {};
    }

    [[nodiscard]] const std::string& doubt() const { return m_doubt; }
    /// Each once, and those of sources that are virtual themselves.
    [[nodiscard]] std::vector<DatasetSource> sources() const
    {
        std::set<DatasetSource> all = m_nested;
        all.insert(m_sources.begin(), m_sources.end());
        return {all.begin(), all.end()};
    }
    /// Of the values of all sources together.
    [[nodiscard]] std::uint64_t bytes() const { return m_bytes; }

private:
    [[nodiscard]] bool isThere(const std::string& file, const std::string& dataset)
    {
        const hid_t opened = fileOf(file);
        return opened >= 0 &&
               Handle(H5Dopen2(opened, dataset.c_str(), m_context.file.others->access()), H5Dclose)
                   .isValid();
    }

    Unreadable problemOfOne(const std::string& file, const std::string& dataset, hid_t selected)
    {
        const std::string source =
            "its source " + dataset + (file == "." ? "" : " in the file " + file);
        // Open already, it can't be opened once more as a source, which the library does not tell.
        if (file != "." && isOwnFile(file, m_context.file))
            return source + " lies in its own file, which must be called \".\"; record it again";
        if (const auto path = m_context.file.others->find(file);
            file != "." && path && !m_context.file.others->isBesideDump(*path))
            return source + " lies in another folder; put it beside this file";
        const hid_t opened = fileOf(file);
        if (opened < 0)
            return source + " cannot be opened: " +
                   (m_problem.empty() ? "it is damaged; copy or record it again" : m_problem);
        if (!isThere(file, dataset)) {
            if (const auto refused = m_context.file.others->takeRefused())
                return onlyIfAllowed(source + " leads to the file " + refused->file);
            return source + " is missing; record it again";
        }
        if (m_sources.insert({file, dataset}).second) {
            const CheckedValues::Known& known = knownOf({file, dataset}, opened);
            if (known.isBeingRead)
                return "it is put together from itself; record it again";
            if (!known.unreadable.empty())
                return {known.unreadable.reason,
                        source + " cannot be read: " + known.unreadable.sentence};
            for (const DatasetSource& nested : known.sources)
                m_nested.insert({nested.file == "." ? file : nested.file, nested.dataset});
            if (m_doubt.empty() && !known.doubt.empty())
                m_doubt = source + ": " + known.doubt;
            if (__builtin_add_overflow(m_bytes, known.bytes, &m_bytes))
                m_bytes = UINT64_MAX;
        }
        if (!holds(opened, dataset, selected))
            return source + " is smaller than the part that is taken from it; record it again";
        return {};
    }

    /// What is known of a source; once it was found out, by whichever virtual dataset.
    const CheckedValues::Known& knownOf(const DatasetSource& source, hid_t opened)
    {
        checkStopped();
        const auto [found, isNew] = m_context.file.checked->known.try_emplace(source);
        if (!isNew)
            return found->second;
        ReadContext context = m_context;
        ++context.depth;
        const DatasetFacts facts = readFacts({.group = opened,
                                              .name = source.dataset,
                                              .path = source.dataset,
                                              .isInOtherFile = source.file != "."},
                                             context);
        CheckedValues::Known& known = found->second;
        known = {.isBeingRead = false,
                 .unreadable = facts.unreadable,
                 .doubt = facts.doubts.empty() ? std::string() : facts.doubts.front(),
                 .sources = facts.sources,
                 .bytes = bytesOf(facts)};
        return known;
    }

    static std::uint64_t bytesOf(const DatasetFacts& facts)
    {
        std::uint64_t bytes = facts.element ? facts.element->bytes() : 8;
        for (const std::uint64_t length : facts.shape)
            if (__builtin_mul_overflow(bytes, length, &bytes))
                return UINT64_MAX;
        return bytes;
    }

    /// Whether a source's shape holds what is taken from it.
    [[nodiscard]] bool holds(hid_t file, const std::string& dataset, hid_t selected) const
    {
        const Handle source(H5Dopen2(file, dataset.c_str(), m_context.file.others->access()),
                            H5Dclose);
        const Handle space(H5Dget_space(source.id()), H5Sclose);
        const int axes = H5Sget_simple_extent_ndims(space.id());
        if (selected < 0 || axes <= 0)
            return true;
        if (H5Sget_select_type(selected) != H5S_SEL_HYPERSLABS)
            return true;  // all of it, whatever that is: the library compares the counts
        if (H5Sget_simple_extent_ndims(selected) != axes)
            return false;
        std::vector<hsize_t> lengths(static_cast<std::size_t>(axes));
        std::vector<hsize_t> first(lengths.size());
        std::vector<hsize_t> last(lengths.size());
        H5Sget_simple_extent_dims(space.id(), lengths.data(), nullptr);
        if (H5Sget_select_bounds(selected, first.data(), last.data()) < 0)
            return true;  // nothing, or without an end
        for (std::size_t axis = 0; axis < lengths.size(); ++axis)
            if (last[axis] != H5S_UNLIMITED && last[axis] >= lengths[axis])
                return false;
        return true;
    }

    /// Invalid where there is no such file.
    hid_t fileOf(const std::string& name)
    {
        if (name == ".")
            return m_ownFile.id();
        if (name != m_openName) {
            const std::optional<std::string> path = m_context.file.others->find(name);
            const Handle access = fileAccess();
            m_problem = path ? m_context.file.others->damageOf(*path)
                             : "there is no such file; put it beside this one";
            m_open = m_problem.empty()
                         ? Handle(H5Fopen(path->c_str(), H5F_ACC_RDONLY, access.id()), H5Fclose)
                         : Handle();
            m_openName = name;
        }
        return m_open.id();
    }

    const ReadContext& m_context;
    Handle m_ownFile;
    Handle m_open;  ///< the file that was needed last
    std::string m_openName;
    std::string m_problem;  ///< why it could not be opened
    std::set<DatasetSource> m_sources;
    std::set<DatasetSource> m_nested;
    std::uint64_t m_bytes = 0;
    std::string m_doubt;
};

/// Of so many values, those that no mapping covers; 0 also where a mapping has no end.
std::uint64_t uncovered(hid_t creationProperties, std::uint64_t total)
{
    for (std::size_t mapping = 0; mapping < mappingCount(creationProperties); ++mapping) {
        const Handle target(H5Pget_virtual_vspace(creationProperties, mapping), H5Sclose);
        const hssize_t points = H5Sget_select_npoints(target.id());
        if (points < 0 || static_cast<std::uint64_t>(points) >= total)
            return 0;
        total -= static_cast<std::uint64_t>(points);
    }
    return total;
}

}  // namespace

std::string forbiddenSource(hid_t creationProperties, const OpenFile& file)
{
    if (file.others->areAllowed() || H5Pget_layout(creationProperties) != H5D_VIRTUAL)
        return {};
    for (std::size_t mapping = 0; mapping < mappingCount(creationProperties); ++mapping) {
        const DatasetSource source = sourceAt(creationProperties, mapping);
        if (!isOwnFile(source.file, file))
            return source.file;
    }
    return {};
}

VirtualFacts virtualFacts(hid_t dataset, hid_t creationProperties, std::uint64_t neededBytes,
                          const ReadContext& context)
{
    if (context.depth >= deepestSource)
        return {.doubt = {},
                .unreadable = "it is a virtual dataset put together from itself, or from sources "
                              "of sources too deep; record it again"};
    SourceCheck check(dataset, context);
    for (std::size_t mapping = 0; mapping < mappingCount(creationProperties); ++mapping) {
        checkStopped();
        const Handle selected(H5Pget_virtual_srcspace(creationProperties, mapping), H5Sclose);
        const Unreadable problem =
            check.problemOf(sourceAt(creationProperties, mapping), selected.id());
        if (!problem.empty())
            return {.doubt = {},
                    .unreadable = {problem.reason, "it is a virtual dataset: " + problem.sentence}};
    }
    const Handle type(H5Dget_type(dataset), H5Tclose);
    const std::uint64_t elementBytes = std::max<std::size_t>(H5Tget_size(type.id()), 1);
    const std::uint64_t missing = uncovered(creationProperties, neededBytes / elementBytes);
    VirtualFacts facts{.doubt = check.doubt(), .unreadable = {}, .sources = check.sources()};
    if (missing > mostUnwrittenBytes / elementBytes)
        facts.unreadable = fmt::format("{} of its values come from no source, more than {} bytes; "
                                       "record it again",
                                       missing, mostUnwrittenBytes);
    else if (neededBytes > mostUnwrittenBytes && neededBytes / mostUses > check.bytes())
        facts.unreadable = fmt::format("its shape needs {} bytes, its sources have {}; record it "
                                       "again",
                                       neededBytes, check.bytes());
    else if (missing > 0)
        facts.doubt = fmt::format("{} of its values come from no source and are read as its fill "
                                  "value",
                                  missing);
    return facts;
}

}  // namespace calibscope::hdf5
