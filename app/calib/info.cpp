// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/calib/command_output.h"
#include "app/calib/dump_options.h"
#include "app/calib/subcommands.h"
#include "core/dump/dump_file.h"
#include "core/report/tables/tensor_table.h"

#include <algorithm>
#include <memory>

namespace calibscope::cli {

namespace {

struct InfoOptions
{
    std::string file;
    TensorOptions tensors;
    OpeningOptions opening;
    LayoutOverrideOptions layoutOverride;
    OutputOptions output;
};

/// Why each tensor was understood as it was makes lines too long for a table that people read.
OutputOptions withoutEvidence(OutputOptions output)
{
    if (output.tableFormat() != TableFormat::Aligned || !output.columns.empty())
        return output;
    for (const Column& column : tensorColumns())
        if (column.id != "evidence")
            output.columns += (output.columns.empty() ? "" : ",") + column.id;
    return output;
}

int runInfo(const InfoOptions& options, const Reading& reading)
{
    refuseOverwriting(options.output, {options.file});
    TableOutput table(withoutEvidence(options.output), tensorColumns());
    DumpOptions opening = options.opening.dumpOptions();
    opening.allowGrowing = true;  // no values are read
    const std::shared_ptr<const DumpFile> dump = reading.open(options.file, opening);
    options.layoutOverride.check(*dump);
    const std::vector<std::size_t> selected = options.tensors.selected(*dump);
    const std::vector<std::string> told = warningsOfNoTensor(*dump);
    for (const std::string& warning : dump->warnings())
        if (!dump->tensors().empty() && std::ranges::find(told, warning) == told.end())
            warn(options.file + ":" + warning);
    for (const std::size_t index : selected)
        table.row(tensorRow(options.layoutOverride.applied(dump->tensors()[index])));
    for (const TensorInfo& feed : dump->feeds())
        if (options.tensors.patterns.empty())
            table.row(feedRow(feed));
    reading.ends();
    table.finish();
    return 0;
}

}  // namespace

Command infoCommand()
{
    const auto options = std::make_shared<InfoOptions>();
    Command command{.name = "info", .help = "Contents of a dump, without reading its values"};
    command.add(requiredFile(options->file));
    options->tensors.declare(command);
    options->opening.declare(command);
    options->layoutOverride.declare(command);
    options->output.declare(command);
    command.run = underGuard(options, runInfo);
    return command;
}

}  // namespace calibscope::cli
