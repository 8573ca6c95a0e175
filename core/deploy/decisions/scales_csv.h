// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/deploy/decisions/decisions.h"
#include "core/recipes/outcome.h"
#include "core/tensor/tensor_info.h"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace calibscope::deploy {

/// A tensor of a CSV of `calib scales`.
struct TabledTensor
{
    std::string file;  ///< as written; empty: no such column
    std::string tensor;
    std::optional<Role> role;
    std::size_t line = 0;  ///< where its first row begins
    Choice choice;
    std::optional<ScaleRow> whole;               ///< the row of the tensor, or with channel `*`
    std::map<std::uint64_t, ScaleRow> channels;  ///< rows of channels
    bool isPerChannel = false;
    std::string problem;  ///< what contradicts in its rows; empty: nothing
};

/// The tensors of such a text, in its order. Scales, zero points and ends are taken as they are
/// written; levels follow from scheme, bits and settings, and, where the settings let unsigned
/// data be unsigned, from min and max. Columns may be in any order: tensor, scheme, bits, scale and
/// zero_point are needed; file, role, channel, calibrator, settings, recipe, preset, low, high,
/// threshold, min, max and notes are used where they are there, others are left alone. A calibrator
/// that this program does not know keeps its name. Throws Error(Input) that names `origin` and the
/// line for what is no such table, and for values that are none.
[[nodiscard]] std::vector<TabledTensor> scalesFromCsv(std::string_view csv,
                                                      const std::string& origin);

/// The same of a file. Throws Error(Input) also for one of more than 256 MiB, and for what is no
/// regular file.
[[nodiscard]] std::vector<TabledTensor> readScalesCsv(const std::string& path);

/// Which of these tensors are of which dump: those without a file of every one; those with one of
/// the dump of that path, else of the dumps of that file name. Sentences of files that are no dump
/// here go to `problems`.
[[nodiscard]] std::vector<std::vector<TabledTensor>>
partedByDump(const std::vector<TabledTensor>& written, const std::vector<std::string>& dumpPaths,
             const std::string& origin, std::vector<std::string>& problems);

/// Puts them together with the dump's tensors, without reading values. A problem is: a tensor that
/// the dump does not have, or twice under that name; rows of several choices; a scale for each
/// channel of which the rows are missing or not as many as the tensor has channels.
[[nodiscard]] Decisions decidedBy(const DumpFile& dump, const std::vector<TabledTensor>& written,
                                  const std::string& origin, const DecisionOptions& options = {});

}  // namespace calibscope::deploy
