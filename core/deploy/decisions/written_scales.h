// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/deploy/decisions/decisions.h"
#include "core/recipes/outcome.h"
#include "core/tensor/tensor_info.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace calibscope::deploy {

/// An outcome in the JSON of `calib scales`.
struct WrittenScales
{
    std::string file;  ///< as written; empty: not stated
    std::string tensor;
    std::optional<Role> role;
    std::size_t index = 0;  ///< among the outcomes
    Choice choice;
    std::optional<ScaleRow> whole;   ///< nothing: channels alone are written
    std::vector<ScaleRow> channels;  ///< in order; empty: none are written
    bool isPerChannel = false;
};

/// The outcomes of such a text, in its order. Scales, zero points and ends are taken as they are
/// written; levels follow from scheme, bits and settings, and, where the settings let unsigned
/// data be unsigned, from min and max. An outcome needs tensor, scheme, bits, scale and zero_point,
/// the latter two in its object `channels` of lists instead where each channel has them, or each row
/// or group that `granularity` names; file, role, calibrator, settings, recipe, preset, low, high, threshold, min, max, metrics and notes are used
/// where they are there, other members are left alone. A calibrator that this program does not know
/// keeps its name. Throws Error(Input) that names `origin` and the outcome for what is no such
/// text, a CSV with the way to write one, and for values and lists that do not fit.
[[nodiscard]] std::vector<WrittenScales> scalesFromJson(std::string_view json,
                                                        const std::string& origin);

/// The same of a file. Throws Error(Input) also for one of more than 256 MiB, and for what is no
/// regular file.
[[nodiscard]] std::vector<WrittenScales> readScalesJson(const std::string& path);

/// Which of these outcomes are of which dump: those without a file of every one; those with one of
/// the dump of that path, else of the dumps of that file name. Sentences of files that are not a dump
/// here go to `problems`.
[[nodiscard]] std::vector<std::vector<WrittenScales>>
partedByDump(const std::vector<WrittenScales>& written, const std::vector<std::string>& dumpPaths,
             const std::string& origin, std::vector<std::string>& problems);

/// Puts them together with the dump's tensors, without reading values. A problem is: a tensor that
/// the dump does not have, or twice under that name; several outcomes of one tensor, of which none
/// is taken; a scale for each channel of which none are written or not as many as the tensor has
/// channels.
[[nodiscard]] Decisions decidedBy(const DumpFile& dump, const std::vector<WrittenScales>& written,
                                  const std::string& origin, const DecisionOptions& options = {});

}  // namespace calibscope::deploy
