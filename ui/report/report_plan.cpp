#include "ui/report/report_plan.h"

#include "core/report/html/file_names.h"
#include "ui/models/candidate_style.h"
#include "ui/report/report_pictures.h"

#include <algorithm>
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

}  // namespace

std::vector<PlannedTensor> planTensors(std::span<const protocol::DumpOpened> dumps,
                                       std::span<const Recipe> recipes)
{
    FileNames names;
    std::vector<PlannedTensor> list;
    for (std::size_t source = 0; source < dumps.size(); ++source) {
        const Consumers consumers(dumps[source].tensors);
        for (std::size_t tensor = 0; tensor < dumps[source].tensors.size(); ++tensor) {
            PlannedTensor planned{.source = source, .info = dumps[source].tensors[tensor]};
            planned.fileName = names.next(planned.info.name);
            planned.request = {.path = dumps[source].identity.path,
                               .tensor = tensor,
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
        const SeriesStyle style = candidateStyle(candidate.label, colors);
        part.results.push_back({.label = candidate.label,
                                .recipes = candidate.recipes,
                                .color = style.color.name().toStdString(),
                                .outcome = *outcome});
    }
    return part;
}

}  // namespace calibscope
