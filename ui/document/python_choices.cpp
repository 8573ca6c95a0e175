// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/python_choices.h"

#include "core/report/html/tensor_snippets.h"
#include "ui/document/document.h"
#include "ui/document/questions.h"
#include "ui/queries/addresses.h"

#include <QCoreApplication>

namespace calibscope {

namespace {

/// A Python string: ordinary unless the text has marks that mean something there.
QString quoted(QString text)
{
    text.replace(u'\\', QStringLiteral("\\\\")).replace(u'"', QStringLiteral("\\\""));
    return u'"' + text + u'"';
}

}  // namespace

QString pythonLines(const QString& file, const TensorInfo& tensor)
{
    QString read;
    if (tensor.parts.empty()) {
        read = QStringLiteral("values = dump[%1][()]")
                   .arg(quoted(QString::fromStdString(tensor.path)));
    } else {
        QStringList parts;
        for (const std::string& part : tensor.parts)
            parts += quoted(QString::fromStdString(part));
        read = QStringLiteral("values = numpy.concatenate([dump[part][()] for part in [%1]])")
                   .arg(parts.join(QStringLiteral(", ")));
    }
    const QString imports = tensor.parts.empty() ? QStringLiteral("import h5py\n")
                                                 : QStringLiteral("import h5py\nimport numpy\n");
    return imports +
           QStringLiteral("\nwith h5py.File(%1) as dump:\n    %2\n").arg(quoted(file), read);
}

std::vector<PythonChoice> pythonChoices(const Document& document)
{
    const TensorInfo* tensor = document.selectedTensor();
    if (tensor == nullptr)
        return {};
    std::vector<PythonChoice> choices = {
        {QCoreApplication::translate("PythonChoices", "Read the values"),
         pythonLines(pathThere(document.path()), *tensor)}};
    // A program for a part would need what is chosen of it.
    const protocol::TensorView* view =
        document.questions().part().isWhole() ? document.questions().reader().result() : nullptr;
    if (view == nullptr)
        return choices;
    report::ReportedTensor part{.profile = view->profile};
    for (const OutcomeRow& row : document.questions().rows())
        if (row.isTicked && row.hasResult())
            part.results.push_back({.label = row.candidate.label, .outcome = *row.outcome});
    for (const report::Snippet& snippet :
         report::tensorSnippets(part, pathThere(document.path()).toStdString(), document.tensors()))
        choices.push_back(
            {QString::fromStdString(snippet.title), QString::fromStdString(snippet.code)});
    return choices;
}

}  // namespace calibscope
