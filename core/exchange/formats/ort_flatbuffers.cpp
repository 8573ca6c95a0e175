// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/exchange/exchange_format.h"
#include "core/exchange/text_lines.h"

#include <algorithm>
#include <vector>

#include <calibration_table_generated.h>

namespace calibscope::exchange {

namespace {

/// A copy in memory of its own: the format's numbers lie at multiples of their size from there on,
/// and are read where they lie.
std::vector<std::uint8_t> aligned(std::string_view bytes)
{
    return {bytes.begin(), bytes.end()};
}

/// Nothing if an offset leads out of the file. The table points into the bytes.
const CalTableFlatBuffers::TrtTable* verifiedTable(const std::vector<std::uint8_t>& bytes)
{
    flatbuffers::Verifier verifier(bytes.data(), bytes.size(), 8, mostEntries * 4);
    return CalTableFlatBuffers::VerifyTrtTableBuffer(verifier)
               ? CalTableFlatBuffers::GetTrtTable(bytes.data())
               : nullptr;
}

std::string_view viewOf(const flatbuffers::String* text)
{
    return text == nullptr ? std::string_view{} : std::string_view(text->c_str(), text->size());
}

Likeness recogniseOrtFlatbuffers(std::string_view bytes)
{
    constexpr std::size_t least = 12;
    if (bytes.size() < least || looksLikeText(bytes))
        return Likeness::None;
    const std::vector<std::uint8_t> copy = aligned(bytes);
    const auto* table = verifiedTable(copy);
    const auto* dict = table != nullptr ? table->dict() : nullptr;
    return dict != nullptr && dict->size() > 0 ? Likeness::Possible : Likeness::None;
}

/// The vector is not sorted, though it has a key: it is walked.
ScaleFile readOrtFlatbuffers(std::string_view bytes, const std::string& origin)
{
    const std::vector<std::uint8_t> copy = aligned(bytes);
    const auto* table = verifiedTable(copy);
    if (table == nullptr)
        throw Error(Fault::Input,
                    "{}: is not a calibration.flatbuffers, or a damaged one: an offset in it leads "
                    "out of the file",
                    origin);
    const auto* dict = table->dict();
    ScaleFile file;
    // Several places may share one table: a small file must not become a large list.
    if (dict == nullptr || dict->size() > mostEntries)
        throw Error(Fault::Input, "{}: has no list of tensors, or one that is too long", origin);
    std::size_t nameBytes = 0;
    for (const auto* pair : *dict) {
        const std::string_view name = viewOf(pair == nullptr ? nullptr : pair->key());
        const std::string_view text = viewOf(pair == nullptr ? nullptr : pair->value());
        nameBytes += name.size();
        if (nameBytes > bytes.size())
            throw Error(Fault::Input, "{}: its names are longer than the file", origin);
        ScaleEntry entry{.name = std::string(name), .role = Role::Activation};
        if (const auto number = looseNumber(text))
            entry.values = {symmetricValue(*number)};
        else
            entry.oddities.push_back("\"" + validUtf8(text.substr(0, 40)) + "\" is not a number");
        if (validUtf8(name) != name || name.find('\0') != std::string_view::npos)
            entry.oddities.emplace_back("the name is not text; the file may be damaged");
        file.entries.push_back(std::move(entry));
    }
    return file;
}

/// Sorted by name, each put before those that are there, as the tool does it.
std::string writeOrtFlatbuffers(const ScaleFile& file)
{
    constexpr std::string_view title = "calibration.flatbuffers";
    std::vector<std::pair<std::string, std::string>> pairs;
    for (const ScaleEntry& entry : file.entries) {
        requireName(entry, {}, title);
        pairs.emplace_back(entry.name, floatText(onlyMagnitude(entry, title)));
    }
    std::ranges::sort(pairs);
    flatbuffers::FlatBufferBuilder builder;
    std::vector<flatbuffers::Offset<CalTableFlatBuffers::KeyValue>> tables;
    for (const auto& [name, value] : pairs)
        tables.push_back(CalTableFlatBuffers::CreateKeyValue(builder, builder.CreateString(name),
                                                             builder.CreateString(value)));
    std::ranges::reverse(tables);
    builder.Finish(CalTableFlatBuffers::CreateTrtTable(builder, builder.CreateVector(tables)));
    return {reinterpret_cast<const char*>(builder.GetBufferPointer()), builder.GetSize()};
}

}  // namespace

ExchangeFormat ortFlatbuffers()
{
    return {.order = 33,
            .id = "ort-flatbuffers",
            .title = "ONNX Runtime calibration.flatbuffers",
            .suffix = "flatbuffers",
            .source = "ONNX Runtime 1.15: quant_utils.write_calibration_table, CalTableFlatBuffers",
            .holds = "The threshold of each activation, of a range max(|low|, |high|); no weights, "
                     "no zero point",
            .recognise = recogniseOrtFlatbuffers,
            .read = readOrtFlatbuffers,
            .write = writeOrtFlatbuffers};
}

}  // namespace calibscope::exchange
