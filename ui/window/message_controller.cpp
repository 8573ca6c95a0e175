// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/message_controller.h"

#include "ui/document/matrix_reader.h"
#include "ui/document/previews.h"
#include "ui/document/questions.h"
#include "ui/plot/number_label.h"
#include "ui/queries/addresses.h"

#include <QApplication>

namespace calibscope {

using Kind = MessageLog::Kind;

namespace {

constexpr qint64 longSweepMs = 3000;  // less is waited for

}  // namespace

MessageController::MessageController(Document& document, QWidget& window)
    : m_document(document), m_bar(new MessageBar(&window))
{
    connect(&document, &Document::dumpChanged, this, &MessageController::logDumpState);
    connect(&document, &Document::selectionChanged, this, [this] {
        if (m_about == About::Tensor)
            hide();
    });
    connect(&document, &Document::changed, this, [this] {
        if (m_decisions && *m_decisions != m_document.workbench().decisions)
            hide();
    });
    connect(&document.questions(), &Questions::viewChanged, this, &MessageController::followReader);
    connect(&document.previews(), &Previews::failed, this,
            [this](int tensor, const QString& sentence) {
                const std::string& name =
                    m_document.tensors().at(static_cast<std::size_t>(tensor)).name;
                const QString line =
                    QStringLiteral("%1: %2").arg(QString::fromStdString(name), sentence);
                if (!m_log.has(line))  // of a recording that is followed at each batch
                    m_log.add(Kind::Warning, line);
            });
    followSweep();
    connect(&document.questions(), &Questions::engineDied, this, [this](const QString& sentence) {
        m_log.add(Kind::Problem, sentence);
        sayOfEngine(sentence, {{tr("Try &again"), [this] { m_document.questions().readAgain(); }}},
                    MessageBar::Kind::Problem);
    });
    connect(
        &document.questions(), &Questions::engineStalled, this, [this](const QString& sentence) {
            m_log.add(Kind::Warning, sentence);
            sayOfEngine(
                sentence,
                {{isFarAway(m_document.path()) ? tr("Co&nnect again") : tr("Start a &new engine"),
                  [this] { m_document.questions().restartEngine(); }},
                 {tr("&Wait"), [] {}}},
                MessageBar::Kind::Warning);
        });
}

/// Who looked at something else meanwhile hears that all tensors are there, on the task bar too.
void MessageController::followSweep()
{
    MatrixReader& matrix = m_document.questions().matrix();
    connect(&matrix, &MatrixReader::started, this, [this] { m_sweeping.start(); });
    connect(&matrix, &MatrixReader::stopped, this, [this, &matrix] {
        const bool wasLong = m_sweeping.isValid() && m_sweeping.hasExpired(longSweepMs);
        m_sweeping.invalidate();
        if (matrix.total() == 0 || matrix.done() < matrix.total())
            return;
        const QString sentence = countText(matrix.total(), tr("Calibrators computed on 1 tensor."),
                                           tr("Calibrators computed on all %1 tensors."));
        if (wasLong)
            QApplication::alert(m_bar->window());
        if (wasLong && m_bar->isHidden())
            say(sentence, {}, MessageBar::Kind::Success);
        else
            m_log.add(Kind::Note, sentence);
    });
}

void MessageController::say(const QString& sentence,
                            const std::vector<MessageBar::Remedy>& remedies, MessageBar::Kind kind)
{
    m_about = About::Any;
    m_decisions.reset();
    if (kind == MessageBar::Kind::Success)
        m_log.add(Kind::Note, sentence);
    m_bar->say(sentence, remedies, kind);
}

void MessageController::sayOfEngine(const QString& sentence,
                                    const std::vector<MessageBar::Remedy>& remedies,
                                    MessageBar::Kind kind)
{
    say(sentence, remedies, kind);
    m_about = About::Engine;
}

void MessageController::sayOfTensor(const QString& sentence,
                                    const std::vector<MessageBar::Remedy>& remedies)
{
    say(sentence, remedies, MessageBar::Kind::Note);
    m_about = About::Tensor;
}

void MessageController::hide()
{
    m_about = About::Any;
    m_decisions.reset();
    m_bar->hide();
}

void MessageController::logDumpState()
{
    if (m_document.dumpState() == Document::DumpState::Failed)
        m_log.add(Kind::Problem, m_document.dumpProblem());
    if (m_document.dumpState() != Document::DumpState::Open)
        return;
    m_log.add(Kind::Note, countText(m_document.tensors().size(), tr("%1 opened: 1 tensor."),
                                    tr("%2 opened: %1 tensors."))
                              .arg(m_document.path()));
    for (const std::string& warning : m_document.dump().warnings)
        m_log.add(Kind::Warning, QString::fromStdString(warning));
}

void MessageController::followReader()
{
    const ViewQuery& reader = m_document.questions().reader();
    const TensorInfo* tensor = m_document.selectedTensor();
    if (tensor && reader.state() == QueryState::State::Failed)
        m_log.add(Kind::Problem, QStringLiteral("%1: %2").arg(QString::fromStdString(tensor->name),
                                                              reader.problem()));
    if (m_about == About::Engine && reader.state() == QueryState::State::Ready)
        m_bar->hide();
}

}  // namespace calibscope
