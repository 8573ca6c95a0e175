// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/number_text.h"
#include "core/base/utf8.h"
#include "core/dump/container.h"
#include "core/dump/file_check.h"
#include "core/dump/header_reader.h"
#include "core/dump/stored_files.h"
#include "core/dump/stored_tensors.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <set>
#include <utility>

namespace calibscope::containers {

namespace {

constexpr const char* imatrixRule = "imatrix";
constexpr std::uint64_t longestEntryName = 4096;
/// Part of the memory for the longest list of entries, and what one of these takes in it.
constexpr std::uint64_t entryListShare = 24;
constexpr std::uint64_t entryBytes = 64;

/// A number from the least on. Throws Error(Input) for a smaller one.
std::uint64_t countIn(HeaderReader& header, std::int32_t least, const char* what)
{
    const auto count = header.number<std::int32_t>();
    if (count < least)
        header.fail(std::string("is damaged: ") + what + " is " + std::to_string(count));
    return static_cast<std::uint64_t>(count);
}

/// The next entry, whose values are passed over.
void readEntry(HeaderReader& header, std::set<std::string>& paths, StoredList& list)
{
    const std::uint64_t length = countIn(header, 1, "the length of a name");
    const std::string name = header.text(length, longestEntryName).value_or("");
    const std::string path = "/" + name + ".in_sum2";  // as in a GGUF file
    if (!isListableName(name) || !paths.insert(path).second)
        header.fail("is damaged: \"" + validUtf8(name.substr(0, 200)) +
                    "\" is no name, or that of another entry");
    const std::uint64_t calls = countIn(header, 0, "a number of calls");
    const std::uint64_t values = countIn(header, 1, "a number of values");
    DatasetFacts facts = factsAt(path);
    facts.shape = {values};
    facts.chunk = {1};
    facts.element = ElementType{.kind = ElementKind::Float32};
    facts.typeText = elementText(ElementKind::Float32);
    facts.evidence = {"holds, for each input channel, the mean of its squares times the " +
                      numberText(calls) + " calls"};
    const std::uint64_t begin = header.at();
    header.skip(values * sizeof(float));
    list.add(std::move(facts), {.begin = begin, .end = header.at()});
}

/// Additions of newer writers behind the entries: the number of chunks, the text that was read.
void readEnd(HeaderReader& header, Container& made)
{
    if (header.left() == 0)
        return;
    made.attributes["chunks"] = numberText(countIn(header, 0, "the number of chunks"));
    if (header.left() > 0)
        if (const auto dataset = header.text(countIn(header, 0, "the length of its dataset's name"),
                                             longestEntryName))
            made.attributes["dataset"] = validUtf8(*dataset);
    if (header.left() > 0)
        header.fail("is damaged: " + numberText(header.left()) + " bytes follow its end");
}

Container openImatrix(const std::string& path, const DumpOptions& options, const Progress& /*all*/)
{
    StoredList list{.stored = {.rule = imatrixRule,
                               .title = "Names of an importance matrix",
                               .memoryBytes = options.memoryBytes},
                    .made = {.identity = checkedIdentity(path)}};
    HeaderReader header(path);
    if (header.stamp() != list.made.identity.stamp)
        header.fail("was changed while it was opened; open it again");
    const std::uint64_t mostBytes = options.memoryBytes / entryListShare;
    const std::uint64_t count = countIn(header, 1, "the number of entries");
    std::set<std::string> paths;
    std::uint64_t listed = 0;
    for (std::uint64_t entry = 0; entry < count; ++entry) {
        readEntry(header, paths, list);
        listed += list.stored.contents.datasets.back().path.size() + entryBytes;
        if (listed > mostBytes)
            header.fail("its list of entries takes more memory than may be taken");
    }
    readEnd(header, list.made);
    list.stored.files.push_back({.path = path, .stamp = list.made.identity.stamp});
    return containerOf(std::move(list.stored), std::move(list.made));
}

/// The format has no mark of its own: as its first entry begins, with a name that is text.
bool isImatrix(std::string_view firstBytes, const std::string& /*path*/)
{
    const auto numberAt = [&](std::size_t at) {
        std::int32_t number = -1;
        if (at + sizeof number <= firstBytes.size())
            std::memcpy(&number, firstBytes.data() + at, sizeof number);
        return number;
    };
    constexpr std::size_t nameAt = 8;
    const std::int32_t length = numberAt(4);
    if (numberAt(0) < 1 || length < 1 || std::cmp_greater(length, longestEntryName))
        return false;
    const auto name = static_cast<std::size_t>(length);
    return numberAt(nameAt + name) >= 0 && numberAt(nameAt + name + 4) >= 1 &&
           std::ranges::all_of(firstBytes.substr(nameAt, name),
                               [](char byte) { return byte > ' ' && byte < '\x7f'; });
}

}  // namespace

/// Importance matrices as llama.cpp wrote them before GGUF (imatrix.dat): int32 entries, each a
/// name, calls and float32 values.
ContainerFormat imatrix()
{
    return {.id = imatrixRule, .recognise = isImatrix, .open = openImatrix};
}

}  // namespace calibscope::containers
