// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/calib/command_output.h"
#include "app/calib/dump_options.h"
#include "app/calib/subcommands.h"
#include "core/base/join.h"
#include "core/base/number_text.h"
#include "core/collect/check_values.h"
#include "core/dump/dump_file.h"

#include <memory>

namespace calibscope::cli {

namespace {

struct CheckOptions
{
    std::string file;
    TensorOptions tensors;
    OpeningOptions opening;
    OutputOptions output;
};

const std::vector<Column> checkColumns{{.id = "tensor", .title = "Tensor", .isNumeric = false},
                                       {.id = "checksum", .title = "Checksum", .isNumeric = false},
                                       {.id = "state", .title = "State", .isNumeric = false},
                                       {.id = "problem", .title = "Problem", .isNumeric = false},
                                       {.id = "doubts", .title = "Doubts", .isNumeric = false}};

Cell cellOf(const std::string& text)
{
    return text.empty() ? Cell() : Cell(text);
}

std::vector<Cell> checkRow(const TensorInfo& tensor, const ValueCheck& check)
{
    return {tensor.name, cellOf(tensor.checksum), std::string(checkStateText(check.state)),
            cellOf(check.problem), cellOf(joinedText(check.doubts, "; "))};
}

/// How many of the tensors that were asked for have which state.
struct CheckTotals
{
    std::size_t verified = 0;
    std::size_t unverified = 0;
    std::size_t failed = 0;
};

int runCheckDump(const CheckOptions& options, const Reading& reading)
{
    refuseOverwriting(options.output, {options.file});
    TableOutput table(options.output, checkColumns);
    const std::shared_ptr<const DumpFile> dump =
        reading.open(options.file, options.opening.dumpOptions());
    CheckTotals totals;
    for (const std::size_t index : options.tensors.selected(*dump)) {
        const TensorInfo& tensor = dump->tensors()[index];
        reading.at(options.file, tensor.path);
        const ValueCheck check = checkValues(dump->source(index), reading.progress());
        if (check.state == ValueCheck::State::NotRead && !options.tensors.asksFor(tensor))
            continue;
        totals.verified += check.state == ValueCheck::State::Verified ? 1U : 0U;
        totals.unverified += check.state == ValueCheck::State::NoChecksum ? 1U : 0U;
        totals.failed += check.problem.empty() ? 0U : 1U;
        table.row(checkRow(tensor, check));
    }
    reading.ends();
    table.finish();
    if (totals.unverified > 0)
        warn(options.file + ": " + countText(totals.unverified, "tensor has", "tensors have") +
             " no checksum to verify the values with; record with fletcher32 or values_sha256");
    Complaints complaints;
    if (totals.failed > 0)
        complaints.add(options.file + ": " + std::to_string(totals.failed) + " of " +
                       std::to_string(totals.verified + totals.unverified + totals.failed) +
                       " tensors are damaged or cannot be read");
    return complaints.exitCode();
}

}  // namespace

Command checkDumpCommand()
{
    const auto options = std::make_shared<CheckOptions>();
    Command command{.name = "check-dump",
                    .help = "Verification of a dump's values against their checksums"};
    command.add(requiredFile(options->file));
    options->tensors.declare(command);
    options->opening.declare(command);
    options->output.declare(command);
    command.run = underGuard(options, runCheckDump);
    return command;
}

}  // namespace calibscope::cli
