// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/calib/reading.h"
#include "app/command_line.h"
#include "core/deploy/decisions/decisions.h"
#include "core/deploy/names/name_map.h"
#include "core/dump/dump_file.h"
#include "core/model/quantize_file.h"
#include "core/model/quantize_options.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace calibscope::cli {

/// --onnx and what goes with it, for the subcommand that writes a quantized model.
struct ModelOutputOptions
{
    std::string model;  ///< to be quantized; empty: no model is written
    std::string places = "layers";
    std::string activations = "int8";
    std::string bias = "float";
    std::string weightsTo = "auto";
    std::string target = "any";
    std::string weights = "dump";
    bool outputs = false;
    bool allowsChannelActivations = false;

    void declare(Command& command);
    [[nodiscard]] bool isGiven() const { return !model.empty(); }
    /// Throws Error(Usage) for options of the model without --onnx, and for unknown words.
    void check() const;
    [[nodiscard]] bool takesModelsWeights() const { return weights == "model"; }
    [[nodiscard]] model::QuantizeOptions quantizeOptions() const;
};

/// A dump with what was decided on it.
struct DecidedDump
{
    std::shared_ptr<const DumpFile> dump;
    deploy::Decisions decisions;
};

/// What a quantized model is made from, beside the model.
struct ModelSources
{
    std::vector<DecidedDump> dumps;
    deploy::NameMap map = {};
    std::string session = {};        ///< path of the session file; empty: none
    std::string improve = {};        ///< file of calib improve; empty: none
    std::string improvedFloat = {};  ///< where the improved model is written as float; empty: not
};

/// What a model would become: its decisions' names are looked for in it. Throws Error(Input) if
/// none of the tensors is in the graph, and as plannedFile().
[[nodiscard]] model::QuantizedFile plannedModel(const ModelOutputOptions& options,
                                                const ModelSources& sources,
                                                const Reading& reading);

/// Writes the quantized model. Throws Error as plannedModel() and quantizeFile(); then nothing was
/// written.
[[nodiscard]] model::QuantizedFile writtenModel(const ModelOutputOptions& options,
                                                const ModelSources& sources,
                                                const std::string& path, const Reading& reading);
/// The same, and says on stderr what was written, with all lints: of a rule that
/// is said of many tensors the first three in full, then how many more. Returns whether one of them
/// is an error.
bool writeQuantizedModel(const ModelOutputOptions& options, const ModelSources& sources,
                         const std::string& path, const Reading& reading);

}  // namespace calibscope::cli
