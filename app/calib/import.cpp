// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/calib/choice_options.h"
#include "app/calib/command_output.h"
#include "app/calib/dump_options.h"
#include "app/calib/format_options.h"
#include "app/calib/subcommands.h"
#include "core/base/error.h"
#include "core/collect/analyse.h"
#include "core/collect/collect_profile.h"
#include "core/collect/held_values.h"
#include "core/deploy/imported_scales.h"
#include "core/deploy/names/dump_names.h"
#include "core/deploy/names/name_map.h"
#include "core/dump/dump_file.h"
#include "core/exchange/exchange_format.h"
#include "core/model/model_file.h"
#include "core/report/tables/table.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace calibscope::cli {

namespace {

using deploy::ImportedScale;
using exchange::EntryValue;
using exchange::ScaleEntry;
using exchange::ScaleFile;

/// The value with the widest range; of several NaNs one.
const EntryValue& widestValue(const ScaleEntry& entry)
{
    return *std::ranges::max_element(entry.values, {}, [](const EntryValue& value) {
        const double end = widestEnd(value);
        return std::isnan(end) ? std::numeric_limits<double>::infinity() : end;
    });
}

/// NaN is what the file says: it is not to look like a cell without a value.
Cell numberCell(double value)
{
    return std::isnan(value) ? Cell{std::string("nan")} : Cell{value};
}

void addEntry(std::vector<Cell>& row, const ScaleEntry& entry)
{
    row.emplace_back(entry.name);
    row.push_back(entry.line > 0 ? Cell{entry.line} : Cell{});
    if (entry.values.empty()) {
        row.insert(row.end(), 7, Cell{});
        return;
    }
    const EntryValue& value = widestValue(entry);
    row.push_back(entry.isPerChannel ? Cell{std::uint64_t{entry.values.size()}} : Cell{});
    row.push_back(Cell{static_cast<std::uint64_t>(entry.format.bits())});
    row.push_back(numberCell(value.range.low));
    row.push_back(numberCell(value.range.high));
    row.push_back(value.threshold ? numberCell(*value.threshold) : Cell{});
    row.push_back(numberCell(scaleOf(entry, value)));
    row.push_back(value.zeroPoint ? numberCell(*value.zeroPoint) : Cell{});
}

std::string lintText(const Findings& lints)
{
    std::vector<std::string> texts;
    for (const Finding& lint : lints)
        texts.push_back(withLevel(lint));
    return joinedNotes(texts);
}

const std::vector<Column>& importColumns()
{
    static const std::vector<Column> columns{
        {"format", "format", false},
        {"entry", "entry", false},
        {"line", "line", true},
        {"channels", "channels", true},
        {"bits", "bits", true},
        {"low", "low", true},
        {"high", "high", true},
        {"threshold", "threshold", true},
        {"scale", "scale", true},
        {"zero_point", "zero point", true},
        {"file", "file", false},
        {"tensor", "tensor", false},
        {"role", "role", false},
        {"found_by", "found by", false},
        {"data_min", "data min", true},
        {"data_max", "data max", true},
        {"deviation", "deviation", true},
        {"clipped_share", "clipped share", true},
        {"recipe", "recipe", false},
        {"calibrator", "calibrator", false},
        {"recipe_threshold", "recipe threshold", true},
        {"recipe_deviation", "recipe deviation", true},
        {"level", "level", false},
        {"lints", "lints", false},
    };
    return columns;
}

/// With a scale per channel, low, high, threshold and scale are the widest channel's, and
/// `channels` is their number. `outcome`: what a choice gives for the tensor; nullptr: none was
/// asked for, or it has no result.
std::vector<Cell> importRow(const exchange::ScaleFile& file, const ImportedScale& imported,
                            const std::string& dump, const Outcome* outcome)
{
    std::vector<Cell> row{Cell{file.format}};
    if (imported.entry)
        addEntry(row, *imported.entry);
    else
        row.insert(row.end(), 9, Cell{});
    row.push_back(imported.tensor ? textCell(dump) : Cell{});
    row.push_back(imported.tensor ? textCell(imported.tensor->name) : Cell{});
    row.push_back(imported.tensor ? Cell{std::string(roleText(imported.tensor->role))} : Cell{});
    row.push_back(textCell(std::string(entryNameRuleText(imported.rule))));
    const bool hasData = imported.extents && imported.extents->finite > 0;
    row.push_back(hasData ? Cell{imported.extents->min} : Cell{});
    row.push_back(hasData ? Cell{imported.extents->max} : Cell{});
    row.push_back(optionalCell(imported.fit.deviation));
    row.push_back(optionalCell(imported.fit.clippedShare));
    if (outcome != nullptr) {
        row.push_back(textCell(outcome->choice.recipe));
        row.push_back(textCell(outcome->choice.calibrator));
        row.push_back(optionalCell(outcome->whole.clip.threshold));
        row.push_back(imported.entry
                          ? optionalCell(deploy::deviationFrom(*outcome, *imported.entry))
                          : Cell{});
    } else {
        row.insert(row.end(), 4, Cell{});
    }
    const auto worst = highestLevel(imported.lints);
    row.push_back(worst ? Cell{std::string(levelText(*worst))} : Cell{});
    row.push_back(textCell(lintText(imported.lints)));
    return row;
}

struct ImportOptions
{
    std::string file;
    std::vector<std::string> dumps;
    std::string from;   ///< ID[:parameter=value,...]; empty: found by the contents
    std::string model;  ///< whose names the file has; empty: none
    std::string map;
    bool strict = false;
    ChoiceOptions choices;
    LayoutOverrideOptions layoutOverride;
    OpeningOptions opening;
    OutputOptions output;
};

/// A scale file beside dumps.
class Importing
{
public:
    Importing(const ImportOptions& options, ScaleFile file, const Reading& reading,
              TableOutput& table, Complaints& complaints)
        : m_options(options),
          m_file(std::move(file)),
          m_reading(reading),
          m_table(table),
          m_complaints(complaints),
          m_isKnown(m_file.entries.size())
    {
        if (!options.map.empty())
            m_map = deploy::readNameMap(options.map);
        if (!options.model.empty())
            m_model = model::ModelFile::read(options.model);
    }

    /// The entries that the dump has tensors for, and the tensors that the file lacks.
    void add(const DumpFile& dump)
    {
        std::vector<TensorInfo> tensors;
        for (const TensorInfo& tensor : dump.tensors())
            tensors.push_back(m_options.layoutOverride.applied(tensor));
        const Consumers consumers(tensors);
        const exchange::EntryNaming naming =
            m_model ? deploy::entryNaming(*m_model, deploy::tensorsOf(dump), m_map,
                                          m_reading.progress())
                    : exchange::EntryNaming{.map = m_map};
        std::vector<ImportedScale> rows = deploy::importedScales(m_file, tensors, naming);
        for (std::size_t index = 0; index < rows.size(); ++index) {
            if (index < m_isKnown.size() && !rows[index].tensor) {
                m_unknown.resize(m_isKnown.size());
                m_unknown[index] = std::move(rows[index]);
                continue;
            }
            if (index < m_isKnown.size())
                m_isKnown[index] = true;
            addRow(dump, consumers, rows[index]);
        }
    }

    /// The entries for which no dump had a tensor.
    void finish()
    {
        for (std::size_t index = 0; index < m_unknown.size(); ++index)
            if (!m_isKnown[index])
                write(m_unknown[index], {}, nullptr);
    }

    [[nodiscard]] bool hasErrors() const { return m_hasErrors; }

private:
    void addRow(const DumpFile& dump, const Consumers& consumers, ImportedScale& row)
    {
        std::vector<Outcome> outcomes;
        m_complaints.attempt([&] {
            if (row.entry)
                outcomes = weighed(dump, consumers, row);
        });
        const std::string& path = dump.identity().path;
        if (outcomes.empty())
            write(row, path, nullptr);
        for (const Outcome& outcome : outcomes)
            write(row, path, &outcome);
    }

    std::vector<Outcome> weighed(const DumpFile& dump, const Consumers& consumers,
                                 ImportedScale& row) const
    {
        const TensorInfo& tensor = *row.tensor;
        if (!tensor.isReadable())
            throw Error(Fault::Input, "{}:{}: {}", dump.identity().path, tensor.path,
                        tensor.unreadable.sentence);
        m_reading.at(dump.identity().path, tensor.path);
        const ValueSource source =
            heldIfSmall(dump.source(tensor, m_options.layoutOverride.batches),
                        AnalyseOptions{}.memoryBytes, m_reading.progress());
        TensorProfile profile = collectProfile(source, m_reading.progress());
        weigh(row, source, profile, m_reading.progress());
        if (m_options.choices.count() == 0)
            return {};
        const std::vector<Choice> choices = m_options.choices.choicesFor(tensor, consumers);
        std::vector<Outcome> outcomes =
            analyse(source, profile, choices,
                    {.effort = MetricEffort::None, .ask = m_reading.ask()}, m_reading.progress());
        std::erase_if(outcomes, [&](const Outcome& outcome) {
            if (!outcome.problem.empty())
                m_complaints.add(dump.identity().path + ":" + tensor.path + ": " +
                                 outcome.choice.calibrator + ": " + outcome.problem);
            return !outcome.problem.empty();
        });
        return outcomes;
    }

    void write(const ImportedScale& row, const std::string& dump, const Outcome* outcome)
    {
        m_hasErrors = m_hasErrors || highestLevel(row.lints) == FindingLevel::Error;
        m_table.row(importRow(m_file, row, dump, outcome));
    }

    const ImportOptions& m_options;
    ScaleFile m_file;
    const Reading& m_reading;
    TableOutput& m_table;
    Complaints& m_complaints;
    deploy::NameMap m_map;
    std::shared_ptr<const model::ModelFile> m_model;  ///< nullptr: none was given
    std::vector<bool> m_isKnown;                      ///< of entries: a dump has had the tensor
    std::vector<ImportedScale> m_unknown;             ///< of entries: where it had not
    bool m_hasErrors = false;
};

int runImport(ImportOptions& options, const Reading& reading)
{
    std::vector<std::string> inputs = options.dumps;
    inputs.insert(inputs.end(), {options.file, options.model, options.map});
    refuseOverwriting(options.output, inputs);
    const AskedFormat asked = askedFormat(options.from);
    if (options.choices.count() > 0)
        options.choices.resolve();
    TableOutput table(options.output, importColumns());
    ScaleFile file = exchange::readScaleFile(options.file, asked.id);
    for (const Finding& lint : headLints(file, asked.facts))
        warn(options.file + ": " + lint.text);
    Complaints complaints;
    Importing importing(options, std::move(file), reading, table, complaints);
    for (const std::string& path : options.dumps) {
        complaints.attempt([&] {
            const auto dump = reading.open(path, options.opening.dumpOptions());
            options.layoutOverride.check(*dump);
            importing.add(*dump);
        });
    }
    importing.finish();
    reading.ends();
    table.finish("the file has no entry, and the dumps no tensor");
    if (complaints.exitCode() != 0)
        return complaints.exitCode();
    return options.strict && importing.hasErrors() ? 1 : 0;
}

}  // namespace

Command importCommand()
{
    const auto options = std::make_shared<ImportOptions>();
    Command command{.name = "import",
                    .help = "Scales of another tool's file compared with the values of dumps, with "
                            "findings"};
    command.add({.names = "file",
                 .target = &options->file,
                 .help = "File of scales",
                 .type = "FILE",
                 .isRequired = true});
    command.add(requiredDumps(options->dumps));
    command.add({.names = "--from",
                 .target = &options->from,
                 .help = "Format of the file, where its contents are ambiguous: " + formatIds() +
                         "; with its parameters",
                 .type = "ID[:PARAMETER=VALUE,...]"});
    command.add({.names = "--onnx",
                 .target = &options->model,
                 .help = "Model whose names the file has",
                 .type = "MODEL"});
    command.add(mapOption(options->map));
    command.add({.names = "--strict",
                 .target = &options->strict,
                 .help = "Exit code 1 where a finding has the level error"});
    options->choices.declare(command);
    options->layoutOverride.declare(command);
    options->opening.declare(command);
    options->output.declare(command);
    command.run = underGuard(options, runImport);
    return command;
}

}  // namespace calibscope::cli
