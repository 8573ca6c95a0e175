// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/calib/command_output.h"
#include "app/calib/dump_options.h"
#include "app/calib/subcommands.h"
#include "core/deploy/names/dump_names.h"

#include <memory>

namespace calibscope::cli {

namespace {

struct NamesOptions
{
    std::string file;
    std::string model;
    std::string map;
    OpeningOptions opening;
    OutputOptions output;
};

const std::vector<Column>& nameColumns()
{
    static const std::vector<Column> columns{{.id = "tensor", .title = "Tensor"},
                                             {.id = "graph_name", .title = "Graph name"},
                                             {.id = "graph", .title = "Graph"},
                                             {.id = "role", .title = "Role"},
                                             {.id = "why", .title = "Why"}};
    return columns;
}

int runNames(const NamesOptions& options, const Reading& reading)
{
    refuseOverwriting(options.output, {options.file, options.model, options.map});
    TableOutput table(options.output, nameColumns());
    const deploy::NameMap map =
        options.map.empty() ? deploy::NameMap{} : deploy::readNameMap(options.map);
    const std::shared_ptr<const DumpFile> dump =
        reading.open(options.file, options.opening.dumpOptions());
    const auto model = model::ModelFile::read(options.model);
    const std::vector<deploy::GraphName> names =
        deploy::namesIn(*model, deploy::tensorsOf(*dump), map, false, reading.progress());
    Complaints complaints;
    for (std::size_t place = 0; place < names.size(); ++place) {
        const TensorInfo& tensor = dump->tensors()[place];
        const deploy::GraphName& name = names[place];
        std::vector<Cell> row{tensor.name, {}, {}, std::string(roleText(tensor.role)), name.reason};
        if (name.tensor) {
            row[1] = model->tensors()[*name.tensor].name;
            row[2] = model->tensors()[*name.tensor].scope;
        } else {
            complaints.add(options.file + ":" + tensor.path + ": " + name.reason);
        }
        table.row(row);
    }
    if (const std::string none = deploy::whyNoneIsThere(dump->tensors(), model->tensors(), names);
        !none.empty())
        complaints.add(options.model + ": " + none);
    reading.ends();
    table.finish();
    return complaints.exitCode();
}

}  // namespace

Command namesCommand()
{
    const auto options = std::make_shared<NamesOptions>();
    Command command{.name = "names", .help = "Names of a dump's tensors in an ONNX model"};
    command.add(requiredFile(options->file));
    command.add({.names = "model",
                 .target = &options->model,
                 .help = "ONNX model",
                 .type = "MODEL",
                 .isRequired = true});
    command.add(mapOption(options->map));
    options->opening.declare(command);
    options->output.declare(command);
    command.run = underGuard(options, runNames);
    return command;
}

}  // namespace calibscope::cli
