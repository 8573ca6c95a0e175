// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/compare_edits.h"

#include "ui/queries/dump_requests.h"
#include "ui/theme/translate.h"

#include "ui/queries/addresses.h"

#include <QFileInfo>

#include <utility>

namespace calibscope {

namespace {

/// The same seen from B.
ComparedWith seenFromB(const ComparedWith& with, const std::string& pathOfA)
{
    ComparedWith other{.path = pathOfA, .pairs = {}, .mode = with.mode};
    for (const auto& [a, b] : with.pairs)
        other.pairs.emplace(b, a);
    return other;
}

/// B, which the window does not know yet, with what was decided on A.
HeldDump newBeside(const Workbench& workbenchOfA, const QString& path)
{
    HeldDump dump{.path = path,
                  .identity = {},
                  .allowsExternal = false,
                  .selected = {},
                  .workbench = workbenchOfA,
                  .history = {}};
    dump.workbench.compared = {};
    return dump;
}

/// B's tensor that is looked at, else the first; its path.
std::string tensorToShow(const Comparison& comparison)
{
    const int looked = comparison.lookedAtB();
    const int place = looked >= 0 ? looked : firstToShow(comparison.tensors());
    return place < 0 ? std::string()
                     : comparison.tensors().at(static_cast<std::size_t>(place)).path;
}

}  // namespace

void compareWith(Document& document, const QString& path)
{
    const QString whole = path.isEmpty() ? QString() : wholePath(path);
    document.change(whole.isEmpty() ? tr("Close the second dump")
                                    : tr("Compare with %1").arg(QFileInfo(whole).fileName()),
                    [&whole](Workbench& workbench) {
                        if (workbench.compared.path != whole.toStdString())
                            workbench.compared = {.path = whole.toStdString(),
                                                  .pairs = {},
                                                  .mode = workbench.compared.mode};
                    });
}

void setCompareMode(Document& document, CompareMode mode)
{
    document.change(tr("Change comparison mode"),
                    [mode](Workbench& workbench) { workbench.compared.mode = mode; });
}

void matchManually(Document& document, const std::string& a, const std::string& b)
{
    document.change(b.empty() ? tr("Remove manual match") : tr("Match manually"),
                    [&](Workbench& workbench) {
                        auto& pairs = workbench.compared.pairs;
                        std::erase_if(pairs, [&b](const auto& pair) { return pair.second == b; });
                        if (b.empty())
                            pairs.erase(a);
                        else
                            pairs[a] = b;
                    });
}

void swapDumps(const Comparison& comparison, WindowDumps& dumps)
{
    const Document& document = comparison.document();
    const Workbench& now = document.workbench();
    if (now.compared.path.empty() || document.dumpState() != Document::DumpState::Open)
        return;
    const QString path = comparison.path();
    HeldDump next = dumps.held(path).value_or(newBeside(now, path));
    const Workbench before = next.workbench;
    if (const std::string tensor = tensorToShow(comparison); !tensor.empty())
        next.selected = tensor;
    next.workbench.compared = seenFromB(now.compared, document.path().toStdString());
    next.workbench.zooms = now.zooms;
    if (next.workbench != before)
        next.history.record(tr("Swap"), {}, before, next.workbench);
    dumps.openAs(next);
}

}  // namespace calibscope
