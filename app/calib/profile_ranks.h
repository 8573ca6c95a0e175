// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/calib/profile_files.h"
#include "core/spread/ranks.h"

namespace calibscope::cli {

/// A profile by several ranks, which all call this; rank 0 writes it. The exit code, of rank 0. A
/// run that was stopped is gone on with where the options say so.
[[nodiscard]] int runRanks(const ProfileOptions& options, const Reading& reading,
                           spread::Ranks& ranks);

/// Writes what came of all tensors, in their order, to the profile; the folder is empty then.
void writeFinished(const ProfileOptions& options, const ProfileFiles& files,
                   const class FinishedTensors& finished, const Reading& reading,
                   Complaints& complaints);
/// Why a tensor is left out at whose values a former run has crashed.
[[nodiscard]] std::string crashSentence(const ProfileFiles& files, std::size_t tensor);

}  // namespace calibscope::cli
