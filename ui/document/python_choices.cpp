#include "ui/document/python_choices.h"

#include "core/report/html/tensor_snippets.h"
#include "ui/document/python_lines.h"
#include "ui/document/session.h"

#include <QCoreApplication>

namespace calibscope {

std::vector<PythonChoice> pythonChoices(const Session& session)
{
    const TensorInfo* tensor = session.selectedTensor();
    if (tensor == nullptr)
        return {};
    std::vector<PythonChoice> choices = {
        {QCoreApplication::translate("PythonChoices", "Read the values"),
         pythonLines(session.path(), *tensor)}};
    // A program for a part would need what is chosen of it.
    const protocol::TensorView* view = session.part().isWhole() ? session.reader().view() : nullptr;
    if (view == nullptr)
        return choices;
    report::ReportedTensor part{.profile = view->profile};
    for (const OutcomeRow& row : session.outcomeRows())
        if (row.isTicked && row.hasResult())
            part.results.push_back({.label = row.candidate.label, .outcome = *row.outcome});
    for (const report::Snippet& snippet :
         report::tensorSnippets(part, session.dump().identity.path, session.tensors()))
        choices.push_back(
            {QString::fromStdString(snippet.title), QString::fromStdString(snippet.code)});
    return choices;
}

}  // namespace calibscope
