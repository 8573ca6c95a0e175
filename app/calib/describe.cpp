// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/calib/format_options.h"
#include "app/calib/subcommands.h"
#include "core/report/describe/algorithms_page.h"
#include "core/report/tables/output.h"

#include <memory>
#include <string>
#include <vector>

namespace calibscope::cli {

namespace {

struct DescribeOptions
{
    std::vector<std::string> ids;
    bool listsFormats = false;
    std::string path;
};

int runDescribe(const DescribeOptions& options)
{
    std::string text = options.listsFormats  ? formatTable()
                       : options.ids.empty() ? algorithmsPage()
                                             : std::string();
    for (const std::string& id : options.ids)
        text += (text.empty() ? "" : "\n") + algorithmsPagePart(id);
    Output output(options.path);
    output.write(text);
    output.finish();
    return 0;
}

}  // namespace

Command describeCommand()
{
    const auto options = std::make_shared<DescribeOptions>();
    Command command{.name = "describe",
                    .help =
                        "Definitions of calibrators, recipes, presets and metrics, in Markdown"};
    command.add({.names = "ids",
                 .target = &options->ids,
                 .help = "Calibrators, recipes, presets, growth rules, metrics, parameters of "
                         "schemes; without any, all of them",
                 .type = "ID"});
    command.add({.names = "--scale-formats",
                 .target = &options->listsFormats,
                 .help = "The formats of calib export and calib import, as JSON",
                 .excludes = "ids"});
    command.add({.names = "-o,--output",
                 .target = &options->path,
                 .help = "File to write instead of standard output",
                 .type = "FILE"});
    command.run = [options] { return runDescribe(*options); };
    return command;
}

}  // namespace calibscope::cli
