// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/decision_controller.h"

#include "core/base/error.h"
#include "ui/document/decision_export.h"
#include "ui/document/decisions.h"
#include "ui/document/edits.h"
#include "ui/document/outcome_rows.h"
#include "ui/document/output_folder.h"
#include "ui/document/questions.h"
#include "ui/document/session_document.h"
#include "ui/models/outcome_text.h"
#include "ui/panels/diagnosis_strip.h"
#include "ui/plot/number_label.h"
#include "ui/plot/table_menu.h"
#include "ui/theme/plain_text.h"
#include "ui/window/message_controller.h"
#include "ui/window/tensor_list_controller.h"

#include <QDesktopServices>
#include <QFileInfo>
#include <QPointer>
#include <QScopedValueRollback>
#include <QUrl>

#include <algorithm>
#include <memory>
#include <utility>

namespace calibscope {

namespace {

/// What is easily overlooked where many are decided at once, a line each.
QStringList consequences(const Document& document, const std::vector<int>& tensors, bool byRecipe)
{
    QStringList lines;
    const auto replaced = std::ranges::count_if(
        tensors, [&document](int tensor) { return decisionOf(document, tensor) != nullptr; });
    if (replaced > 0)
        lines << countText(static_cast<std::uint64_t>(replaced),
                           DecisionController::tr("1 decision is replaced."),
                           DecisionController::tr("%1 decisions are replaced."));
    const auto has = [&](Role role) {
        return std::ranges::any_of(tensors, [&document, role](int tensor) {
            return document.tensors()[static_cast<std::size_t>(tensor)].role == role;
        });
    };
    if (!byRecipe && has(Role::Activation) && has(Role::Weight))
        lines << DecisionController::tr(
            "Activations and weights get the same calibrator; a recipe chooses for each.");
    return lines;
}

QString skippedText(std::size_t count)
{
    return countText(count,
                     DecisionController::tr("1 is skipped: a bias, integers, without a finite "
                                            "value, not readable, or without such a calibrator."),
                     DecisionController::tr("%1 are skipped: biases, integers, without a finite "
                                            "value, not readable, or without such a calibrator."));
}

}  // namespace

DecisionController::DecisionController(Document& document, Engine& background,
                                       SessionKeeper& keeper, MessageController& messages,
                                       TensorListController& list, QWidget& window)
    : m_document(document),
      m_background(background),
      m_keeper(keeper),
      m_messages(messages),
      m_list(list),
      m_window(window)
{
    connect(&document, &Document::changed, this, &DecisionController::reportReplaced);
}

/// Wherever it was accepted: a decision that gives way to another one is named, with what that
/// costs, and can be taken back.
void DecisionController::reportReplaced(const DocumentChange& change)
{
    const QMap<std::string, Decision>& before = change.before.decisions;
    const QMap<std::string, Decision>& now = m_document.workbench().decisions;
    if (!change.concerns(DocumentChange::Undoable) || change.concerns(DocumentChange::Replayed) ||
        m_isTakingBack || before.isSharedWith(now) ||
        m_document.dumpState() != Document::DumpState::Open)
        return;
    std::vector<std::string> replaced;
    for (const auto& [path, decision] : now.asKeyValueRange())
        if (const auto was = before.find(path);
            was != before.end() && !(was->choice == decision.choice))
            replaced.push_back(path);
    if (replaced.empty())
        return;
    const std::vector<MessageBar::Remedy> undo = undoOf(before);
    if (replaced.size() > 1) {
        m_messages.say(tr("%1 decisions were replaced.").arg(countLabel(replaced.size())), undo,
                       MessageBar::Kind::Note);
        return m_messages.ofDecisions();
    }
    const Decision& was = *before.find(replaced.front());
    const Decision& is = *now.find(replaced.front());
    const TensorInfo* selected = m_document.selectedTensor();
    QString gain;
    if (selected && selected->path == replaced.front()) {
        const std::vector<OutcomeRow>& rows = m_document.questions().rows();
        const auto former = std::ranges::find_if(
            rows, [&was](const OutcomeRow& row) { return row.candidate.choice == was.choice; });
        const auto accepted = std::ranges::find(rows, true, &OutcomeRow::isAccepted);
        if (former != rows.end() && accepted != rows.end())
            gain = dbGainText(*former, *accepted);
    }
    const QString sentence =
        tr("Accepted %1 instead of %2")
            .arg(QString::fromStdString(is.label), QString::fromStdString(was.label));
    m_messages.sayOfTensor(gain.isEmpty() ? sentence + u'.' : tr("%1: %2.").arg(sentence, gain),
                           undo);
    m_messages.ofDecisions();
}

/// A button that takes just these decisions back, whatever else was done since: with the next
/// decision it is gone (MessageController::ofDecisions()).
std::vector<MessageBar::Remedy> DecisionController::undoOf(const Decisions& before)
{
    if (before == m_document.workbench().decisions)
        return {};
    return {{tr("&Undo"), [this, before] {
                 const History& history = m_document.history();
                 if (history.canUndo() && history.beforeLast().decisions == before)
                     return m_document.undo();
                 const QScopedValueRollback takingBack(m_isTakingBack, true);
                 m_document.change(tr("Take decisions back"), [&before](Workbench& workbench) {
                     workbench.decisions = before;
                 });
             }}};
}

/// What stands out in list and plots; empty: the tensor has nothing.
std::string DecisionController::candidateToAccept() const
{
    const OutcomeRow* proposed = proposedRow(m_document.questions().rows());
    return proposed ? proposed->candidate.id : std::string();
}

void DecisionController::acceptSelected()
{
    // A branch of the tree that is selected stands for its tensors, not for the one on the page.
    const std::vector<int> marked = m_list.selected();
    if (!marked.empty() && std::ranges::find(marked, m_document.selected()) == marked.end())
        return acceptMany(marked, candidateToAccept().empty());
    if (m_document.selected() >= 0)
        (void)acceptCandidate(m_document, {m_document.selected()}, candidateToAccept());
}

void DecisionController::acceptBetter()
{
    if (m_list.selected().size() > 1)  // as for all that acts on marked rows
        return acceptBestOfListed();
    if (!calibscope::acceptBetter(m_document))
        m_messages.say(tr("Nothing is known that gains %1 dB over the recipe's choice.")
                           .arg(fixedLabel(leastGainDb, 1)));
}

void DecisionController::acceptBestOfListed()
{
    const BestGains best = bestGains(m_document, m_list.listed());
    const QString notSwept = best.unknown == 0
                                 ? QString()
                                 : countText(best.unknown, tr("1 listed tensor was not swept."),
                                             tr("%1 listed tensors were not swept."));
    if (best.gains.empty())
        return m_messages.say(
            best.unknown == 0 ? tr("No listed tensor gains %1 dB over the recipe's choice.")
                                    .arg(fixedLabel(leastGainDb, 1))
                              : notSwept,
            best.unknown == 0
                ? std::vector<MessageBar::Remedy>()
                : std::vector<MessageBar::Remedy>{
                      {tr("&Sweep"), [this] { m_document.questions().startMatrix(false); }}});
    const std::optional<double> least = askForNumber(
        &m_window, tr("Accept"),
        [&](double leastDb) {
            QStringList lines = best.sentences(leastDb);
            if (!notSwept.isEmpty())
                lines += notSwept;
            lines += tr("Least gain, dB:");
            return lines.join(u'\n');
        },
        usualLeastGainDb, leastGainDb, mostLeastGainDb);
    if (least)
        acceptBest(best, *least);
}

void DecisionController::acceptBest(const BestGains& best, double leastDb)
{
    const Decisions before = m_document.workbench().decisions;
    const Accepted count = acceptGains(m_document, best, leastDb);
    const QString sentence = countText(count.accepted, tr("Accepted the best for 1 tensor."),
                                       tr("Accepted the best of each for %1 tensors."));
    say(sentence, before);
}

void DecisionController::say(const QString& sentence, const Decisions& before)
{
    m_messages.say(sentence, undoOf(before), MessageBar::Kind::Success);
    m_messages.ofDecisions();
}

void DecisionController::sayAccepted(const QString& sentence, bool hasChanged)
{
    if (hasChanged && m_document.history().canUndo())
        return say(sentence, m_document.history().beforeLast().decisions);
    m_messages.say(tr("No decision changed. %1").arg(sentence).trimmed());
}

void DecisionController::clearSelected()
{
    if (m_document.selected() >= 0)
        clearDecisions(m_document, {m_document.selected()});
}

void DecisionController::acceptShown()
{
    acceptMany(m_list.listed(), candidateToAccept().empty());
}

void DecisionController::clearShown()
{
    const Decisions before = m_document.workbench().decisions;
    clearDecisions(m_document, m_list.listed());
    if (const qsizetype cleared = before.size() - m_document.workbench().decisions.size())
        say(countText(static_cast<std::uint64_t>(cleared), tr("Cleared 1 decision."),
                      tr("Cleared %1 decisions.")),
            before);
}

void DecisionController::acceptListedByRecipe()
{
    std::vector<int> undecided = m_list.listed();
    std::erase_if(undecided,
                  [this](int tensor) { return decisionOf(m_document, tensor) != nullptr; });
    acceptMany(undecided, true);
}

void DecisionController::acceptByRecipe()
{
    acceptMany(undecidedTensors(m_document), true);
}

/// Asks for the remark, and so whether it is meant: it may be thousands.
void DecisionController::acceptMany(std::vector<int> tensors, bool byRecipe)
{
    const std::string candidate = candidateToAccept();
    const std::size_t excluded = std::erase_if(
        tensors, [this](int tensor) { return edits::isExcluded(m_document, tensor); });
    std::vector<int> leftOut;
    if (byRecipe)
        std::erase_if(tensors, [&](int tensor) {
            const bool isLeftOut = isLeftOutByRecipe(m_document, tensor);
            if (isLeftOut)
                leftOut.push_back(tensor);
            return isLeftOut;
        });
    if (tensors.empty() && !leftOut.empty())
        return m_messages.say(leftOutSentence(m_document, leftOut));
    if (tensors.empty() && excluded > 0)
        return m_messages.say(countText(excluded, tr("1 excluded tensor is left out."),
                                        tr("%1 excluded tensors are left out.")));
    if (tensors.empty())
        return m_messages.say(byRecipe ? tr("All listed tensors have a decision.")
                                       : tr("No tensor is listed."),
                              {}, MessageBar::Kind::Success);
    const QString on = byRecipe ? QString::fromStdString(m_document.chosenRecipe().title)
                                : edits::labelOf(m_document, candidate);
    std::size_t skipped = std::erase_if(tensors, [&](int tensor) {
        const auto isIt = [&](const OutcomeRow& row) { return row.candidate.id == candidate; };
        return !notDecidableText(m_document, tensor).isEmpty() ||
               (!byRecipe && std::ranges::none_of(rowsOf(m_document, tensor), isIt));
    });
    if (tensors.empty())
        return m_messages.say(skippedText(skipped));
    QStringList question{
        countText(tensors.size(), tr("Accept %1 for 1 tensor."), tr("Accept %2 for %1 tensors."))
            .arg(on)};
    if (skipped > 0)
        question += skippedText(skipped);
    if (!leftOut.empty())
        question += leftOutSentence(m_document, leftOut);
    if (excluded > 0)
        question += countText(excluded, tr("1 excluded tensor is left out."),
                              tr("%1 excluded tensors are left out."));
    question += consequences(m_document, tensors, byRecipe);
    question += tr("Remark:");
    const std::optional<QString> remark = askForText(&m_window, tr("Accept"), question.join(u'\n'));
    if (!remark)
        return;
    const Decisions before = m_document.workbench().decisions;
    const Accepted count =
        byRecipe ? acceptRecipe(m_document, tensors, remark->toStdString())
                 : acceptCandidate(m_document, tensors, candidate, remark->toStdString());
    skipped += count.skipped;
    const QString sentence = countText(count.accepted, tr("Accepted %1 for 1 tensor."),
                                       tr("Accepted %2 for %1 tensors."))
                                 .arg(on) +
                             (skipped == 0 ? QString() : u' ' + skippedText(skipped));
    say(sentence, before);
}

void DecisionController::exportAll()
{
    const QFileInfo dump(m_document.path());
    const QString path =
        askWhereToSave(&m_window, tr("Export decisions"),
                       outputFolder(m_keeper.path(), m_document.path()) + u'/' +
                           dump.completeBaseName() + QStringLiteral("-decisions.csv"),
                       {tr("CSV (*.csv)"), tr("JSON (*.json)")});
    if (path.isEmpty())
        return;
    auto* job = new DecisionExport(m_background, m_keeper.session(), this);
    const auto cancel = [job = QPointer(job)] { delete job; };
    connect(job, &DecisionExport::progressed, this, [this, cancel](int done, int total) {
        m_messages.say(tr("Exporting decisions: %1 of %2").arg(done).arg(total),
                       {{tr("Ca&ncel"), cancel}}, MessageBar::Kind::Note);
    });
    connect(job, &DecisionExport::finished, this, [this, job, path] {
        write(path, *job);
        job->deleteLater();
    });
    job->start();
}

void DecisionController::write(const QString& path, const DecisionExport& job)
{
    const bool isJson = path.endsWith(QStringLiteral(".json"), Qt::CaseInsensitive);
    for (const QString& problem : job.problems())
        m_messages.log().add(MessageLog::Kind::Problem, problem);
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
            if (!failure->isEmpty())
                return m_messages.say(*failure, {}, MessageBar::Kind::Problem);
            m_messages.say(tr("Decisions written to %1.").arg(path) + missing,
                           {{tr("Open fol&der"),
                             [path] {
                                 QDesktopServices::openUrl(
                                     QUrl::fromLocalFile(QFileInfo(path).absolutePath()));
                             }}},
                           missing.isEmpty() ? MessageBar::Kind::Success
                                             : MessageBar::Kind::Warning);
        });
}

}  // namespace calibscope
