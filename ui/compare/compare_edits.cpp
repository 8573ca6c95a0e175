#include "ui/compare/compare_edits.h"

#include "ui/dump_requests.h"

#include <QCoreApplication>
#include <QFileInfo>

#include <utility>

namespace calibscope {

namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("CompareEdits", text);
}

/// The same seen from B.
ComparedWith seenFromB(const ComparedWith& with, const std::string& pathOfA)
{
    ComparedWith other{.path = pathOfA, .pairs = {}, .mode = with.mode};
    for (const auto& [a, b] : with.pairs)
        other.pairs.emplace(b, a);
    return other;
}

}  // namespace

void compareWith(Session& session, const QString& path)
{
    const QString whole = path.isEmpty() ? QString() : QFileInfo(path).absoluteFilePath();
    session.change(whole.isEmpty() ? tr("Close the second dump")
                                   : tr("Compare with %1").arg(QFileInfo(whole).fileName()),
                   [&whole](Workbench& workbench) {
                       if (workbench.compared.path != whole.toStdString())
                           workbench.compared = {.path = whole.toStdString(),
                                                 .pairs = {},
                                                 .mode = workbench.compared.mode};
                   });
}

void setCompareMode(Session& session, CompareMode mode)
{
    session.change(tr("Show two dumps otherwise"),
                   [mode](Workbench& workbench) { workbench.compared.mode = mode; });
}

void matchByHand(Session& session, const std::string& a, const std::string& b)
{
    session.change(b.empty() ? tr("No match by hand") : tr("Match by hand"),
                   [&](Workbench& workbench) {
                       auto& pairs = workbench.compared.pairs;
                       std::erase_if(pairs, [&b](const auto& pair) { return pair.second == b; });
                       if (b.empty())
                           pairs.erase(a);
                       else
                           pairs[a] = b;
                   });
}

void swapDumps(Comparison& comparison)
{
    Session& session = comparison.session();
    const Workbench before = session.workbench();
    if (before.compared.path.empty() || session.dumpState() != Session::DumpState::Open)
        return;
    const int counterpart = comparison.lookedAtB();
    const int next = counterpart >= 0 ? counterpart : firstToShow(comparison.tensors());
    const std::string tensor =
        next < 0 ? std::string() : comparison.tensors().at(static_cast<std::size_t>(next)).path;
    const ComparedWith swapped = seenFromB(before.compared, session.path().toStdString());
    session.open(QString::fromStdString(before.compared.path),
                 {.allowExternal = false, .tensor = QString::fromStdString(tensor)});
    session.change(tr("Swap"), [&](Workbench& workbench) {
        workbench = before;
        workbench.compared = swapped;
    });
}

}  // namespace calibscope
