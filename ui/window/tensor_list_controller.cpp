#include "ui/window/tensor_list_controller.h"

#include "ui/document/edits.h"
#include "ui/document/previews.h"
#include "ui/document/questions.h"
#include "ui/panels/tensor_panel.h"
#include "ui/queries/dump_requests.h"

#include <QApplication>
#include <QClipboard>

#include <map>
#include <utility>

namespace calibscope {

TensorListController::TensorListController(Document& document, QWidget& parent)
    : m_document(document), m_panel(new TensorPanel(m_tensors, &parent))
{
    connect(m_panel, &TensorPanel::selectionRequested, &document, &Document::select);
    connect(m_panel, &TensorPanel::shownTensorsChanged, &document.previews(), &Previews::prefer);
    connect(&document, &Document::tensorsChanged, this,
            [this](const std::vector<int>& tensors, bool sameValues) {
                m_tensors.changeTensors(tensors, m_document.tensors(),
                                        m_document.understood().edited(), sameValues);
                m_panel->setSelected(m_document.selected());
            });
    connect(&document.questions(), &Questions::viewChanged, this,
            &TensorListController::expectNeighbours);
    connect(&document.previews(), &Previews::taken, &m_tensors, &TensorModel::setPreview);
    connect(&document.previews(), &Previews::failed, &m_tensors, &TensorModel::setProblem);
    connect(&document, &Document::recipeChanged, &m_tensors, &TensorModel::clearSqnr);
    connect(&document, &Document::workbenchChanged, this, &TensorListController::showMarks);
    connect(&document, &Document::dumpChanged, this, &TensorListController::showMarks);
}

void TensorListController::showDump()
{
    const bool isOpen = m_document.dumpState() == Document::DumpState::Open;
    m_tensors.setTensors(isOpen ? m_document.tensors() : std::vector<TensorInfo>(),
                         isOpen ? m_document.understood().edited() : std::vector<int>());
    showMarks();
}

/// Pins, exclusions and decisions in the list are those of the document.
void TensorListController::showMarks()
{
    std::vector<int> pins;
    std::vector<int> excluded;
    std::map<int, QString> decided;
    const Workbench& workbench = m_document.workbench();
    const auto& decisions = workbench.decisions;
    if (!workbench.pins.empty() || !workbench.excluded.empty() || !decisions.isEmpty())
        for (int tensor = 0; tensor < m_tensors.tensorCount(); ++tensor) {
            const std::string& path = m_tensors.tensor(tensor).path;
            if (workbench.pins.contains(path))
                pins.push_back(tensor);
            if (workbench.excluded.contains(path))
                excluded.push_back(tensor);
            if (const auto found = decisions.find(path); found != decisions.end())
                decided.emplace(tensor, QString::fromStdString(found->label));
        }
    m_tensors.setPins(pins);
    m_tensors.setExcluded(excluded);
    m_tensors.setDecided(std::move(decided));
}

/// Tensors beside the one that was read are read in advance.
void TensorListController::expectNeighbours()
{
    if (m_document.questions().reader().state() != ViewReader::State::Ready)
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
    if (m_document.selected() >= 0)
        edits::setPinned(m_document, {m_document.selected()}, isPinned);
}

void TensorListController::exclude(bool isExcluded)
{
    if (m_document.selected() >= 0)
        edits::setExcluded(m_document, {m_document.selected()}, isExcluded);
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

}  // namespace calibscope
