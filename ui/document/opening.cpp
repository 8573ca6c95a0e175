// How Session opens a dump and lets go of it.
#include "ui/document/session.h"

#include "ui/document/workbench.h"

#include <QFileInfo>

#include <memory>
#include <utility>

namespace calibscope {

void Session::open(const QString& path, const OpenOptions& options)
{
    forgetDecisionsOnTensors();
    startOpening(path, options);
}

HeldDump Session::held() const
{
    const TensorInfo* selected = selectedTensor();
    return {.path = m_path,
            .identity = m_dump.identity,
            .allowsExternal = m_allowsExternal,
            .selected = selected ? selected->path : m_selectNext,
            .workbench = m_workbench,
            .history = m_history};
}

void Session::resume(const HeldDump& held)
{
    forgetDecisionsOnTensors();
    clear();
    const Workbench shared = sharedPart(m_workbench);
    apply(joined(held.workbench, shared));
    m_history = held.history;
    if (sharedPart(held.workbench) != shared)
        m_history.takeShared(shared);
    Q_EMIT historyChanged();
    startOpening(held.path, {.allowExternal = held.allowsExternal,
                             .tensor = QString::fromStdString(held.selected)});
}

void Session::startOpening(const QString& path, const OpenOptions& options)
{
    clear();
    m_path = QFileInfo(path).absoluteFilePath();
    m_allowsExternal = options.allowExternal;
    m_selectNext = options.tensor.toStdString();
    const auto number = std::make_shared<quint64>(0);
    m_opening =
        m_waited.open({.path = m_path.toStdString(), .allowExternal = options.allowExternal},
                      [this, number](Answer<protocol::DumpOpened> answer) {
                          if (*number == m_opening)
                              finishOpening(std::move(answer));
                      });
    *number = m_opening;
    setDumpState(DumpState::Opening);
}

void Session::reload()
{
    const TensorInfo* selected = selectedTensor();
    if (!m_path.isEmpty())  // a copy: the path is cleared on the way
        startOpening(QString(m_path),
                     {.allowExternal = m_allowsExternal,
                      .tensor = QString::fromStdString(selected ? selected->path : m_selectNext)});
}

void Session::reloadWithExternal()
{
    m_allowsExternal = true;
    reload();
}

void Session::close()
{
    forgetDecisionsOnTensors();
    clear();
    setDumpState(DumpState::None);
}

void Session::clear()
{
    if (const quint64 dropped = std::exchange(m_opening, 0))
        m_waited.cancel(dropped);
    m_background.clear();
    m_selected = -1;
    m_part = {};
    m_candidates.clear();
    m_lastOutcomes.clear();
    m_dump = {};
    m_previews.clear();
    m_failedPreviews.clear();
    m_consumers.reset();
    m_path.clear();
    m_allowsExternal = false;
    m_dumpProblem.clear();
    m_dumpState = DumpState::None;
    m_live.forget();
    m_strips.forget();
    m_matrix.clear();
    m_explanation.clear();
    m_reader.forget();
}

void Session::finishOpening(Answer<protocol::DumpOpened> answer)
{
    m_opening = 0;
    if (!answer.value) {
        m_dumpProblem = answer.failure;
        return setDumpState(DumpState::Failed);
    }
    m_dump = *std::move(answer.value);
    m_tensors.setRecorded(std::exchange(m_dump.tensors, {}));
    (void)m_tensors.saySolely(m_workbench.said);
    m_consumers.emplace(tensors());
    const int wanted = m_selectNext.empty() ? -1 : placeOf(tensors(), m_selectNext);
    if (wanted < 0 && !m_selectNext.empty())
        m_dump.warnings.insert(m_dump.warnings.begin(), "there is no tensor " + m_selectNext);
    setDumpState(DumpState::Open);
    select(wanted);
    startPreviews();
}

void Session::setDumpState(DumpState state)
{
    m_dumpState = state;
    Q_EMIT dumpChanged();
    tellIfSettled();
}

}  // namespace calibscope
