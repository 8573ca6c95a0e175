// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/import_scales.h"

#include "core/base/error.h"
#include "core/deploy/imported_scales.h"
#include "core/deploy/names/dump_names.h"
#include "core/model/model_file.h"
#include "core/tensor/layout_override.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

namespace calibscope::engine {

namespace {

using deploy::ImportedScale;

/// The tensors as they are to be understood.
std::vector<TensorInfo> understood(EngineMemory& memory, const protocol::ImportRequest& request,
                                   const Progress& progress)
{
    std::vector<TensorInfo> tensors;
    for (const TensorRef& tensor : request.tensors) {
        const auto dump = memory.dumps.asOpened(tensor.file, tensor.allowExternal, progress);
        if (tensor.index >= dump->tensors.size())
            throw Error(Fault::Input, "{}: has fewer tensors than it had; open it again",
                        tensor.file);
        tensors.push_back(understoodAs(dump->tensors[tensor.index], tensor.layoutOverride));
    }
    return tensors;
}

/// What the names of the model are, if there is one: of the dump that the tensors are of.
exchange::EntryNaming namingOf(EngineMemory& memory, const protocol::ImportRequest& request,
                               const Progress& progress)
{
    if (request.model.empty() || request.tensors.empty())
        return {};
    const TensorRef& first = request.tensors.front();
    const auto dump = memory.dumps.asOpened(first.file, first.allowExternal, progress);
    const deploy::DumpedTensors tensors{
        .tensors = dump->tensors,
        .source = [&dump](const TensorInfo& understood) { return dump->source(understood, 0); }};
    return deploy::entryNaming(*model::ModelFile::read(request.model), tensors, {}, progress);
}

/// The value with the widest range, and whether it can be drawn.
void takeRange(protocol::ImportedEntry& told, const exchange::ScaleEntry& entry)
{
    for (const exchange::EntryValue& value : entry.values) {
        const double end = widestEnd(value);
        const double before =
            told.range ? std::max(std::fabs(told.range->low), std::fabs(told.range->high)) : -1.0;
        if (std::isfinite(value.range.low) && std::isfinite(value.range.high) && end > before &&
            value.range.low <= value.range.high) {
            told.range = value.range;
            told.isSymmetric = value.threshold || value.range.low == -value.range.high;
        }
    }
}

/// The ranges of all channels, if the tensor has as many and each can be drawn.
void takeChannelRanges(protocol::ImportedEntry& told, const ImportedScale& row)
{
    const std::vector<exchange::EntryValue>& values = row.entry->values;
    const auto isDrawable = [](const exchange::EntryValue& value) {
        return std::isfinite(value.range.low) && std::isfinite(value.range.high) &&
               value.range.low <= value.range.high;
    };
    if (!row.entry->isPerChannel || !row.tensor || row.tensor->channelCount() != values.size() ||
        !std::ranges::all_of(values, isDrawable))
        return;
    std::ranges::transform(values, std::back_inserter(told.channelRanges),
                           &exchange::EntryValue::range);
    told.isSymmetric = std::ranges::all_of(
        told.channelRanges, [](const Range& range) { return range.low == -range.high; });
}

protocol::ImportedEntry toldOf(const ImportedScale& row)
{
    const exchange::ScaleEntry& entry = *row.entry;
    protocol::ImportedEntry told{.name = entry.name,
                                 .line = entry.line,
                                 .channels = entry.isPerChannel ? entry.values.size() : 0,
                                 .deviation = row.fit.deviation,
                                 .clippedShare = row.fit.clippedShare,
                                 .findings = row.lints};
    takeRange(told, entry);
    takeChannelRanges(told, row);
    return told;
}

void weighIfReadable(EngineMemory& memory, const TensorRef& tensor, ImportedScale& row,
                     const Progress& progress)
{
    const std::optional<std::string> problem = inputProblem([&] {
        const Subject subject(memory, tensor, progress);
        weigh(row, subject.source, subject.profile, progress);
    });
    if (problem)
        row.lints.push_back({.level = FindingLevel::Warning, .text = *problem});
}

}  // namespace

protocol::ImportedFile importedFile(EngineMemory& memory, const protocol::ImportRequest& request,
                                    const Progress& progress)
{
    const exchange::ScaleFile file = exchange::readScaleFile(request.path);
    const std::vector<TensorInfo> tensors = understood(memory, request, progress);
    std::map<std::string, std::size_t> places;
    for (std::size_t place = 0; place < tensors.size(); ++place)
        places.emplace(tensors[place].path, place);
    protocol::ImportedFile told{.format = std::string(exchange::exchangeFormat(file.format).title),
                                .entries = {},
                                .findings = headLints(file)};
    for (ImportedScale& row :
         deploy::importedScales(file, tensors, namingOf(memory, request, progress))) {
        if (!row.entry) {
            for (Finding& lint : row.lints) {
                lint.text = row.tensor->name + ": " + lint.text;
                told.findings.push_back(std::move(lint));
            }
            continue;
        }
        std::optional<std::uint64_t> place;
        if (row.tensor) {
            place = places.at(row.tensor->path);
            weighIfReadable(memory, request.tensors[*place], row, progress);
        }
        told.entries.push_back(toldOf(row));
        told.entries.back().tensor = place;
    }
    return told;
}

}  // namespace calibscope::engine
