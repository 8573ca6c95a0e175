// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/calib/command_output.h"
#include "app/calib/decision_input.h"
#include "app/calib/dump_options.h"
#include "app/calib/reading.h"
#include "app/command_line.h"
#include "core/dump/dump_file.h"
#include "core/layers/layer_errors.h"
#include "core/model/model_file.h"
#include "core/recipes/decided_tensor.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace calibscope::cli {

/// Dumps with their decisions, and which layers and positions are computed: for the subcommands that
/// compute layers.
struct LayerInput
{
    std::vector<std::string> files;
    DecisionInput decisions;
    std::string model;  ///< supplies the operators; empty: the dump does
    std::string map;
    std::vector<std::string> layers;
    std::uint64_t positions = 4096;
    std::uint64_t seed = 1;
    bool exact = false;
    bool decides = true;           ///< it takes decisions; else they are not asked for
    bool computesOutputs = false;  ///< of layers whose operands alone are in the dump, by the model
    std::uint64_t jobs = 0;        ///< threads; 0: as many as there are processors
    OpeningOptions opening;

    /// All but the options of threads.
    void declare(Command& command);
    /// Checks the options that need no dump, and reads what is read before one is opened. Throws
    /// Error.
    void resolve(const OutputOptions& output);
    [[nodiscard]] std::uint64_t positionsOfLayer() const { return exact ? 0 : positions; }
};

/// One dump with its decisions.
struct DecidedLayers
{
    std::shared_ptr<const DumpFile> dump;
    std::vector<TensorInfo> tensors;                ///< with their operators
    std::shared_ptr<const model::ModelFile> model;  ///< that supplied these; none: the dump
    std::vector<DecidedTensor> decided;
    layers::LayerOptions options;

    /// The dump with these tensors; `this` must outlive it.
    [[nodiscard]] layers::LayerDump asLayers() const;
};

/// Those of the names that no layer of the dump of that index has, with the operators of the model
/// if one is given.
[[nodiscard]] std::vector<std::string> missingLayers(const LayerInput& input, std::size_t index,
                                                     const std::vector<std::string>& names,
                                                     const Reading& reading);

/// The dump of that index with the operators of the model if one is given, nothing decided;
/// complains of layers that are not there.
[[nodiscard]] DecidedLayers undecidedLayers(const LayerInput& input, std::size_t index,
                                            const Reading& reading, Complaints& complaints);

/// The dump of that index with the operators of the model if one is given, and the decisions on its
/// layers' operands; complains of what could not be decided, and of layers that are not there.
[[nodiscard]] DecidedLayers decidedLayers(const LayerInput& input, std::size_t index,
                                          const Reading& reading, Complaints& complaints);

}  // namespace calibscope::cli
