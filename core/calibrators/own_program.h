// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/calibrators/calibrator.h"

#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace calibscope {

/// Id of the calibrator that a program of the user's own answers for.
constexpr std::string_view programId = "program";

/// A question to a program.
struct ProgramQuestion
{
    std::string file;    ///< a name in the user's folder of programs, or an absolute path
    std::string sha256;  ///< of its content: 64 lower-case hexadecimal digits
    std::string line;    ///< without its end
    /// Hands over the values that follow the line, block by block; empty: none follow.
    std::function<void(const std::function<void(std::span<const float>)>& take)> values = {};
};

/// The line that the program answers, without its end. Throws Error(Usage) with the reason where
/// there is none. Needed since a process under guard starts no program. May be called by several
/// threads. Empty: no programs are run.
using AskProgram = std::function<std::string(const ProgramQuestion&)>;

/// The descriptor of that calibrator, which is no algorithm of Calibscope's and in no list. Its
/// settings name the program, the SHA-256 of its content, and whether it is given a histogram or the
/// values. Its `calibrate` asks nobody and throws; calibrateByProgram() asks.
[[nodiscard]] Calibrator ownProgram();

/// The program's answer. Questions and answers are lines of JSON:
/// resources/docs/own-calibrators.md. Tensors that are empty, all zero or only NaN get the answer of all
/// other calibrators, and the program is not asked. A malformed answer throws Error(Usage) with
/// the program's name.
[[nodiscard]] Calibration calibrateByProgram(const CalibratorInput& input,
                                             const TensorProfile& profile, const AskProgram& ask);

/// True for each id that calibrator() has.
[[nodiscard]] bool isCalibrator(std::string_view id);

/// The settings that a program's text declares: the first line with "calibscope:" among its
/// first 64 KiB, "# calibscope: input=values, bins=4096". Throws Error(Usage), naming `origin`, for
/// one that is not parameter=value, or sets what a program cannot choose.
[[nodiscard]] GivenSettings declaredSettings(std::string_view text, std::string_view origin);

/// "mine.py": the file's name without its folder, as it is shown.
[[nodiscard]] std::string programName(const Settings& settings);

}  // namespace calibscope
