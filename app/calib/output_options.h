#pragma once

#include "core/report/tables/output.h"
#include "core/report/tables/table.h"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace calibscope::cli {

/// --format, --columns and -o, which every subcommand that prints a table has.
struct OutputOptions
{
    std::string format = "csv";
    std::string path;     ///< empty: standard output
    std::string columns;  ///< ids separated by commas; empty: all

    void declare(CLI::App& subcommand);
    [[nodiscard]] TableFormat tableFormat() const { return parseTableFormat(format); }
};

/// Throws Error(Usage) if the output is one of the files to be read: it would be replaced.
void refuseOverwriting(const OutputOptions& output, const std::vector<std::string>& inputs);

}  // namespace calibscope::cli
