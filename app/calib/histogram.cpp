// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/calib/choice_options.h"
#include "app/calib/command_output.h"
#include "app/calib/dump_options.h"
#include "app/calib/subcommands.h"
#include "core/base/error.h"
#include "core/collect/collect_profile.h"
#include "core/dump/dump_file.h"
#include "core/stats/suspicions.h"

#include <memory>

namespace calibscope::cli {

namespace {

struct Options
{
    std::string file;
    std::string tensor;
    HistogramOptions histogram;
    LayoutOverrideOptions layoutOverride;
    ChannelOption channel;
    OpeningOptions opening;
    OutputOptions output;
};

const std::vector<Column> binColumns{{.id = "low", .title = "Low", .isNumeric = true},
                                     {.id = "high", .title = "High", .isNumeric = true},
                                     {.id = "count", .title = "Count", .isNumeric = true}};

int runHistogram(const Options& options, const Reading& reading)
{
    refuseOverwriting(options.output, {options.file});
    TableOutput table(options.output, binColumns);
    const HistogramSpec spec = options.histogram.spec();
    const std::shared_ptr<const DumpFile> dump =
        reading.open(options.file, options.opening.dumpOptions());
    options.layoutOverride.check(*dump);
    const TensorInfo& tensor = dump->tensors()[dump->indexOf(options.tensor)];
    reading.at(options.file, tensor.path);
    const ValueSource source = options.channel.applied(
        dump->source(options.layoutOverride.applied(tensor), options.layoutOverride.batches));
    warnOfDoubts(options.file, tensor);
    TensorProfile profile = collectProfile(source, reading.progress());
    for (const std::string& suspicion : suspicions(profile))
        warn(options.file + ":" + tensor.path + ": " + suspicion);
    collectMore(profile, source, std::vector{spec}, {}, reading.progress());
    const Histogram& histogram = *profile.histogram(spec);
    for (const std::string& note : histogram.notes)
        sayOnStderr("calib: note: " + tensor.name + ": " + note);
    for (std::size_t bin = 0; bin < histogram.counts.size(); ++bin)
        table.row(
            std::vector<Cell>{histogram.edge(bin), histogram.edge(bin + 1), histogram.counts[bin]});
    reading.ends();
    table.finish();
    return 0;
}

}  // namespace

Command histogramCommand()
{
    const auto options = std::make_shared<Options>();
    Command command{.name = "histogram", .help = "Counts in equal bins"};
    command.add(requiredFile(options->file));
    command.add(requiredTensor(options->tensor));
    options->histogram.declare(command);
    options->layoutOverride.declare(command);
    options->channel.declare(command);
    options->opening.declare(command);
    options->output.declare(command);
    command.run = underGuard(options, runHistogram);
    return command;
}

}  // namespace calibscope::cli
