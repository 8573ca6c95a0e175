#include "app/calib/output_options.h"

#include "core/base/error.h"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <system_error>

namespace calibscope::cli {

void OutputOptions::declare(CLI::App& subcommand)
{
    subcommand.add_option("--format", format, "csv (default), tsv, json or table")
        ->type_name("FORMAT");
    subcommand.add_option("--columns", columns, "Only these columns, in this order")
        ->type_name("NAME,...");
    subcommand.add_option("-o,--output", path, "file to write instead of standard output")
        ->type_name("FILE");
}

void refuseOverwriting(const OutputOptions& output, const std::vector<std::string>& inputs)
{
    for (const std::string& input : inputs) {
        std::error_code ignored;
        if (!output.path.empty() && std::filesystem::equivalent(output.path, input, ignored))
            throw Error(Fault::Usage,
                        output.path + ": is the dump to be read; choose another file with -o");
    }
}

}  // namespace calibscope::cli
