#include "ui/report/report_subject.h"

#include "ui/document/session.h"
#include "ui/models/candidate_style.h"
#include "ui/models/tensor_flags.h"

namespace calibscope {

namespace {

std::optional<report::ReportedTensor> sampleOf(const Session& session)
{
    const protocol::TensorView* view = session.reader().view();
    if (view == nullptr)
        return std::nullopt;
    report::ReportedTensor part{.profile = view->profile};
    for (const OutcomeRow& row : session.outcomeRows())
        if (row.hasResult() && !row.candidate.recipes.empty())
            part.results.push_back({.label = row.candidate.label,
                                    .recipes = row.candidate.recipes,
                                    .color = candidateStyle(row.candidate.label, lightChartColors())
                                                 .color.name()
                                                 .toStdString(),
                                    .outcome = *row.outcome});
    return part;
}

}  // namespace

ReportSubject reportSubject(const Session& session, const std::vector<int>& filtered)
{
    ReportSubject subject{.file = session.dump().identity.path,
                          .allowExternal = session.allowsExternal(),
                          .recipeTitle = QString::fromStdString(session.chosenRecipe().title),
                          .recipe = session.chosenRecipe().id,
                          .sample = sampleOf(session),
                          .source = {.identity = session.dump().identity}};
    const std::vector<TensorInfo>& tensors = session.tensors();
    for (std::size_t place = 0; place < tensors.size(); ++place) {
        const TensorInfo& tensor = tensors[place];
        if (!tensor.isReadable())
            continue;
        subject.all.push_back(tensor.path);
        subject.channelTensors += tensor.channelAxis ? 1U : 0U;
        if (tensorFlags(tensor, session.preview(static_cast<int>(place))).hasWarning())
            subject.flagged.push_back(tensor.path);
    }
    for (const int place : filtered)
        if (tensors[static_cast<std::size_t>(place)].isReadable())
            subject.filtered.push_back(tensors[static_cast<std::size_t>(place)].path);
    if (const TensorInfo* tensor = session.selectedTensor(); tensor && tensor->isReadable())
        subject.selected.push_back(tensor->path);
    return subject;
}

}  // namespace calibscope
