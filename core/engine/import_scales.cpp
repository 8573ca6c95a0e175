#include "core/engine/import_scales.h"

#include "core/base/error.h"
#include "core/deploy/imported_scales.h"
#include "core/tensor/layout_override.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

namespace calibscope::engine {

namespace {

using deploy::ImportedScale;
using exchange::ScaleLint;

protocol::ImportFinding findingOf(const ScaleLint& lint)
{
    return {.level = std::string(lintLevelText(lint.level)), .text = lint.text};
}

/// The tensors as they are to be understood.
std::vector<TensorInfo> understood(EngineMemory& memory, const protocol::ImportRequest& request,
                                   const Progress& progress)
{
    std::vector<TensorInfo> tensors;
    for (const TensorRef& tensor : request.tensors) {
        const auto dump = memory.dumps.asOpened(tensor.file, tensor.allowExternal, progress);
        if (tensor.index >= dump->tensors.size())
            throw Error(Fault::Input, tensor.file + ": has fewer tensors than it had; open it "
                                                    "again");
        tensors.push_back(understoodAs(dump->tensors[tensor.index], tensor.layoutOverride));
    }
    return tensors;
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

protocol::ImportedEntry toldOf(const ImportedScale& row)
{
    const exchange::ScaleEntry& entry = *row.entry;
    protocol::ImportedEntry told{.name = entry.name,
                                 .line = entry.line,
                                 .channels = entry.isPerChannel ? entry.values.size() : 0,
                                 .deviation = row.fit.deviation,
                                 .clippedShare = row.fit.clippedShare};
    takeRange(told, entry);
    std::ranges::transform(row.lints, std::back_inserter(told.findings), findingOf);
    return told;
}

void weighIfReadable(EngineMemory& memory, const TensorRef& tensor, ImportedScale& row,
                     const Progress& progress)
{
    try {
        const Subject subject(memory, tensor, progress);
        weigh(row, subject.source, subject.profile, progress);
    } catch (const Error& error) {
        if (error.fault() != Fault::Input)
            throw;
        row.lints.push_back({.level = exchange::LintLevel::Warning, .text = error.what()});
    }
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
    protocol::ImportedFile told{.format = std::string(exchange::exchangeFormat(file.format).title)};
    for (const ScaleLint& lint : headLints(file))
        told.findings.push_back(findingOf(lint));
    for (ImportedScale& row : deploy::importedScales(file, tensors)) {
        if (!row.entry) {
            for (const ScaleLint& lint : row.lints)
                told.findings.push_back({.level = std::string(lintLevelText(lint.level)),
                                         .text = row.tensor->name + ": " + lint.text});
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
