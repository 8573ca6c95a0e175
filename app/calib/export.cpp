// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/calib/command_output.h"
#include "app/calib/decision_input.h"
#include "app/calib/dump_options.h"
#include "app/calib/format_options.h"
#include "app/calib/subcommands.h"
#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/collect/collect_profile.h"
#include "core/deploy/export_scales.h"
#include "core/deploy/names/dump_names.h"
#include "core/deploy/names/layer_rows.h"
#include "core/dump/dump_file.h"
#include "core/exchange/from_outcome.h"
#include "core/model/model_file.h"
#include "core/report/tables/output.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace calibscope::cli {

namespace {

struct ExportOptions
{
    std::vector<std::string> dumps;
    std::string format;
    std::string model;  ///< whose names are written; empty: none
    std::string map;
    DecisionInput decisions;
    OpeningOptions opening;
    OutputOptions output;
};

/// Decided tensors as entries of one file.
class Exporting
{
public:
    Exporting(const ExportOptions& options, const AskedFormat& asked, const Reading& reading)
        : m_options(options), m_format(exchange::exchangeFormat(asked.id)), m_reading(reading)
    {
        m_file.facts = {asked.facts.begin(), asked.facts.end()};
        if (!options.map.empty())
            m_map = deploy::readNameMap(options.map);
        if (!options.model.empty())
            m_model = model::ModelFile::read(options.model);
    }

    void add(const DumpFile& dump, std::size_t place, Complaints& complaints)
    {
        deploy::Decisions decided =
            m_options.decisions.decidedOn(dump, place, MetricEffort::None, m_reading);
        reportDoubts(decided, complaints);
        const std::vector<std::string> names = name(dump, decided.tensors, complaints);
        if (m_format.isByLayer)
            keep(dump, decided.tensors, names);
        else
            for (const DecidedTensor& tensor : decided.tensors)
                add(dump, tensor);
    }

    [[nodiscard]] std::string bytes(Complaints& complaints)
    {
        if (m_format.isByLayer)
            addLayers(complaints);
        if (m_hasOwnNames)
            warn("names are the dump's, which may differ from the model's; a model supplies these "
                 "(--onnx, --map)");
        if (m_left > 0)
            warn(countText(m_left, "decided tensor is", "decided tensors are") +
                 " left out: " + std::string(m_format.title) + " has " +
                 (m_format.isByLayer    ? "inputs and weights of Conv, Gemm and MatMul alone"
                  : m_format.hasWeights ? "no such tensors"
                                        : "no weights"));
        return scaleFileBytes(m_format, m_file);
    }

private:
    /// Gives tensors the names that the model has for them. Where a model is given, one that it
    /// does not have is left out. Returns the names in its main graph of all that the dump has.
    std::vector<std::string> name(const DumpFile& dump, std::vector<DecidedTensor>& tensors,
                                  Complaints& complaints)
    {
        if (!m_model) {
            deploy::nameAsRecorded(tensors, m_map);
            m_hasOwnNames = !m_format.isByLayer &&
                            (m_hasOwnNames || std::ranges::any_of(tensors, &std::string::empty,
                                                                  &DecidedTensor::graphName));
            return {};
        }
        const std::vector<deploy::GraphName> names =
            deploy::namesIn(*m_model, deploy::tensorsOf(dump), m_map, false, m_reading.progress());
        deploy::nameAsFound(tensors, dump, names, *m_model);
        std::erase_if(tensors, [&](const DecidedTensor& tensor) {
            const bool isMissing =
                tensor.graphName.empty() && deploy::hasRole(m_format, tensor.info.role);
            const auto place = dump.find(tensor.info.path);
            if (isMissing)
                complaints.add(dump.identity().path + ":" + tensor.info.path + ": " +
                               (place ? names.at(*place).reason : "is not in the model"));
            return isMissing;
        });
        return deploy::mainGraphNames(names, *m_model);
    }

    /// For rows that take more than one tensor, perhaps of several dumps.
    void keep(const DumpFile& dump, std::vector<DecidedTensor>& decided,
              std::span<const std::string> names)
    {
        std::map<std::string, DecidedTensor*> byPath;
        for (DecidedTensor& tensor : decided)
            byPath.emplace(tensor.info.path, &tensor);
        for (const TensorInfo& recorded : dump.tensors()) {
            TensorInfo& tensor = m_tensors.emplace_back(recorded);
            for (const std::string* key : {&tensor.path, &tensor.name})
                if (const auto given = m_map.find(*key); given != m_map.end())
                    tensor.graphName = given->second;
            const auto own = byPath.find(recorded.path);
            m_decided.push_back(own == byPath.end() ? std::nullopt
                                                    : std::optional(std::move(*own->second)));
        }
        m_names.insert(m_names.end(), names.begin(), names.end());
    }

    void addLayers(Complaints& complaints)
    {
        std::vector<const DecidedTensor*> decided;
        for (const std::optional<DecidedTensor>& tensor : m_decided)
            decided.push_back(tensor ? &*tensor : nullptr);
        deploy::ExportedLayers layers = deploy::exportedLayers(
            m_model ? deploy::tensorsInGraph(m_tensors, m_names, *m_model) : m_tensors, decided);
        for (const auto& [tensor, problem] : layers.problems)
            complaints.add(placeOf(*decided[tensor]) + ": has no row: " + problem);
        for (const std::string& warning : layers.warnings)
            warn(warning);
        for (deploy::ExportedLayers::Row& row : layers.rows)
            add(std::move(row.entry), placeOf(*decided[row.tensor]));
        m_left = layers.left;
        m_hasOwnNames = layers.hasOwnNames;
    }

    [[nodiscard]] static std::string placeOf(const DecidedTensor& tensor)
    {
        return tensor.file + ":" + tensor.info.path;
    }

    void add(const DumpFile& dump, const DecidedTensor& tensor)
    {
        if (!deploy::hasRole(m_format, tensor.info.role)) {
            ++m_left;
            return;
        }
        exchange::ScaleEntry entry = deploy::exportedEntry(tensor);
        if (m_format.needsCounts) {
            m_reading.at(dump.identity().path, tensor.info.path);
            const TensorProfile profile =
                collectProfile(dump.source(tensor.info), m_reading.progress());
            entry.counts = exchange::countsOver(profile.sketch, entry.values.front().range,
                                                deploy::exportedBins);
        }
        add(std::move(entry), placeOf(tensor));
    }

    void add(exchange::ScaleEntry entry, const std::string& place)
    {
        const auto [former, isNew] = m_places.emplace(entry.name, place);
        if (!isNew)
            throw Error(Fault::Usage, "{}: names two tensors, {} and {}; leave one of them out",
                        entry.name, former->second, place);
        for (const std::string& warning : deploy::exportWarnings(m_format, entry))
            warn(place + ": " + warning);
        m_file.entries.push_back(std::move(entry));
    }

    const ExportOptions& m_options;
    const exchange::ExchangeFormat& m_format;
    const Reading& m_reading;
    deploy::NameMap m_map;
    std::shared_ptr<const model::ModelFile> m_model;  ///< nullptr: none was given
    bool m_hasOwnNames = false;                       ///< some names are those of the dump
    exchange::ScaleFile m_file;
    std::map<std::string, std::string> m_places;  ///< of tensors by the names of their entries
    std::vector<TensorInfo> m_tensors;  ///< of all dumps, where entries are those of layers
    std::vector<std::optional<DecidedTensor>> m_decided;  ///< for each of them
    std::vector<std::string> m_names;                     ///< likewise, in the main graph
    std::size_t m_left = 0;  ///< of roles that the format does not have
};

int runExport(ExportOptions& options, const Reading& reading)
{
    const AskedFormat asked = askedFormat(options.format);
    options.decisions.resolve(options.dumps);
    std::vector<std::string> inputs = options.decisions.files();
    inputs.insert(inputs.end(), {options.model, options.map});
    inputs.insert(inputs.end(), options.dumps.begin(), options.dumps.end());
    refuseOverwriting(options.output, inputs);
    Complaints complaints;
    complaints.add(options.decisions.problems());
    Exporting exporting(options, asked, reading);
    for (std::size_t place = 0; place < options.dumps.size(); ++place) {
        complaints.attempt([&] {
            const auto dump = reading.open(options.dumps[place], options.opening.dumpOptions());
            exporting.add(*dump, place, complaints);
        });
    }
    const std::string bytes = exporting.bytes(complaints);
    reading.ends();
    writeOutput(options.output.path, bytes);
    return complaints.exitCode();
}

}  // namespace

Command exportCommand()
{
    const auto options = std::make_shared<ExportOptions>();
    Command command{.name = "export",
                    .help = "Scales that were decided, as a file that another tool reads"};
    command.add(requiredDumps(options->dumps));
    command.add({.names = "--format",
                 .target = &options->format,
                 .help = "Format of the file: " + formatIds(),
                 .type = "ID[:PARAMETER=VALUE,...]",
                 .isRequired = true});
    command.add({.names = "--onnx",
                 .target = &options->model,
                 .help = "Model whose names are to be written",
                 .type = "MODEL"});
    command.add(mapOption(options->map));
    options->decisions.declare(command);
    options->opening.declare(command);
    options->output.declarePath(command);
    command.run = underGuard(options, runExport);
    return command;
}

}  // namespace calibscope::cli
