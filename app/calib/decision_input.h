// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/calib/choice_options.h"
#include "app/calib/command_output.h"
#include "app/calib/dump_options.h"
#include "app/calib/reading.h"
#include "app/command_line.h"
#include "core/deploy/decisions/decisions.h"
#include "core/deploy/decisions/session_decisions.h"
#include "core/deploy/decisions/written_scales.h"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace calibscope::cli {

/// Where decided tensors come from, for subcommands that write them for other programs: --session,
/// --scales, or one recipe, preset or calibrator for all tensors.
class DecisionInput
{
public:
    void declare(Command& command);

    /// Reads what is read before a dump is opened, and checks that the options name one source.
    /// `dumps` are the paths as given. Throws Error.
    void resolve(const std::vector<std::string>& dumps);

    /// Each given recipe, preset and calibrator as the only one; without any source of decisions,
    /// recipes of affine activations. Just this where another source or one of these is given.
    [[nodiscard]] std::vector<DecisionInput> candidates() const;
    /// The options that name a recipe, preset or calibrator: "--recipe qualcomm-mse".
    [[nodiscard]] std::string text() const;

    /// The decisions on the dump of that index among `dumps`, of all tensors or of those that are
    /// wanted. Throws Error as decidedBy().
    [[nodiscard]] deploy::Decisions
    decidedOn(const DumpFile& dump, std::size_t place, MetricEffort effort, const Reading& reading,
              const std::function<bool(const TensorInfo&)>& wants = {}) const;

    /// Problems of the scales file other than those of its outcomes, as sentences.
    [[nodiscard]] const std::vector<std::string>& problems() const { return m_problems; }

    [[nodiscard]] const ChoiceOptions& choices() const { return m_choices; }
    /// The session file that was given; empty: none.
    [[nodiscard]] const std::string& session() const { return m_session; }
    /// The files that are read beside the dumps, which no output may replace.
    [[nodiscard]] std::vector<std::string> files() const;

private:
    [[nodiscard]] deploy::Decisions decidedByChoices(const DumpFile& dump,
                                                     const deploy::DecisionOptions& options) const;

    std::string m_session;
    std::string m_scales;
    ChoiceOptions m_choices;
    LayoutOverrideOptions m_layoutOverride;
    std::vector<deploy::SessionDecisions> m_sessionDumps;
    std::vector<std::vector<deploy::WrittenScales>> m_written;  ///< by index of the dump
    std::vector<std::string> m_problems;
};

/// Complains of what could not be decided, and warns of what gives reason to doubt the rest.
void reportDoubts(const deploy::Decisions& decisions, Complaints& complaints);

}  // namespace calibscope::cli
