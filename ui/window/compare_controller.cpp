// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/compare_controller.h"

#include "core/tensor/container_kind.h"
#include "ui/document/compare_edits.h"
#include "ui/pages/compare/compare_page.h"
#include "ui/pages/compare/match_dialog.h"
#include "ui/pages/compare/match_panel.h"
#include "ui/panels/workspace_tabs.h"
#include "ui/queries/addresses.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QStackedWidget>

namespace calibscope {

namespace {

CompareMode after(CompareMode mode)
{
    switch (mode) {
    case CompareMode::Overlay: return CompareMode::SideBySide;
    case CompareMode::SideBySide: return CompareMode::Difference;
    case CompareMode::Difference: break;
    }
    return CompareMode::Overlay;
}

}  // namespace

CompareController::CompareController(Comparison& comparison, WindowDumps& dumps,
                                     WorkspaceTabs& pages)
    : m_comparison(comparison),
      m_document(comparison.document()),
      m_dumps(dumps),
      m_pages(pages),
      m_page(new ComparePage(comparison, &pages))
{
    pages.add(Workspace::Compare, m_page);
    connect(m_page, &ComparePage::openRequested, this, &CompareController::askForFile);
    connect(m_page, &ComparePage::swapRequested, this, &CompareController::swap);
}

void CompareController::addPairs(QStackedWidget& lists)
{
    m_pairs = new MatchPanel(m_comparison, &lists);
    m_lists = &lists;
    lists.addWidget(m_pairs);
    connect(&m_comparison, &Comparison::stateChanged, this, &CompareController::showList);
}

void CompareController::showList()
{
    const bool arePairs =
        m_comparison.state() != Comparison::State::None && m_pages.current() == Workspace::Compare;
    m_lists->setCurrentWidget(arePairs ? m_pairs : m_lists->widget(0));
    Q_EMIT listTitled(arePairs ? tr("Tensors of both dumps") : tr("Tensors"));
}

bool CompareController::step(int rows)
{
    if (m_lists->currentWidget() != m_pairs)
        return false;
    m_pairs->step(rows);
    return true;
}

bool CompareController::showNextWorst()
{
    if (m_lists->currentWidget() != m_pairs)
        return false;
    m_pairs->showNextWorst();
    return true;
}

bool CompareController::focusPairs()
{
    if (m_lists->currentWidget() != m_pairs)
        return false;
    m_pairs->focusList();
    return true;
}

void CompareController::askForFile()
{
    const QString known = m_comparison.path().isEmpty() ? m_document.path() : m_comparison.path();
    const QString path =
        QFileDialog::getOpenFileName(m_pages.window(), tr("Open second dump"), folderHere(known),
                                     tr("Dumps and models (%1);;All files (*)")
                                         .arg(QString::fromStdString(containerPatterns())));
    if (!path.isEmpty())
        open(path);
}

void CompareController::open(const QString& path)
{
    m_pairs->showWorstWhenRead();
    compareWith(m_document, path);
    if (m_document.dumpState() != Document::DumpState::Opening)
        return Q_EMIT pageWanted();
    // Behind what else happens when the dump is open: its summary is shown then.
    connect(&m_document, &Document::dumpChanged, this, &CompareController::pageWanted,
            static_cast<Qt::ConnectionType>(Qt::QueuedConnection | Qt::SingleShotConnection));
}

void CompareController::close()
{
    compareWith(m_document, {});
}

void CompareController::swap()
{
    swapDumps(m_comparison, m_dumps);
}

void CompareController::showNextMode()
{
    Q_EMIT pageWanted();
    setCompareMode(m_document, after(m_document.workbench().compared.mode));
}

void CompareController::askForMatch()
{
    calibscope::askForMatch(m_comparison, m_pages.window());
}

}  // namespace calibscope
