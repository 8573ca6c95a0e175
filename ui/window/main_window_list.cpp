// What the actions of MainWindow do to the list of tensors.
#include "ui/document/edits.h"
#include "ui/document/previews.h"
#include "ui/pages/summary/summary_page.h"
#include "ui/panels/tensor_panel.h"
#include "ui/window/main_window.h"

#include <QApplication>
#include <QClipboard>

namespace calibscope {

void MainWindow::connectListActions()
{
    connect(&m_actions[ActionId::Find], &QAction::triggered, m_tensorPanel,
            &TensorPanel::focusFilter);
    connect(m_summaryPage, &SummaryPage::filterRequested, m_tensorPanel, &TensorPanel::setQuery);
    connect(m_tensorPanel, &TensorPanel::selectionRequested, &m_session, &Document::select);
    connect(m_tensorPanel, &TensorPanel::shownTensorsChanged, &m_session.previews(),
            &Previews::prefer);
    connect(&m_actions[ActionId::CopyPath], &QAction::triggered, this, [this] {
        if (const TensorInfo* tensor = m_session.selectedTensor())
            QApplication::clipboard()->setText(QString::fromStdString(tensor->path));
    });
    connect(&m_actions[ActionId::WorstFirst], &QAction::triggered, m_tensorPanel,
            &TensorPanel::setWorstFirst);
    connect(m_tensorPanel, &TensorPanel::sortingChanged, this,
            [this] { m_actions[ActionId::WorstFirst].setChecked(m_tensorPanel->isWorstFirst()); });
    connect(&m_actions[ActionId::Pin], &QAction::triggered, this, [this](bool isPinned) {
        if (m_session.selected() >= 0)
            edits::setPinned(m_session, {m_session.selected()}, isPinned);
        showMarks();
    });
    connect(&m_actions[ActionId::Exclude], &QAction::triggered, this, [this](bool isExcluded) {
        if (m_session.selected() >= 0)
            edits::setExcluded(m_session, {m_session.selected()}, isExcluded);
        showMarks();
    });
    connect(&m_session, &Document::workbenchChanged, this, &MainWindow::showMarks);
    connect(&m_session, &Document::selectionChanged, this, &MainWindow::showMarks);
    for (const ActionId id : {ActionId::Pin, ActionId::Exclude, ActionId::EditLayoutOverride,
                              ActionId::CopyPath, ActionId::CopyPython})
        m_tensorPanel->addToMenu(m_actions[id]);
}

/// Pins and exclusions in the list and in the menu are those of the session.
void MainWindow::showMarks()
{
    std::vector<int> pins;
    std::vector<int> excluded;
    const Workbench& workbench = m_session.workbench();
    if (m_tensors.tensorCount() > 0 && !(workbench.pins.empty() && workbench.excluded.empty()))
        for (int tensor = 0; tensor < m_tensors.tensorCount(); ++tensor) {
            const std::string& path = m_tensors.tensor(tensor).path;
            if (workbench.pins.contains(path))
                pins.push_back(tensor);
            if (workbench.excluded.contains(path))
                excluded.push_back(tensor);
        }
    m_tensors.setPins(pins);
    m_tensors.setExcluded(excluded);
    const int selected = m_session.selected();
    m_actions[ActionId::Pin].setChecked(selected >= 0 && edits::isPinned(m_session, selected));
    m_actions[ActionId::Exclude].setChecked(selected >= 0 &&
                                            edits::isExcluded(m_session, selected));
}

}  // namespace calibscope
