// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/calib/decision_input.h"

#include "core/base/error.h"

#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace calibscope::cli {

namespace {

/// Warns of weights without scales of groups, where these were given for all choices.
void warnOfLostGroups(const DumpFile& dump, const Granularity& given, deploy::Decisions& decisions)
{
    if (!given.isGroup())
        return;
    std::vector<std::string> lost;
    for (const DecidedTensor& decided : decisions.tensors)
        if (decided.info.role == Role::Weight && !decided.outcome.choice.granularity.isGroup())
            lost.push_back(decided.info.path);
    if (!lost.empty())
        decisions.warnings.push_back(fmt::format(
            "{}: {} of the weights have no whole groups of {} along one axis and get one "
            "scale per channel: {}",
            dump.identity().path, lost.size(), given.columns, fmt::join(lost, ", ")));
}

}  // namespace

void DecisionInput::declare(Command& command)
{
    command.add(sessionOption(m_session));
    command.add({.names = "--scales",
                 .target = &m_scales,
                 .help = "Scales that calib scales --format json wrote, with --rows channel where "
                         "there is a scale for each channel",
                 .type = "FILE"});
    m_choices.declare(command);
    m_layoutOverride.declare(command);
}

void DecisionInput::resolve(const std::vector<std::string>& dumps)
{
    const int sources =
        (m_session.empty() ? 0 : 1) + (m_scales.empty() ? 0 : 1) + (m_choices.isGiven() ? 1 : 0);
    if (sources > 1 || m_choices.count() > 1)
        throw Error(Fault::Usage,
                    "give one of --session, --scales, --recipe, --recipe-file, --preset and "
                    "--calibrator; several of the last four are for calib improve --ladder");
    if (sources != 1 || (m_choices.isGiven() && m_choices.count() != 1))
        throw Error(Fault::Usage, "no scales: give one of --session, --scales, --recipe, "
                                  "--recipe-file, --preset and --calibrator");
    if (!m_session.empty() && m_layoutOverride.isGiven())
        throw Error(Fault::Usage, "--session already defines layouts; remove --layout, --type, "
                                  "--treat-as, and the options of axes and batches");
    if (!m_session.empty()) {
        m_sessionDumps = deploy::readSessionDecisions(m_session);
    } else if (!m_scales.empty()) {
        m_written =
            deploy::partedByDump(deploy::readScalesJson(m_scales), dumps, m_scales, m_problems);
    } else {
        m_choices.resolve();
    }
}

std::vector<DecisionInput> DecisionInput::candidates() const
{
    std::vector<ChoiceOptions> choices = m_choices.each();
    const bool isAnyGiven = !m_session.empty() || !m_scales.empty() || m_choices.isGiven();
    if (!isAnyGiven)
        for (const char* id : {"tflite-int8", "qualcomm-percentile", "qualcomm-mse"})
            choices.push_back(ChoiceOptions::ofRecipe(id));
    if (choices.empty() || !m_session.empty() || !m_scales.empty())
        return {*this};
    std::vector<DecisionInput> candidates;
    for (ChoiceOptions& choice : choices)
        candidates.emplace_back(*this).m_choices = std::move(choice);
    return candidates;
}

std::string DecisionInput::text() const
{
    return m_choices.text();
}

deploy::Decisions DecisionInput::decidedByChoices(const DumpFile& dump,
                                                  const deploy::DecisionOptions& options) const
{
    const Consumers consumers(dump.tensors());
    deploy::Decisions decisions = deploy::decidedBy(
        dump,
        [&](const TensorInfo& tensor) -> std::optional<Choice> {
            if (tensor.isBeside || tensor.role == Role::Bias)
                return std::nullopt;
            std::vector<Choice> choices = m_choices.choicesFor(tensor, consumers);
            return choices.empty() ? std::nullopt : std::optional(std::move(choices.front()));
        },
        options);
    warnOfLostGroups(dump, m_choices.granularity(), decisions);
    return decisions;
}

deploy::Decisions
DecisionInput::decidedOn(const DumpFile& dump, std::size_t place, MetricEffort effort,
                         const Reading& reading,
                         const std::function<bool(const TensorInfo&)>& wants) const
{
    m_layoutOverride.check(dump);
    const deploy::DecisionOptions options{
        .effort = effort,
        .understood = [this](const TensorInfo& tensor) { return m_layoutOverride.applied(tensor); },
        .wants = wants,
        .firstBatches = m_layoutOverride.batches,
        .begins = [&](const TensorInfo& tensor) { reading.at(dump.identity().path, tensor.path); },
        .progress = reading.progress(),
        .ask = reading.ask()};
    if (!m_session.empty())
        return deploy::decidedBy(dump, m_sessionDumps, m_session, options);
    if (!m_scales.empty())
        return deploy::decidedBy(dump, m_written.at(place), m_scales, options);
    return decidedByChoices(dump, options);
}

std::vector<std::string> DecisionInput::files() const
{
    std::vector<std::string> paths;
    for (const std::string& path : {m_session, m_scales})
        if (!path.empty())
            paths.push_back(path);
    return paths;
}

void reportDoubts(const deploy::Decisions& decisions, Complaints& complaints)
{
    complaints.add(decisions.problems);
    for (const std::string& warning : decisions.warnings)
        warn(warning);
}

}  // namespace calibscope::cli
