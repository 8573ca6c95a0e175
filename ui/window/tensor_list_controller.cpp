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

TensorListController::TensorListController(Document& session, QWidget& parent)
    : m_session(session), m_panel(new TensorPanel(m_tensors, &parent))
{
    connect(m_panel, &TensorPanel::selectionRequested, &session, &Document::select);
    connect(m_panel, &TensorPanel::shownTensorsChanged, &session.previews(), &Previews::prefer);
    connect(&session, &Document::tensorsChanged, this,
            [this](const std::vector<int>& tensors, bool sameValues) {
                m_tensors.changeTensors(tensors, m_session.tensors(),
                                        m_session.understood().edited(), sameValues);
                m_panel->setSelected(m_session.selected());
            });
    connect(&session.questions(), &Questions::viewChanged, this,
            &TensorListController::expectNeighbours);
    connect(&session.previews(), &Previews::taken, &m_tensors, &TensorModel::setPreview);
    connect(&session.previews(), &Previews::failed, &m_tensors, &TensorModel::setProblem);
    connect(&session, &Document::recipeChanged, &m_tensors, &TensorModel::clearSqnr);
    connect(&session, &Document::workbenchChanged, this, &TensorListController::showMarks);
    connect(&session, &Document::dumpChanged, this, &TensorListController::showMarks);
}

void TensorListController::showDump()
{
    const bool isOpen = m_session.dumpState() == Document::DumpState::Open;
    m_tensors.setTensors(isOpen ? m_session.tensors() : std::vector<TensorInfo>(),
                         isOpen ? m_session.understood().edited() : std::vector<int>());
    showMarks();
}

/// Pins, exclusions and decisions in the list are those of the session.
void TensorListController::showMarks()
{
    std::vector<int> pins;
    std::vector<int> excluded;
    std::map<int, QString> decided;
    const Workbench& workbench = m_session.workbench();
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
    if (m_session.questions().reader().state() != ViewReader::State::Ready)
        return;
    std::vector<int> neighbours;
    for (const int step : {1, -1})
        if (const int next = m_panel->neighbour(m_session.selected(), step); next >= 0)
            neighbours.push_back(next);
    m_session.questions().expect(neighbours);
}

void TensorListController::goTo(int tensor)
{
    if (tensor >= 0)
        m_session.select(tensor);
}

void TensorListController::goToFirst()
{
    goTo(firstToShow(m_session.tensors()));
}

void TensorListController::step(int rows)
{
    goTo(m_panel->neighbour(m_session.selected(), rows));
}

void TensorListController::pin(bool isPinned)
{
    if (m_session.selected() >= 0)
        edits::setPinned(m_session, {m_session.selected()}, isPinned);
}

void TensorListController::exclude(bool isExcluded)
{
    if (m_session.selected() >= 0)
        edits::setExcluded(m_session, {m_session.selected()}, isExcluded);
}

void TensorListController::copyPath()
{
    if (const TensorInfo* tensor = m_session.selectedTensor())
        QApplication::clipboard()->setText(QString::fromStdString(tensor->path));
}

std::vector<int> TensorListController::filtered() const
{
    return m_panel->shown().shownTensors();
}

}  // namespace calibscope
