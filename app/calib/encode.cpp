// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/calib/command_output.h"
#include "app/calib/dump_options.h"
#include "app/calib/subcommands.h"
#include "app/calib/tensor_pass.h"
#include "core/base/error.h"
#include "core/base/join.h"
#include "core/collect/encode_tensor.h"
#include "core/dump/batch_first.h"
#include "core/dump/dump_file.h"
#include "core/formats/rate_points.h"
#include "core/layers/weight_inputs.h"
#include "core/report/tables/format_tables.h"
#include "core/tensor/channel_runs.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace calibscope::cli {

namespace {

struct EncodeOptions
{
    std::string file;
    TensorOptions tensors;
    std::vector<std::string> ids;
    std::optional<int> axis;
    std::optional<std::uint64_t> block;
    FormatComparison comparison = FormatComparison::None;
    LayoutOverrideOptions layoutOverride;
    OpeningOptions opening;
    OutputOptions output;

    [[nodiscard]] bool isRate() const { return comparison == FormatComparison::Rate; }
    [[nodiscard]] std::vector<RatePoint> formats() const
    {
        std::vector<RatePoint> formats;
        for (const std::string& id : isRate() && ids.empty() ? usualFamilies() : ids)
            if (isRate())
                std::ranges::move(ratePoints(id), std::back_inserter(formats));
            else
                formats.push_back({parseBlockFormat(id)});
        if (formats.empty())
            for (const BlockFormat& format : blockFormats())
                formats.push_back({format});
        return formats;
    }
};

struct AskedFormats
{
    TensorInfo tensor;
    std::vector<EncodedTensor> results = {};
};

/// Best first, equal ones in the order of the formats.
void rankBySqnr(std::vector<EncodedTensor>& results)
{
    std::ranges::stable_sort(results, std::ranges::greater(), [](const EncodedTensor& encoded) {
        return encoded.errors.comparedDb().value_or(0.0);
    });
    for (std::size_t i = 0; i < results.size(); ++i)
        results[i].rank = i + 1;
}

/// Inputs of a weight's layer where a format counts errors by them.
std::optional<InputProducts> inputsFor(std::span<const BlockFormat> formats, const DumpFile& dump,
                                       const TensorInfo& tensor, const EncodeOptions& options,
                                       const Progress& progress)
{
    using Importance = ScaleSearch::Importance;
    const auto asks = [&](Importance importance) {
        return std::ranges::any_of(formats, [&](const BlockFormat& format) {
            return format.search.importance == importance;
        });
    };
    const bool together = asks(Importance::Hessian);
    if (!together && !asks(Importance::Input))
        return std::nullopt;
    if (options.axis)
        throw Error(
            Fault::Usage,
            "--axis: importance counts along the axis that a layer sums over; leave it out");
    return layers::weightInputs(dump, tensor, together, {}, progress);
}

/// Writes the values of one block.
void writeBlock(const DumpFile& dump, const TensorInfo& tensor, const ValueSource& source,
                const BlockFormat& format, const EncodeOptions& options, const Progress& progress,
                TableOutput& table)
{
    bool isFound = false;
    const auto writePart = [&](const BlockPart& part) {
        if (part.block != *options.block)
            return;
        isFound = true;
        for (std::size_t i = 0; i < part.values.size(); ++i)
            table.row(blockRow(format, part.block, part.scale,
                               indexInFile(tensor, part.first + i * part.stride), part.values[i],
                               part.patterns[i], part.decoded[i]));
    };
    const std::optional<InputProducts> inputs =
        inputsFor(std::span(&format, 1), dump, tensor, options, progress);
    const MatrixShape matrix = visitedMatrix(tensor, source.info, options.axis);
    (void)encodeTensor(source, format, matrix, progress, writePart, inputs ? &*inputs : nullptr);
    const std::uint64_t blocks = format.granularity.blocks(matrix, source.info.channelCount());
    if (!isFound && *options.block < blocks && source.info.mask)
        throw Error(Fault::Usage, "{}: no position of block {} counts", source.info.path,
                    *options.block);
    if (!isFound)
        throw Error(Fault::Usage, "{}: there is no block {} under {}, which has {}",
                    source.info.path, *options.block, format.id, blocks);
}

void encodeAll(const DumpFile& dump, const ValueSource& source,
               const std::vector<RatePoint>& formats, const EncodeOptions& options,
               const Progress& progress, AskedFormats& item)
{
    const MatrixShape matrix = visitedMatrix(item.tensor, source.info, options.axis);
    std::vector<BlockFormat> own;
    for (const RatePoint& asked : formats)
        if ((!options.ids.empty() && !asked.isElement) || isOwnPoint(asked, matrix)) {
            own.push_back(asked.format);
            item.results.push_back({.tensor = item.tensor,
                                    .matrix = matrix,
                                    .format = asked.format,
                                    .errors = {},
                                    .family = asked.family});
        }
    const std::optional<InputProducts> inputs =
        inputsFor(own, dump, item.tensor, options, progress);
    std::vector<FormatErrors> errors =
        encodeTensors(source, own, matrix, progress, inputs ? &*inputs : nullptr);
    for (std::size_t i = 0; i < errors.size(); ++i)
        item.results[i].errors = std::move(errors[i]);
    if (options.comparison == FormatComparison::Rank)
        rankBySqnr(item.results);
    if (options.isRate())
        markBest(item.results);
}

int runEncode(const EncodeOptions& options, const Reading& reading)
{
    const std::vector<RatePoint> formats = options.formats();
    refuseOverwriting(options.output, {options.file});
    TableOutput table(options.output,
                      options.block ? blockColumns() : encodedColumns(options.comparison));
    const auto dump = reading.open(options.file, options.opening.dumpOptions());
    options.layoutOverride.check(*dump);
    std::vector<AskedFormats> items;
    for (TensorInfo& tensor : selectedTensors(*dump, options.tensors, options.layoutOverride))
        items.push_back({std::move(tensor)});
    if (options.block && (items.size() != 1 || formats.size() != 1))
        throw Error(Fault::Usage,
                    "--block shows values of one tensor under one number format; give --tensor and "
                    "--number-format");
    Complaints complaints;
    forEachTensor(
        {*dump, options.tensors, reading, complaints,
         options.block ? 0 : DumpOptions{}.memoryBytes},
        std::move(items),
        [&](AskedFormats& item) {
            const ValueSource source = dump->source(item.tensor, options.layoutOverride.batches);
            warnOfDoubts(options.file, item.tensor);
            if (options.block)
                writeBlock(*dump, item.tensor, source, formats.front().format, options,
                           reading.progress(), table);
            else
                encodeAll(*dump, source, formats, options, reading.progress(), item);
        },
        [&](const AskedFormats& item) {
            for (const EncodedTensor& encoded : item.results)
                table.row(encodedRow(encoded, options.comparison));
        });
    reading.ends();
    table.finish();
    return complaints.exitCode();
}

Command declared(Command command, FormatComparison comparison)
{
    const auto options = std::make_shared<EncodeOptions>();
    options->comparison = comparison;
    command.add(requiredFile(options->file));
    options->tensors.declare(command);
    if (options->isRate())
        command.add(
            {.names = "--family",
             .target = &options->ids,
             .help = "Element (\"int4\", \"fp8-e4m3\"), with a scale for the tensor, each row "
                     "and groups of 256 to 8 values, or a number format; may be repeated "
                     "(default: " +
                     joinedText(usualFamilies(), ", ") + ")",
             .type = "ID[:PARAMETER=VALUE,...]",
             .isOneByOne = true});
    else
        command.add({.names = "--number-format",
                     .target = &options->ids,
                     .help = "Number format (calib formats lists them); may be repeated",
                     .type = "ID[:PARAMETER=VALUE,...]",
                     .isRequired = options->comparison == FormatComparison::None,
                     .isOneByOne = true});
    command.add({.names = "--axis",
                 .target = &options->axis,
                 .help = "Axis that groups lie along and rows are taken along, from behind if "
                         "negative"});
    if (options->comparison == FormatComparison::None)
        command.add({.names = "--block",
                     .target = &options->block,
                     .help = "The values, patterns and scale of that block, counted from 0"});
    options->layoutOverride.declare(command);
    options->opening.declare(command);
    options->output.declare(command);
    command.run = underGuard(options, runEncode);
    return command;
}

}  // namespace

Command encodeCommand()
{
    return declared({.name = "encode", .help = "Errors of tensors under number formats"},
                    FormatComparison::None);
}

Command shootoutCommand()
{
    return declared({.name = "shootout",
                     .help = "Number formats ranked by the SQNR that they leave each tensor"},
                    FormatComparison::Rank);
}

Command rateCommand()
{
    return declared({.name = "rate",
                     .help = "SQNR against effective bits of each tensor, by families of number "
                             "formats"},
                    FormatComparison::Rate);
}

}  // namespace calibscope::cli
