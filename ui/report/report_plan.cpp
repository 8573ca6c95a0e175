// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/report_plan.h"

#include "core/base/error.h"
#include "core/report/html/output_folder.h"
#include "core/tensor/tensor_selection.h"
#include "ui/models/candidate_style.h"
#include "ui/models/tensor_filter.h"
#include "ui/models/tensor_flags.h"
#include "ui/report/report_pictures.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace calibscope {

namespace {

void planChoices(PlannedTensor& planned, const Consumers& consumers,
                 std::span<const Recipe> recipes)
{
    for (const Recipe& recipe : recipes)
        if (std::optional<Choice> choice = choose(recipe, planned.info, consumers))
            planned.request.choices.push_back(std::move(*choice));
    planned.candidates = candidatesFor(planned.info, consumers, recipes);
    std::erase_if(planned.candidates,
                  [](const Candidate& candidate) { return candidate.recipes.empty(); });
}

/// Source and place in its list.
using TensorPlace = std::pair<std::size_t, std::size_t>;

/// The tensors that a pattern means. Throws where no dump has one.
void addNamed(std::set<TensorPlace>& named, const std::vector<protocol::DumpOpened>& dumps,
              const std::string& pattern)
{
    std::optional<Error> complaint;
    bool isFound = false;
    for (std::size_t source = 0; source < dumps.size(); ++source) {
        try {
            const std::vector<std::string> one = {pattern};
            for (const std::size_t tensor : selectTensors(dumps[source].tensors, one))
                named.emplace(source, tensor);
            isFound = true;
        } catch (const Error& error) {
            complaint = error;
        }
    }
    if (!isFound && complaint)
        throw Error(*complaint);
}

/// What the best of the report's calibrators has over the first recipe's choice, in dB.
std::optional<double> gainOf(const PlannedTensor& planned, EngineCalls& calls)
{
    protocol::ViewRequest request = planned.request;
    request.histograms.clear();
    const Answer<protocol::TensorView> answer = calls.view(request);
    if (!answer.value || answer.value->outcomes.empty())
        return std::nullopt;
    const std::vector<Outcome>& outcomes = answer.value->outcomes;
    const auto sqnrOf = [](const Outcome& outcome) {
        const std::optional<double> sqnr =
            outcome.problem.empty() ? outcome.whole.metric("sqnr_db") : std::nullopt;
        return sqnr && std::isfinite(*sqnr) ? sqnr : std::nullopt;
    };
    const std::optional<double> own = sqnrOf(outcomes.front());
    std::optional<double> gain;
    for (const Outcome& outcome : outcomes)
        if (const std::optional<double> sqnr = sqnrOf(outcome); own && sqnr)
            gain = std::max(gain.value_or(0.0), *sqnr - *own);
    return gain;
}

bool matches(const TensorFilter& filter, const PlannedTensor& planned, EngineCalls& calls)
{
    const bool isReadable = planned.info.isReadable();
    if (!filter.needsPreviews())
        return filter.matches({.tensor = planned.info, .isReadable = isReadable});
    std::optional<protocol::Preview> preview;
    std::optional<double> gain;
    if (isReadable) {
        const protocol::ViewRequest& view = planned.request;
        protocol::PreviewRequest request{.tensor = view.tensor, .choice = {}};
        if (!view.choices.empty())
            request.choice = view.choices.front();
        preview = calls.preview(request).value;
        if (filter.needsGains())
            gain = gainOf(planned, calls);
    }
    const protocol::Preview* known = preview ? &*preview : nullptr;
    const TensorFlags flags = tensorFlags(planned.info, known);
    return filter.matches({.tensor = planned.info,
                           .preview = known,
                           .isReadable = isReadable,
                           .isFlagged = flags.hasWarning(),
                           .flags = flags.letters,
                           .gainDb = gain});
}

}  // namespace

std::vector<PlannedTensor> planTensors(std::span<const protocol::DumpOpened> dumps,
                                       std::span<const Recipe> recipes)
{
    FileNames names;
    std::vector<PlannedTensor> list;
    for (std::size_t source = 0; source < dumps.size(); ++source) {
        const Consumers consumers(dumps[source].tensors);
        for (std::size_t tensor = 0; tensor < dumps[source].tensors.size(); ++tensor) {
            if (dumps[source].tensors[tensor].role == Role::Bias)
                continue;  // no recipe gives it a scale
            PlannedTensor planned{.source = source, .info = dumps[source].tensors[tensor]};
            planned.fileName = names.next(planned.info.name);
            planned.request = {.tensor = {.file = dumps[source].identity.path, .index = tensor},
                               .histograms = reportHistograms()};
            planChoices(planned, consumers, recipes);
            list.push_back(std::move(planned));
        }
    }
    return list;
}

std::string pageOf(const PlannedTensor& planned)
{
    return "tensor/" + planned.fileName + ".html";
}

std::string channelPageOf(const PlannedTensor& planned)
{
    return "channel/" + planned.fileName + ".html";
}

report::ReportedTensor partOf(const PlannedTensor& planned, const protocol::TensorView& view,
                              bool isDark)
{
    report::ReportedTensor part{.source = planned.source, .profile = view.profile};
    const ChartColors colors = isDark ? darkChartColors() : lightChartColors();
    for (const Candidate& candidate : planned.candidates) {
        const auto outcome =
            std::ranges::find(view.outcomes, candidate.recipes.front(),
                              [](const Outcome& found) { return found.choice.recipe; });
        if (outcome == view.outcomes.end())
            continue;
        const SeriesStyle style = candidateStyle(candidate.id, colors);
        part.results.push_back({.label = candidate.label,
                                .recipes = candidate.recipes,
                                .color = style.color.name().toStdString(),
                                .outcome = *outcome,
                                .id = candidate.id});
    }
    return part;
}

void keepScope(std::vector<PlannedTensor>& planned, const std::vector<protocol::DumpOpened>& dumps,
               const ReportOptions& options, EngineCalls& calls)
{
    const TensorFilter filter(options.filter);
    if (!filter.problem().empty())
        throw Error(Fault::Usage, "--filter " + options.filter + ": " + filter.problem());
    if (!filter.ofWindow().empty())
        throw Error(Fault::Usage, "--filter " + options.filter + ": " + filter.ofWindow() +
                                      " is known in the window alone; there its report can be of "
                                      "what the list's filter shows");
    std::set<TensorPlace> named;
    for (const std::string& pattern : options.tensors)
        addNamed(named, dumps, pattern);
    std::erase_if(planned, [&](const PlannedTensor& tensor) {
        return (!options.tensors.empty() &&
                !named.contains({tensor.source, tensor.request.tensor.index})) ||
               !matches(filter, tensor, calls);
    });
}

}  // namespace calibscope
