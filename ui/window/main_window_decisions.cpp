// Decisions by the actions of MainWindow.
#include "core/base/error.h"
#include "ui/document/card_choice.h"
#include "ui/document/decision_export.h"
#include "ui/document/decisions.h"
#include "ui/document/edits.h"
#include "ui/document/questions.h"
#include "ui/document/session_document.h"
#include "ui/panels/tensor_panel.h"
#include "ui/plot/number_label.h"
#include "ui/plot/table_menu.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/main_window.h"

#include <QFileInfo>
#include <QInputDialog>
#include <QPointer>

#include <algorithm>
#include <memory>
#include <utility>

namespace calibscope {

namespace {

/// The open card's candidate, else what the recipe chooses; empty: the tensor has neither.
std::string candidateToAccept(const Document& session, const std::string& openCard)
{
    const std::vector<OutcomeRow> rows = session.questions().rows();
    const auto isOpen = [&](const OutcomeRow& row) { return row.candidate.id == openCard; };
    if (std::ranges::any_of(rows, isOpen))
        return openCard;
    const auto chosen = std::ranges::find(rows, true, &OutcomeRow::isChosenRecipes);
    return chosen != rows.end() ? chosen->candidate.id
           : rows.empty()       ? std::string()
                                : rows.front().candidate.id;
}

}  // namespace

void MainWindow::connectDecisions()
{
    const auto candidate = [this] {
        return candidateToAccept(m_session, cardsOf(m_session).chosen());
    };
    connect(&m_actions[ActionId::Settle], &QAction::triggered, this, [this, candidate] {
        if (m_session.selected() >= 0)
            (void)acceptCandidate(m_session, {m_session.selected()}, candidate());
    });
    connect(&m_actions[ActionId::Unsettle], &QAction::triggered, this, [this] {
        if (m_session.selected() >= 0)
            clearDecisions(m_session, {m_session.selected()});
    });
    connect(&m_actions[ActionId::SettleShown], &QAction::triggered, this,
            [this] { settleMany(filteredTensors(), false); });
    connect(&m_actions[ActionId::SettleByRecipe], &QAction::triggered, this,
            [this] { settleMany(undecidedTensors(m_session), true); });
    connect(&m_actions[ActionId::UnsettleShown], &QAction::triggered, this,
            [this] { clearDecisions(m_session, filteredTensors()); });
    connect(&m_actions[ActionId::ExportDecisions], &QAction::triggered, this,
            &MainWindow::exportDecisions);
    for (const ActionId id : {ActionId::Settle, ActionId::Unsettle})
        m_tensorPanel->addToMenu(m_actions[id]);
    connect(&m_session, &Document::workbenchChanged, this, &MainWindow::showSettling);
    connect(&m_session, &Document::selectionChanged, this, &MainWindow::showSettling);
    connect(&m_session, &Document::dumpChanged, this, &MainWindow::showSettling);
    showSettling();
}

std::vector<int> MainWindow::filteredTensors() const
{
    return m_tensorPanel->shown().shownTensors();
}

/// Asks for the remark, and so whether it is meant: it may be thousands.
void MainWindow::settleMany(const std::vector<int>& tensors, bool byRecipe)
{
    const std::string candidate = candidateToAccept(m_session, cardsOf(m_session).chosen());
    if (tensors.empty() || (!byRecipe && candidate.empty()))
        return m_messageBar->say(byRecipe ? tr("All tensors have a decision.")
                                          : tr("Select a tensor and open a calibrator's card "
                                               "first; that calibrator is accepted for all."));
    const QString on = byRecipe ? QString::fromStdString(m_session.chosenRecipe().title)
                                : edits::labelOf(m_session, candidate);
    bool isMeant = false;
    const QString remark =
        QInputDialog::getText(this, tr("Accept"),
                              countText(tensors.size(), tr("Accept %1 for 1 tensor. Remark:"),
                                        tr("Accept %2 for %1 tensors. Remark:"))
                                  .arg(on),
                              QLineEdit::Normal, {}, &isMeant);
    if (!isMeant)
        return;
    const Accepted count =
        byRecipe ? acceptRecipe(m_session, tensors, remark.toStdString())
                 : acceptCandidate(m_session, tensors, candidate, remark.toStdString());
    const QString sentence =
        countText(count.accepted, tr("Accepted %1 for 1 tensor."),
                  tr("Accepted %2 for %1 tensors."))
            .arg(on) +
        (count.skipped == 0 ? QString()
                            : countText(count.skipped,
                                        tr(" 1 was skipped: it can't be read, holds integers, or "
                                           "has no such calibrator."),
                                        tr(" %1 were skipped: they can't be read, hold integers, "
                                           "or have no such calibrator.")));
    m_log.add(MessageLog::Kind::Note, sentence);
    m_isAboutEngine = false;
    m_messageBar->say(sentence, {{tr("Undo"), [this] { m_session.undo(); }}});
}

/// Marks of decisions, in the list and in the menu.
void MainWindow::showSettling()
{
    std::map<int, QString> decided;
    const auto& decisions = m_session.workbench().decisions;
    if (!decisions.isEmpty())
        for (int tensor = 0; tensor < m_tensors.tensorCount(); ++tensor)
            if (const auto found = decisions.find(m_tensors.tensor(tensor).path);
                found != decisions.end())
                decided.emplace(tensor, QString::fromStdString(found->label));
    m_tensors.setDecided(std::move(decided));
    const int selected = m_session.selected();
    m_actions[ActionId::Settle].setEnabled(selected >= 0);
    m_actions[ActionId::Unsettle].setEnabled(selected >= 0 && decisionOf(m_session, selected));
}

void MainWindow::exportDecisions()
{
    const QFileInfo dump(m_session.path());
    const QString path = askWhereToSave(this, tr("Export decisions"),
                                        dump.absolutePath() + u'/' + dump.completeBaseName() +
                                            QStringLiteral("-decisions.csv"),
                                        {tr("CSV (*.csv)"), tr("JSON (*.json)")});
    if (path.isEmpty())
        return;
    auto* job = new DecisionExport(m_background, m_keeper.document(), this);
    const auto cancel = [job = QPointer(job)] { delete job; };
    m_isAboutEngine = false;
    connect(job, &DecisionExport::progressed, this, [this, cancel](int done, int total) {
        m_messageBar->say(tr("Exporting decisions: %1 of %2").arg(done).arg(total),
                          {{tr("Cancel"), cancel}});
    });
    connect(job, &DecisionExport::finished, this, [this, job, path] {
        writeDecisions(path, *job);
        job->deleteLater();
    });
    job->start();
}

void MainWindow::writeDecisions(const QString& path, const DecisionExport& job)
{
    const bool isJson = path.endsWith(QStringLiteral(".json"), Qt::CaseInsensitive);
    for (const QString& problem : job.problems())
        m_log.add(MessageLog::Kind::Problem, problem);
    const QString missing =
        job.problems().isEmpty()
            ? QString()
            : tr(" %1 could not be computed; see the messages.")
                  .arg(countLabel(static_cast<std::uint64_t>(job.problems().size())));
    const auto failure = std::make_shared<QString>();
    m_keeper.files().run(
        [failure, path, isJson, rows = job.rows()] {
            try {
                writeWhole(path,
                           decisionTable(rows, isJson ? TableFormat::Json : TableFormat::Csv));
            } catch (const Error& error) {
                *failure = QString::fromUtf8(error.what());
            }
        },
        [this, failure, path, missing] {
            m_messageBar->say(
                failure->isEmpty() ? tr("Decisions written to %1.").arg(path) + missing : *failure);
        });
}

}  // namespace calibscope
