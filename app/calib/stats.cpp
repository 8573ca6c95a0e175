// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/calib/command_output.h"
#include "app/calib/dump_options.h"
#include "app/calib/subcommands.h"
#include "app/calib/tensor_pass.h"
#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/collect/channel_values.h"
#include "core/collect/collect_profile.h"
#include "core/collect/type_offer.h"
#include "core/dump/batch_first.h"
#include "core/dump/dump_file.h"
#include "core/report/tables/stats_table.h"
#include "core/stats/suspicions.h"
#include "core/tensor/element_type.h"
#include "core/tensor/no_values.h"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace calibscope::cli {

namespace {

struct StatsOptions
{
    std::string file;
    TensorOptions tensors;
    std::string rows = "tensor";
    std::vector<double> alphas;
    std::string domain;
    StatsPercentiles percentiles;  // of these
    LayoutOverrideOptions layoutOverride;
    ChannelOption channel;
    OpeningOptions opening;
    OutputOptions output;
    bool withMasks = false;

    [[nodiscard]] bool withChannels() const { return rows == "channel" || channel.channel; }
};

/// A profile in place of a dump may hold no percentiles, as one that was merged: that is an error
/// where they were asked for.
TensorProfile profileWithOrders(const ValueSource& source, const StatsOptions& options,
                                const Progress& progress)
{
    TensorProfile profile = collectProfile(source, progress);
    try {
        collectMore(profile, source, {}, statsOrders(profile.extents().finite, options.percentiles),
                    progress);
    } catch (const NoValues& error) {
        if (!options.alphas.empty() || !options.domain.empty())
            throw;
        warn(options.file + ":" + error.what());
    }
    return profile;
}

void warnOfType(const std::string& file, const ValueSource& source)
{
    if (const std::optional<TypeOffer> offer = typeOffer(source))
        sayOnStderr("calib: warning: " + file + ":" + source.info.path + ": " + offer->reason +
                    "; if that is how it was recorded, give --type " +
                    std::string(elementText(offer->elementType)) + " instead of " +
                    elementText(source.info));
}

/// A row whose indices count in the file's order: `tensor` is as in the file, while values come
/// with the batch axis in front. `channel`: where the profile is of one channel of `visited`.
std::vector<Cell> rowOf(const TensorInfo& tensor, const TensorInfo& visited, TensorProfile profile,
                        const StatsOptions& options, std::optional<std::uint64_t> channel = {})
{
    for (std::optional<std::uint64_t>* index :
         {&profile.firstNotFinite.nan, &profile.firstNotFinite.infinite})
        if (*index)
            *index =
                indexInFile(tensor, channel ? visited.flatIndexOf(*channel, **index) : **index);
    std::vector<Cell> row =
        options.withChannels() ? statsRow(tensor, profile, channel ? std::to_string(*channel) : "*",
                                          options.percentiles)
                               : statsRow(tensor, profile, options.percentiles);
    if (options.withMasks)
        row.push_back(countedShareCell(visited));
    return row;
}

void writeTensor(const TensorInfo& tensor, const ValueSource& source, const StatsOptions& options,
                 const Progress& progress, TableOutput& table)
{
    if (options.channel.channel) {
        const ValueSource values = options.channel.applied(source);
        table.row(rowOf(tensor, source.info, profileWithOrders(values, options, progress), options,
                        options.channel.channel));
        return;
    }
    TensorProfile whole = profileWithOrders(source, options, progress);
    for (const std::string& suspicion : suspicions(whole))
        warn(options.file + ":" + tensor.path + ": " + suspicion);
    const std::vector<Extents> channels = whole.channels;
    table.row(rowOf(tensor, source.info, std::move(whole), options));
    if (!options.withChannels() || source.info.channelCount() == 0)
        return;
    visitChannels(
        source, DumpOptions{}.memoryBytes,
        [&](std::uint64_t channel, const ValueSource& values) {
            TensorProfile profile = profileWithOrders(values, options, progress);
            profile.moments.extents = channels.at(channel);  // with what reading lost
            table.row(rowOf(tensor, source.info, std::move(profile), options, channel));
        },
        progress);
}

/// Each order once.
StatsPercentiles percentilesOf(const StatsOptions& options)
{
    StatsPercentiles percentiles;
    if (!options.alphas.empty())
        percentiles.alphas.clear();
    for (const double alpha : options.alphas)
        if (std::ranges::count(percentiles.alphas, alpha) == 0)
            percentiles.alphas.push_back(alpha);
    if (options.domain == domainText(Domain::Signed))
        percentiles.domain = Domain::Signed;
    return percentiles;
}

/// What a screen has room for: counts of what is rare come last.
std::string forScreen(const std::vector<Column>& columns)
{
    constexpr std::array rare{"role",       "first_nan",   "first_inf",
                              "overflowed", "underflowed", "rounded_integers"};
    std::string usual;
    std::string others;
    for (const Column& column : columns)
        (std::ranges::count(rare, column.id) > 0 ? others : usual) += "," + column.id;
    return (usual + others).substr(1);
}

int runStats(StatsOptions& options, const Reading& reading)
{
    options.percentiles = percentilesOf(options);
    refuseOverwriting(options.output, {options.file});
    // Words that no such table has are refused before anything is read.
    const std::vector<Column> most =
        statsColumns(options.withChannels(), options.percentiles, true);
    static_cast<void>(options.output.tableFormat());
    static_cast<void>(options.output.choice(most, forScreen(most)));
    const std::shared_ptr<const DumpFile> dump =
        reading.open(options.file, options.opening.dumpOptions());
    options.layoutOverride.check(*dump);
    options.withMasks = std::ranges::any_of(
        dump->tensors(), [](const TensorInfo& tensor) { return tensor.mask.has_value(); });
    const std::vector<Column> columns =
        statsColumns(options.withChannels(), options.percentiles, options.withMasks);
    TableOutput table(options.output, columns, forScreen(columns));
    struct Asked
    {
        TensorInfo tensor;
    };
    std::vector<Asked> items;
    for (TensorInfo& tensor : selectedTensors(*dump, options.tensors, options.layoutOverride))
        items.push_back({std::move(tensor)});
    Complaints complaints;
    // Rows of channels are written as they come.
    forEachTensor(
        {*dump, options.tensors, reading, complaints, 0, true}, std::move(items),
        [&](const Asked& item) {
            const bool isEmpty = !item.tensor.isReadable();
            const ValueSource source =
                isEmpty ? sourceOf(batchFirst(item.tensor), {})
                        : dump->source(item.tensor, options.layoutOverride.batches);
            warnOfDoubts(options.file, item.tensor);
            if (!isEmpty)
                warnOfType(options.file, source);
            writeTensor(item.tensor, source, options, reading.progress(), table);
        },
        [](const Asked&) {});
    reading.ends();
    table.finish();
    return complaints.exitCode();
}

}  // namespace

Command statsCommand()
{
    const auto options = std::make_shared<StatsOptions>();
    Command command{.name = "stats", .help = "Counts, extents, moments and percentiles"};
    command.add(requiredFile(options->file));
    options->tensors.declare(command);
    command.add(rowsOption(options->rows));
    command.add(percentileOption(
        options->alphas,
        "Percentiles of these orders instead of 50,99,99.9,99.99,99.999; may be repeated"));
    command.add({.names = "--domain",
                 .target = &options->domain,
                 .help = "Percentiles of |x| or of x (magnitude)",
                 .type = "magnitude|signed",
                 .words = {"magnitude", "signed"}});
    options->layoutOverride.declare(command);
    options->channel.declare(command);
    options->opening.declare(command);
    options->output.declare(command);
    command.run = underGuard(options, runStats);
    return command;
}

}  // namespace calibscope::cli
