// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/tensor_list_controller.h"

#include "ui/document/edits.h"
#include "ui/document/previews.h"
#include "ui/document/questions.h"
#include "ui/panels/tensor_panel.h"
#include "ui/queries/dump_requests.h"

#include <QApplication>
#include <QClipboard>

namespace calibscope {

TensorListController::TensorListController(Document& document, QWidget& parent)
    : m_document(document), m_tensors(document), m_panel(new TensorPanel(m_tensors, &parent))
{
    connect(m_panel, &TensorPanel::selectionRequested, &document, &Document::select);
    connect(m_panel, &TensorPanel::shownTensorsChanged, &document.previews(), &Previews::prefer);
    connect(&document, &Document::tensorsChanged, this,
            [this] { m_panel->setSelected(m_document.selected()); });
    connect(&document, &Document::dumpChanged, this, &TensorListController::followDump);
    connect(&document, &Document::idle, m_panel, &TensorPanel::catchUp);  // nothing more comes
    connect(&document.questions(), &Questions::viewChanged, this,
            &TensorListController::expectNeighbours);
}

/// Each dump has its own filter: that of another one would hide tensors of a dump just opened.
void TensorListController::followDump()
{
    const QString& dump = m_document.path();
    if (dump.isEmpty() || dump == m_dump)
        return;
    if (!m_dump.isEmpty())
        m_filters.insert(m_dump, m_panel->query());
    m_dump = dump;
    m_panel->setQuery(m_filters.value(dump));
}

/// Tensors beside the one that was read are read in advance.
void TensorListController::expectNeighbours()
{
    if (m_document.questions().reader().state() != QueryState::State::Ready)
        return;
    std::vector<int> neighbours;
    for (const int step : {1, -1})
        if (const int next = m_panel->neighbour(m_document.selected(), step); next >= 0)
            neighbours.push_back(next);
    m_document.questions().expect(neighbours);
}

void TensorListController::goTo(int tensor)
{
    if (tensor >= 0)
        m_document.select(tensor);
}

void TensorListController::goToFirst()
{
    goTo(firstToShow(m_document.tensors()));
}

void TensorListController::step(int rows)
{
    goTo(m_panel->neighbour(m_document.selected(), rows));
}

void TensorListController::pin(bool isPinned)
{
    if (const std::vector<int> tensors = selected(); !tensors.empty())
        edits::setPinned(m_document, tensors, isPinned);
}

void TensorListController::exclude(bool isExcluded)
{
    if (const std::vector<int> tensors = selected(); !tensors.empty())
        edits::setExcluded(m_document, tensors, isExcluded);
}

void TensorListController::copyPath()
{
    if (const TensorInfo* tensor = m_document.selectedTensor())
        QApplication::clipboard()->setText(QString::fromStdString(tensor->path));
}

std::vector<int> TensorListController::filtered() const
{
    return m_panel->shown().shownTensors();
}

std::vector<int> TensorListController::selected() const
{
    std::vector<int> rows = m_panel->selectedTensors();
    if (rows.empty() && m_document.selected() >= 0)
        rows = {m_document.selected()};
    return rows;
}

std::vector<int> TensorListController::listed() const
{
    const std::vector<int> rows = m_panel->selectedTensors();
    return rows.size() > 1 ? rows : filtered();
}

}  // namespace calibscope
