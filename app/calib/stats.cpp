#include "app/calib/complaints.h"
#include "app/calib/crash_sentence.h"
#include "app/calib/opening_options.h"
#include "app/calib/subcommands.h"
#include "app/calib/table_output.h"
#include "app/calib/tensor_options.h"
#include "app/calib/understanding_options.h"
#include "core/collect/channel_values.h"
#include "core/collect/collect_profile.h"
#include "core/collect/type_offer.h"
#include "core/dump/dump_file.h"
#include "core/report/stats_table.h"

#include <CLI/CLI.hpp>

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
    UnderstandingOptions understanding;
    OpeningOptions opening;
    OutputOptions output;

    [[nodiscard]] bool withChannels() const { return rows == "channel"; }
};

TensorProfile profileWithOrders(const ValueSource& source)
{
    TensorProfile profile = collectProfile(source);
    collectMore(profile, source, {}, statsOrders(profile.extents().finite));
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

void writeTensor(const ValueSource& source, const StatsOptions& options, TableOutput& table)
{
    const TensorProfile profile = profileWithOrders(source);
    if (!options.withChannels()) {
        table.row(statsRow(source.info, profile));
        return;
    }
    table.row(statsRow(source.info, profile, "*"));
    if (source.info.channelCount() > 0)
        visitChannels(source, DumpOptions{}.memoryBytes,
                      [&](std::uint64_t channel, const ValueSource& values) {
                          table.row(statsRow(source.info, profileWithOrders(values),
                                             std::to_string(channel)));
                      },
                      {});
}

int run(const StatsOptions& options)
{
    refuseOverwriting(options.output, {options.file});
    TableOutput table(options.output, statsColumns(options.withChannels()));
    const CrashSentence crashSentence(options.file);
    const std::shared_ptr<const DumpFile> dump =
        DumpFile::open(options.file, options.opening.dumpOptions());
    options.understanding.check(*dump);
    const std::vector<std::size_t> selected = options.tensors.selected(*dump);
    Complaints complaints;
    for (const std::size_t index : selected) {
        const TensorInfo tensor = options.understanding.applied(dump->tensors()[index]);
        if (!tensor.isReadable()) {
            if (options.tensors.asksFor(tensor))
                complaints.add(options.file + ":" + tensor.path + ": " + tensor.unreadable);
            continue;
        }
        try {
            const ValueSource source = dump->source(tensor, options.understanding.batches);
            warnOfType(options.file, source);
            writeTensor(source, options, table);
        } catch (const Error& error) {
            if (error.fault() != Fault::Input)
                throw;
            complaints.add(error.what());
        }
    }
    table.finish();
    return complaints.exitCode();
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
    options->understanding.declare(*stats);
    options->opening.declare(*stats);
    options->output.declare(*stats);
    stats->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace calibscope::cli
