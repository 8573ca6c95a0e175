#include "app/calib/subcommands.h"
#include "core/report/describe/algorithms_page.h"
#include "core/report/tables/output.h"

#include <CLI/CLI.hpp>

#include <memory>
#include <string>
#include <vector>

namespace calibscope::cli {

namespace {

struct DescribeOptions
{
    std::vector<std::string> ids;
    std::string path;
};

int run(const DescribeOptions& options)
{
    std::string text = options.ids.empty() ? algorithmsPage() : std::string();
    for (const std::string& id : options.ids)
        text += (text.empty() ? "" : "\n") + algorithmsPagePart(id);
    Output output(options.path);
    output.write(text);
    output.finish();
    return 0;
}

}  // namespace

void addDescribe(CLI::App& app, Action& action)
{
    auto options = std::make_shared<DescribeOptions>();
    CLI::App* describe = app.add_subcommand(
        "describe", "What calibrators, recipes, presets and metrics are, in Markdown");
    describe
        ->add_option("ids", options->ids,
                     "Calibrators, recipes, presets, growth rules, metrics, parameters of schemes; "
                     "none: the page of all")
        ->type_name("ID");
    describe->add_option("-o,--output", options->path, "File to write instead of standard output")
        ->type_name("FILE");
    describe->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace calibscope::cli
