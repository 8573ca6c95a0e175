#include "app/calib/channel_option.h"
#include "app/calib/complaints.h"
#include "app/calib/crash_sentence.h"
#include "app/calib/layout_override_options.h"
#include "app/calib/opening_options.h"
#include "app/calib/subcommands.h"
#include "app/calib/table_output.h"
#include "app/calib/tensor_options.h"
#include "core/base/number_text.h"
#include "core/collect/channel_values.h"
#include "core/collect/collect_profile.h"
#include "core/collect/type_offer.h"
#include "core/dump/batch_first.h"
#include "core/dump/dump_file.h"
#include "core/report/tables/stats_table.h"
#include "core/tensor/element_type.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>

namespace calibscope::cli {

namespace {

struct StatsOptions
{
    std::string file;
    TensorOptions tensors;
    std::string rows = "tensor";
    StatsPercentiles percentiles;
    LayoutOverrideOptions layoutOverride;
    ChannelOption channel;
    OpeningOptions opening;
    OutputOptions output;

    [[nodiscard]] bool withChannels() const { return rows == "channel" || channel.channel; }
};

TensorProfile profileWithOrders(const ValueSource& source, const StatsPercentiles& percentiles)
{
    TensorProfile profile = collectProfile(source);
    collectMore(profile, source, {}, statsOrders(profile.extents().finite, percentiles));
    return profile;
}

void warnOfType(const std::string& file, const ValueSource& source)
{
    if (const std::optional<TypeOffer> offer = typeOffer(source))
        std::fprintf(stderr,
                     "calib: warning: %s:%s: %s; if it was recorded so, give --type %s instead of "
                     "%s\n",
                     file.c_str(), source.info.path.c_str(), offer->reason.c_str(),
                     offer->elementType.c_str(), source.info.elementType.c_str());
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
    if (!options.withChannels())
        return statsRow(tensor, profile, options.percentiles);
    return statsRow(tensor, profile, channel ? std::to_string(*channel) : "*", options.percentiles);
}

void writeTensor(const TensorInfo& tensor, const ValueSource& source, const StatsOptions& options,
                 TableOutput& table)
{
    if (options.channel.channel) {
        const ValueSource values = options.channel.applied(source);
        table.row(rowOf(tensor, source.info, profileWithOrders(values, options.percentiles),
                        options, options.channel.channel));
        return;
    }
    table.row(rowOf(tensor, source.info, profileWithOrders(source, options.percentiles), options));
    if (!options.withChannels() || source.info.channelCount() == 0)
        return;
    visitChannels(source, DumpOptions{}.memoryBytes,
                  [&](std::uint64_t channel, const ValueSource& values) {
                      table.row(rowOf(tensor, source.info,
                                      profileWithOrders(values, options.percentiles), options,
                                      channel));
                  },
                  {});
}

/// Whether a dataset of numbers lacks values only: its statistics are counts of 0.
bool isEmpty(const TensorInfo& tensor)
{
    return !tensor.isReadable() && tensor.valueCount() == 0 && elementKind(tensor.elementType);
}

int run(const StatsOptions& options)
{
    refuseOverwriting(options.output, {options.file});
    TableOutput table(options.output, statsColumns(options.withChannels(), options.percentiles));
    const CrashSentence crashSentence(options.file);
    const std::shared_ptr<const DumpFile> dump =
        DumpFile::open(options.file, options.opening.dumpOptions());
    options.layoutOverride.check(*dump);
    const std::vector<std::size_t> selected = options.tensors.selected(*dump);
    Complaints complaints;
    for (const std::size_t index : selected) {
        const TensorInfo tensor = options.layoutOverride.applied(dump->tensors()[index]);
        if (isEmpty(tensor)) {
            writeTensor(tensor, sourceOf(batchFirst(tensor), {}), options, table);
            continue;
        }
        if (!tensor.isReadable()) {
            if (options.tensors.asksFor(tensor))
                complaints.add(options.file + ":" + tensor.path + ": " + tensor.unreadable);
            continue;
        }
        try {
            const ValueSource source = dump->source(tensor, options.layoutOverride.batches);
            warnOfType(options.file, source);
            writeTensor(tensor, source, options, table);
        } catch (const Error& error) {
            if (error.fault() != Fault::Input)
                throw;
            complaints.add(error.what());
        }
    }
    table.finish();
    return complaints.exitCode();
}

std::string complaintAboutPercentile(const std::string& text)
{
    const std::optional<double> alpha = parseNumber(text);
    return alpha && *alpha >= 0.0 && *alpha <= 100.0 ? std::string()
                                                     : text + " is no number from 0 to 100";
}

void declarePercentiles(CLI::App& stats, StatsPercentiles& percentiles)
{
    stats
        .add_option_function<std::vector<double>>(
            "--percentile",
            [&percentiles](const std::vector<double>& alphas) {
                percentiles.alphas.clear();
                for (const double alpha : alphas)
                    if (std::ranges::count(percentiles.alphas, alpha) == 0)
                        percentiles.alphas.push_back(alpha);
            },
            "Percentiles of these orders instead of 50,99,99.9,99.99,99.999; may be repeated")
        ->type_name("P,...")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->check(CLI::Validator(complaintAboutPercentile, ""));
    stats
        .add_option_function<std::string>(
            "--domain",
            [&percentiles](const std::string& word) {
                percentiles.domain =
                    word == domainText(Domain::Signed) ? Domain::Signed : Domain::Magnitude;
            },
            "Percentiles of |x| or of x (magnitude)")
        ->type_name("magnitude|signed")
        ->check(CLI::IsMember({"magnitude", "signed"}));
}

}  // namespace

void addStats(CLI::App& app, Action& action)
{
    auto options = std::make_shared<StatsOptions>();
    CLI::App* stats = app.add_subcommand("stats", "Counts, extents, moments and percentiles");
    stats->add_option("file", options->file, "Dump")->required()->type_name("FILE");
    options->tensors.declare(*stats);
    stats
        ->add_option("--rows", options->rows,
                     "One row for a tensor, or further ones for its channels")
        ->type_name("tensor|channel")
        ->check(CLI::IsMember({"tensor", "channel"}))
        ->capture_default_str();
    declarePercentiles(*stats, options->percentiles);
    options->layoutOverride.declare(*stats);
    options->channel.declare(*stats);
    options->opening.declare(*stats);
    options->output.declare(*stats);
    stats->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace calibscope::cli
