#include "app/calib/channel_option.h"
#include "app/calib/crash_sentence.h"
#include "app/calib/opening_options.h"
#include "app/calib/subcommands.h"
#include "app/calib/table_output.h"
#include "app/calib/understanding_options.h"
#include "core/base/error.h"
#include "core/collect/collect_profile.h"
#include "core/dump/dump_file.h"
#include "core/stats/growth_rule.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <memory>

namespace calibscope::cli {

namespace {

constexpr int mostBins = 1 << 20;

struct HistogramOptions
{
    std::string file;
    std::string tensor;
    std::string growth = "fixed";
    int bins = 0;        // 0: as the rule was published
    std::string domain;  // empty: likewise
    UnderstandingOptions understanding;
    ChannelOption channel;
    OpeningOptions opening;
    OutputOptions output;
};

HistogramSpec specOf(const HistogramOptions& options)
{
    const GrowthRule& rule = growthRule(options.growth);
    const Domain domain = options.domain.empty()                         ? rule.domain
                          : options.domain == domainText(Domain::Signed) ? Domain::Signed
                                                                         : Domain::Magnitude;
    return {.growth = options.growth,
            .bins = options.bins == 0 ? rule.bins : options.bins,
            .domain = domain};
}

const std::vector<Column> columns{{.id = "low", .title = "Low", .isNumeric = true},
                                  {.id = "high", .title = "High", .isNumeric = true},
                                  {.id = "count", .title = "Count", .isNumeric = true}};

int run(const HistogramOptions& options)
{
    refuseOverwriting(options.output, {options.file});
    TableOutput table(options.output, columns);
    const HistogramSpec spec = specOf(options);
    const CrashSentence crashSentence(options.file);
    const std::shared_ptr<const DumpFile> dump =
        DumpFile::open(options.file, options.opening.dumpOptions());
    options.understanding.check(*dump);
    const TensorInfo& tensor = dump->tensors()[dump->indexOf(options.tensor)];
    const ValueSource source = options.channel.applied(
        dump->source(options.understanding.applied(tensor), options.understanding.batches));
    TensorProfile profile = collectProfile(source);
    collectMore(profile, source, std::vector{spec}, {});
    const Histogram& histogram = *profile.histogram(spec);
    for (const std::string& note : histogram.notes)
        std::fprintf(stderr, "calib: note: %s: %s\n", tensor.name.c_str(), note.c_str());
    for (std::size_t bin = 0; bin < histogram.counts.size(); ++bin)
        table.row(
            std::vector<Cell>{histogram.edge(bin), histogram.edge(bin + 1), histogram.counts[bin]});
    table.finish();
    return 0;
}

}  // namespace

void addHistogram(CLI::App& app, Action& action)
{
    auto options = std::make_shared<HistogramOptions>();
    CLI::App* histogram = app.add_subcommand("histogram", "Counts in equal bins");
    histogram->add_option("file", options->file, "Dump")->required()->type_name("FILE");
    histogram->add_option("--tensor", options->tensor, "Name or path of the tensor")
        ->required()
        ->type_name("NAME");
    histogram
        ->add_option("--growth", options->growth,
                     "How the bins follow the range from batch to batch")
        ->type_name("RULE")
        ->capture_default_str();
    histogram->add_option("--bins", options->bins, "Bins at the start (as the rule was published)")
        ->type_name("N")
        ->check(CLI::Range(1, mostBins));
    histogram->add_option("--domain", options->domain, "Of |x| or of x (as the rule was published)")
        ->type_name("magnitude|signed")
        ->check(CLI::IsMember({"magnitude", "signed"}));
    options->understanding.declare(*histogram);
    options->channel.declare(*histogram);
    options->opening.declare(*histogram);
    options->output.declare(*histogram);
    histogram->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace calibscope::cli
