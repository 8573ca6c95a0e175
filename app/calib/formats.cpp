// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/calib/command_output.h"
#include "app/calib/subcommands.h"
#include "core/report/tables/format_tables.h"

#include <memory>
#include <string>
#include <vector>

namespace calibscope::cli {

namespace {

struct FormatsOptions
{
    std::vector<std::string> ids;
    bool values = false;
    bool presets = false;
    OutputOptions output;
};

int runFormats(const FormatsOptions& options)
{
    if (options.presets) {
        TableOutput table(options.output, formatPresetColumns());
        for (const std::vector<Cell>& row : formatPresetRows())
            table.row(row);
        table.finish();
        return 0;
    }
    std::vector<BlockFormat> formats;
    for (const std::string& id : options.ids)
        formats.push_back(parseBlockFormat(id));
    TableOutput table(options.output, options.values ? elementColumns() : formatColumns());
    for (const BlockFormat& format : options.ids.empty() ? blockFormats() : formats) {
        if (!options.values)
            table.row(formatRow(format));
        else
            for (const std::vector<Cell>& row : elementRows(*format.element))
                table.row(row);
    }
    table.finish();
    return 0;
}

}  // namespace

Command formatsCommand()
{
    const auto options = std::make_shared<FormatsOptions>();
    Command command{.name = "formats", .help = "Number formats, their scales and effective bits"};
    command.add({.names = "ids",
                 .target = &options->ids,
                 .help = "Formats; without any, all that have a name",
                 .type = "ID[:PARAMETER=VALUE,...]"});
    command.add({.names = "--values",
                 .target = &options->values,
                 .help = "The value of each pattern of their elements"});
    command.add({.names = "--presets",
                 .target = &options->presets,
                 .help = "Names for what other tools have, usable as formats"});
    options->output.declare(command);
    command.run = [options] { return runFormats(*options); };
    return command;
}

}  // namespace calibscope::cli
