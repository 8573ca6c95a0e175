// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/calib/choice_options.h"
#include "app/calib/command_output.h"
#include "app/calib/dump_options.h"
#include "app/calib/subcommands.h"
#include "app/calib/tensor_pass.h"
#include "core/base/error.h"
#include "core/collect/analyse.h"
#include "core/collect/sample_extremes.h"
#include "core/dump/batch_first.h"
#include "core/dump/dump_file.h"
#include "core/samples/largest_error.h"

#include <algorithm>
#include <iterator>
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
    ChoiceOptions choices;
    LayoutOverrideOptions layoutOverride;
    OpeningOptions opening;
    OutputOptions output;
};

/// A tensor with the sample that sets its range.
struct TensorExtreme
{
    TensorInfo tensor;
    std::vector<Choice> choices = {};  ///< one, where errors are asked for
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

/// Behind the others, where a choice was given.
const std::vector<Column> errorColumns{
    {.id = "scale", .title = "Scale", .isNumeric = true},
    {.id = "scale_without", .title = "Scale without", .isNumeric = true},
    {.id = "error", .title = "Error", .isNumeric = true},
    {.id = "error_sample", .title = "Error sample", .isNumeric = true},
    {.id = "error_index", .title = "Error index"},
    {.id = "error_value", .title = "Error value", .isNumeric = true},
    {.id = "problem", .title = "Problem"}};

const std::vector<Column> rankedSampleColumns{
    {.id = "sample", .title = "Sample", .isNumeric = true},
    {.id = "tensors", .title = "Tensors", .isNumeric = true},
    {.id = "of", .title = "Of", .isNumeric = true},
    {.id = "median_ratio", .title = "Median ratio", .isNumeric = true},
    {.id = "largest_ratio", .title = "Largest ratio", .isNumeric = true},
    {.id = "tensor", .title = "Tensor"}};

std::vector<Column> columnsOf(const ExtremesOptions& options)
{
    std::vector<Column> columns = options.bySample ? rankedSampleColumns : extremeColumns;
    if (!options.choices.isGiven())
        return columns;
    if (options.bySample)
        columns.push_back({.id = "errors", .title = "Errors", .isNumeric = true});
    else
        columns.insert(columns.end(), errorColumns.begin(), errorColumns.end());
    return columns;
}

std::vector<Cell> errorCells(const TensorExtreme& of, std::uint64_t firstSample)
{
    std::vector<Cell> cells(errorColumns.size());
    if (!of.found || !of.found->error)
        return cells;
    const LargestError& error = *of.found->error;
    cells.back() = textCell(error.problem);
    if (!error.problem.empty())
        return cells;
    cells[0] = error.scale;
    cells[1] = optionalCell(error.scaleWithout);
    cells[2] = error.error;
    if (of.tensor.batchAxis)
        cells[3] = recordedSample(of.tensor, firstSample, error.sample);
    cells[4] = indexText(of.tensor.shape, indexInFile(of.tensor, error.index));
    cells[5] = error.value;
    return cells;
}

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
                                          const std::vector<SetRange>& ranges, bool withErrors)
{
    std::vector<std::vector<Cell>> rows;
    for (const RankedSample& ranked : rankedSamples(ranges)) {
        const SetRange& widest =
            ranked.ranges.empty() ? ranked.errors.front() : ranked.ranges.front();
        rows.push_back({ranked.sample, std::uint64_t{ranked.ranges.size()},
                        std::uint64_t{ranges.size()}, ranked.medianWidening(),
                        ranked.largestWidening(), tensors[widest.tensor]});
        if (withErrors)
            rows.back().emplace_back(std::uint64_t{ranked.errors.size()});
    }
    return rows;
}

int runExtremes(ExtremesOptions& options, const Reading& reading)
{
    const bool withErrors = options.choices.isGiven();
    if (withErrors && options.choices.count() != 1)
        throw Error(Fault::Usage, "errors are of one recipe, preset or calibrator; name one");
    if (withErrors)
        options.choices.resolve();
    refuseOverwriting(options.output, {options.file});
    const std::optional<Role> role = options.role.empty() ? std::nullopt : parseRole(options.role);
    TableOutput table(options.output, columnsOf(options),
                      options.bySample ? ""
                      : withErrors     ? "tensor,sample,ratio,scale,scale_without,error,"
                                         "error_sample,error_index,error_value,problem"
                                       : "tensor,sample,value,others,ratio,index,samples");
    const auto dump = reading.open(options.file, options.opening.dumpOptions());
    options.layoutOverride.check(*dump);
    const std::uint64_t firstSample = dump->firstSample().value_or(0);
    Complaints complaints;
    std::vector<TensorExtreme> items;
    for (TensorInfo& tensor : selectedTensors(*dump, options.tensors, options.layoutOverride, role))
        if (tensor.role != Role::Bias || options.tensors.asksFor(tensor))
            items.push_back({.tensor = std::move(tensor)});
    const Consumers consumers(dump->tensors());
    for (TensorExtreme& item : items)
        if (withErrors)
            item.choices = options.choices.choicesFor(item.tensor, consumers);
    std::vector<std::string> names;
    std::vector<SetRange> ranges;
    forEachTensor(
        {*dump, options.tensors, reading, complaints, AnalyseOptions{}.memoryBytes},
        std::move(items),
        [&](TensorExtreme& item) {
            const ValueSource source = dump->source(item.tensor, options.layoutOverride.batches);
            item.found =
                item.choices.empty()
                    ? sampleExtreme(source, reading.progress())
                    : samples::sampleExtremeUnder(source, item.choices.front(),
                                                  AnalyseOptions{}.memoryBytes, reading.progress());
        },
        [&](const TensorExtreme& item) {
            if (!options.bySample) {
                std::vector<Cell> row = extremeRow(item, firstSample);
                if (withErrors)
                    std::ranges::move(errorCells(item, firstSample), std::back_inserter(row));
                table.row(row);
            } else if (item.found && item.tensor.batchAxis && item.tensor.sampleCount() > 1) {
                ranges.push_back(
                    {.tensor = names.size(),
                     .sample = recordedSample(item.tensor, firstSample, item.found->sample),
                     .widening = widening(*item.found).value_or(1.0),
                     .errorSample = {}});
                if (item.found->error && item.found->error->problem.empty())
                    ranges.back().errorSample =
                        recordedSample(item.tensor, firstSample, item.found->error->sample);
                names.push_back(item.tensor.name);
            }
            warnOfDoubts(options.file, item.tensor);
        });
    reading.ends();
    for (const std::vector<Cell>& row : rankedRows(names, ranges, withErrors))
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
    options->choices.declare(command);
    options->layoutOverride.declare(command);
    options->opening.declare(command);
    options->output.declare(command);
    command.run = underGuard(options, runExtremes);
    return command;
}

}  // namespace calibscope::cli
