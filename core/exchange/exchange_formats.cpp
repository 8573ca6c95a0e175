// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/base/find_by_id.h"
#include "core/base/whole_file.h"
#include "core/exchange/exchange_format.h"

#include <algorithm>
#include <set>
#include <utility>

#include "exchange_formats.decl.inc"

namespace calibscope::exchange {

namespace {

const ExchangeFormat& likeliest(std::string_view bytes, const std::string& origin)
{
    const ExchangeFormat* found = nullptr;
    std::string titles;
    for (const ExchangeFormat& format : exchangeFormats()) {
        const Likeness likeness =
            format.recognise != nullptr ? format.recognise(bytes) : Likeness::None;
        if (likeness == Likeness::Certain)
            return format;
        if (likeness == Likeness::Possible && found == nullptr)
            found = &format;
        titles += (titles.empty() ? "" : ", ") + std::string(format.id);
    }
    if (found == nullptr)
        throw Error(Fault::Input,
                    "{}: is not a known file of scales; known are {} (choose one where the file is "
                    "ambiguous)",
                    origin, titles);
    return *found;
}

void flagRepeated(std::vector<ScaleEntry>& entries)
{
    std::set<std::pair<std::string, Role>> names;
    for (ScaleEntry& entry : entries)
        if (!names.emplace(entry.name, entry.role).second)
            entry.oddities.push_back("the name occurs more than once");
}

ScaleFile finished(ScaleFile file, const ExchangeFormat& format, const std::string& origin)
{
    file.format = format.id;
    if (file.entries.size() > mostEntries)
        throw Error(Fault::Input, "{}: has more than {} entries; no network has as many tensors",
                    origin, mostEntries);
    flagRepeated(file.entries);
    return file;
}

}  // namespace

const std::vector<ExchangeFormat>& exchangeFormats()
{
    static const std::vector<ExchangeFormat> formats = sortedByOrder(std::vector<ExchangeFormat>{
#include "exchange_formats.calls.inc"
    });
    return formats;
}

const ExchangeFormat& exchangeFormat(std::string_view id)
{
    return findById(exchangeFormats(), id, "format");
}

ScaleFile readScales(std::string_view bytes, const std::string& origin, std::string_view formatId)
{
    const ExchangeFormat& format =
        formatId.empty() ? likeliest(bytes, origin) : exchangeFormat(formatId);
    if (format.read == nullptr)
        throw Error(Fault::Input, "{}: {} is read from files alone", origin, format.id);
    return finished(format.read(bytes, origin), format, origin);
}

ScaleFile readScaleFile(const std::string& path, std::string_view formatId)
{
    const auto reads = [&](const ExchangeFormat& format) {
        return format.readFile != nullptr &&
               (formatId.empty() ? format.isFile(path) : format.id == formatId);
    };
    const auto format = std::ranges::find_if(exchangeFormats(), reads);
    if (format != exchangeFormats().end())
        return finished(format->readFile(path), *format, path);
    return readScales(readWholeFile(path, mostScaleFileBytes), path, formatId);
}

namespace {

/// The number of the file's entries that the format can't carry.
std::size_t faultyEntries(const ExchangeFormat& format, const ScaleFile& file)
{
    ScaleFile alone = file;
    return static_cast<std::size_t>(
        std::ranges::count_if(file.entries, [&](const ScaleEntry& entry) {
            alone.entries = {entry};
            try {
                (void)format.write(alone);
                return false;
            } catch (const Error&) {
                return true;
            }
        }));
}

}  // namespace

std::string scaleFileBytes(const ExchangeFormat& format, ScaleFile file)
{
    if (format.write == nullptr)
        throw Error(Fault::Usage, "{}: is read only; choose another format", format.id);
    if (file.entries.empty())
        throw Error(Fault::Usage, "{}: there is nothing to write", format.id);
    GivenSettings given;
    for (const Parameter& parameter : format.parameters)
        if (const auto fact = file.facts.find(parameter.id); fact != file.facts.end())
            given.insert(*fact);
    const Settings settings(format.parameters, given, format.id);
    for (const auto& [name, value] : settings.entries())
        file.facts[name] = value;
    try {
        return format.write(file);
    } catch (const Error& first) {
        if (first.fault() != Fault::Usage)
            throw;
        std::string text = first.what();
        if (format.isByLayer)
            text += "; the name is the layer's, the scale that of its input or weight";
        if (const std::size_t faulty = faultyEntries(format, file); faulty > 1)
            text += fmt::format("; {} of {} tensors are such: choose other calibrators for them",
                                faulty, file.entries.size());
        throw Error(Fault::Usage, "{}", text);
    }
}

}  // namespace calibscope::exchange
