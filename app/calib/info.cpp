#include "app/calib/output_options.h"
#include "app/calib/subcommands.h"
#include "core/dump/dump_file.h"
#include "core/report/column_choice.h"
#include "core/stats/tensor_selection.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <memory>
#include <optional>

namespace calibscope::cli {

namespace {

struct InfoOptions
{
    std::string file;
    std::vector<std::string> tensors;
    OutputOptions output;
};

const std::vector<Column>& columns()
{
    static const std::vector<Column> list{
        {.id = "tensor", .title = "Tensor", .isNumeric = false},
        {.id = "role", .title = "Role", .isNumeric = false},
        {.id = "op", .title = "Op", .isNumeric = false},
        {.id = "type", .title = "Type", .isNumeric = false},
        {.id = "shape", .title = "Shape", .isNumeric = false},
        {.id = "batch_axis", .title = "Batch axis", .isNumeric = true},
        {.id = "channel_axis", .title = "Channel axis", .isNumeric = true},
        {.id = "batches", .title = "Batches", .isNumeric = true},
        {.id = "layout_rule", .title = "Layout rule", .isNumeric = false},
        {.id = "compression", .title = "Compression", .isNumeric = false},
        {.id = "checksum", .title = "Checksum", .isNumeric = false},
        {.id = "readable", .title = "Readable", .isNumeric = false}};
    return list;
}

Cell axisCell(const std::optional<int>& axis)
{
    return axis ? Cell(static_cast<std::uint64_t>(*axis)) : Cell();
}

Cell textCell(const std::string& text)
{
    return text.empty() ? Cell() : Cell(text);
}

std::vector<Cell> rowOf(const TensorInfo& tensor)
{
    return {tensor.name,
            std::string(roleText(tensor.role)),
            textCell(tensor.op),
            textCell(tensor.elementType),
            tensor.elementType.empty() ? Cell() : Cell(shapeText(tensor.shape)),
            axisCell(tensor.batchAxis),
            axisCell(tensor.channelAxis),
            tensor.isReadable() ? Cell(tensor.batchCount()) : Cell(),
            tensor.layoutRule + (tensor.isGuess ? " (guess)" : ""),
            textCell(tensor.compression),
            textCell(tensor.checksum),
            tensor.isReadable() ? std::string("yes") : tensor.unreadable};
}

int run(const InfoOptions& options)
{
    refuseOverwriting(options.output, {options.file});
    const TableFormat format = options.output.tableFormat();
    const ColumnChoice choice(columns(), options.output.columns);
    const std::shared_ptr<const DumpFile> dump = DumpFile::open(options.file);
    const std::vector<std::size_t> selected = selectTensors(dump->tensors(), options.tensors);
    for (const std::string& warning : dump->warnings())
        std::fprintf(stderr, "calib: warning: %s:%s\n", options.file.c_str(), warning.c_str());
    Output output(options.output.path);
    TableWriter table(output.sink(), format, choice.columns());
    for (const std::size_t index : selected)
        table.row(choice.cells(rowOf(dump->tensors()[index])));
    table.finish();
    output.finish();
    return 0;
}

}  // namespace

void addInfo(CLI::App& app, Action& action)
{
    auto options = std::make_shared<InfoOptions>();
    CLI::App* info = app.add_subcommand("info", "What a dump holds, without reading its values");
    info->add_option("file", options->file, "Dump")->required()->type_name("FILE");
    info->add_option("--tensor", options->tensors, "Tensor by name, or a glob; may be repeated")
        ->type_name("NAME-OR-GLOB")
        ->allow_extra_args(false);
    options->output.declare(*info);
    info->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace calibscope::cli
