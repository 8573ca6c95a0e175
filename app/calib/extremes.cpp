// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/calib/command_output.h"
#include "app/calib/dump_options.h"
#include "app/calib/subcommands.h"
#include "app/calib/tensor_pass.h"
#include "core/base/error.h"
#include "core/collect/analyse.h"
#include "core/collect/sample_extremes.h"
#include "core/dump/batch_first.h"
#include "core/dump/dump_file.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace calibscope::cli {

namespace {

struct ExtremesOptions
{
    std::string file;
    TensorOptions tensors;
    std::string role;
    bool bySample = false;
    LayoutOverrideOptions layoutOverride;
    OpeningOptions opening;
    OutputOptions output;
};

/// A tensor with the sample that sets its range.
struct TensorExtreme
{
    TensorInfo tensor;
    std::optional<SampleExtreme> found = {};
};

const std::vector<Column> extremeColumns{{.id = "tensor", .title = "Tensor"},
                                         {.id = "role", .title = "Role"},
                                         {.id = "op", .title = "Op"},
                                         {.id = "samples", .title = "Samples", .isNumeric = true},
                                         {.id = "sample", .title = "Sample", .isNumeric = true},
                                         {.id = "recorded", .title = "Recorded", .isNumeric = true},
                                         {.id = "index", .title = "Index"},
                                         {.id = "value", .title = "Value", .isNumeric = true},
                                         {.id = "others", .title = "Others", .isNumeric = true},
                                         {.id = "ratio", .title = "Ratio", .isNumeric = true}};

const std::vector<Column> rankedSampleColumns{
    {.id = "sample", .title = "Sample", .isNumeric = true},
    {.id = "tensors", .title = "Tensors", .isNumeric = true},
    {.id = "of", .title = "Of", .isNumeric = true},
    {.id = "median_ratio", .title = "Median ratio", .isNumeric = true},
    {.id = "largest_ratio", .title = "Largest ratio", .isNumeric = true},
    {.id = "tensor", .title = "Tensor"}};

std::vector<Cell> extremeRow(const TensorExtreme& of, std::uint64_t firstSample)
{
    const TensorInfo& tensor = of.tensor;
    std::vector<Cell> row{tensor.name, std::string(roleText(tensor.role)), textCell(tensor.op),
                          tensor.sampleCount()};
    row.resize(extremeColumns.size());
    if (!of.found)
        return row;
    if (tensor.batchAxis) {
        row[4] = of.found->sample;
        row[5] = recordedSample(tensor, firstSample, of.found->sample);
    }
    row[6] = indexText(tensor.shape, indexInFile(tensor, of.found->index));
    row[7] = of.found->value;
    row[8] = optionalCell(of.found->others);
    row[9] = optionalCell(widening(*of.found));
    return row;
}

std::vector<std::vector<Cell>> rankedRows(const std::vector<std::string>& tensors,
                                          const std::vector<SetRange>& ranges)
{
    std::vector<std::vector<Cell>> rows;
    for (const RankedSample& ranked : rankedSamples(ranges)) {
        const SetRange& widest = ranked.ranges.front();
        rows.push_back({ranked.sample, std::uint64_t{ranked.ranges.size()},
                        std::uint64_t{ranges.size()}, ranked.medianWidening(), widest.widening,
                        tensors[widest.tensor]});
    }
    return rows;
}

int runExtremes(const ExtremesOptions& options, const Reading& reading)
{
    refuseOverwriting(options.output, {options.file});
    const std::optional<Role> role = options.role.empty() ? std::nullopt : parseRole(options.role);
    TableOutput table(options.output, options.bySample ? rankedSampleColumns : extremeColumns,
                      options.bySample ? "" : "tensor,sample,value,others,ratio,index,samples");
    const auto dump = reading.open(options.file, options.opening.dumpOptions());
    options.layoutOverride.check(*dump);
    const std::uint64_t firstSample = dump->firstSample().value_or(0);
    Complaints complaints;
    std::vector<TensorExtreme> items;
    for (TensorInfo& tensor : selectedTensors(*dump, options.tensors, options.layoutOverride, role))
        if (tensor.role != Role::Bias || options.tensors.asksFor(tensor))
            items.push_back({.tensor = std::move(tensor)});
    std::vector<std::string> names;
    std::vector<SetRange> ranges;
    forEachTensor(
        {*dump, options.tensors, reading, complaints, AnalyseOptions{}.memoryBytes},
        std::move(items),
        [&](TensorExtreme& item) {
            item.found = sampleExtreme(dump->source(item.tensor, options.layoutOverride.batches),
                                       reading.progress());
        },
        [&](const TensorExtreme& item) {
            if (!options.bySample) {
                table.row(extremeRow(item, firstSample));
            } else if (item.found && item.tensor.batchAxis && item.tensor.sampleCount() > 1) {
                ranges.push_back(
                    {.tensor = names.size(),
                     .sample = recordedSample(item.tensor, firstSample, item.found->sample),
                     .widening = widening(*item.found).value_or(1.0)});
                names.push_back(item.tensor.name);
            }
            warnOfDoubts(options.file, item.tensor);
        });
    reading.ends();
    for (const std::vector<Cell>& row : rankedRows(names, ranges))
        table.row(row);
    table.finish(options.bySample ? "no sample sets a range alone" : "");
    return complaints.exitCode();
}

}  // namespace

Command extremesCommand()
{
    const auto options = std::make_shared<ExtremesOptions>();
    Command command{.name = "extremes",
                    .help = "The sample that sets the range of each tensor, and the range "
                            "without it"};
    command.add(requiredFile(options->file));
    options->tensors.declare(command);
    command.add(roleOption(options->role, "Tensors of this role alone"));
    command.add({.names = "--by-sample",
                 .target = &options->bySample,
                 .help = "Samples instead, those that set most ranges first"});
    options->layoutOverride.declare(command);
    options->opening.declare(command);
    options->output.declare(command);
    command.run = underGuard(options, runExtremes);
    return command;
}

}  // namespace calibscope::cli
