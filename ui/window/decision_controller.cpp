// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/decision_controller.h"

#include "core/base/error.h"
#include "ui/document/decision_export.h"
#include "ui/document/decisions.h"
#include "ui/document/edits.h"
#include "ui/document/output_folder.h"
#include "ui/document/questions.h"
#include "ui/document/session_document.h"
#include "ui/document/tensor_diagnosis.h"
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
#include <QUrl>

#include <algorithm>
#include <iterator>
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

constexpr double usualLeastGainDb = 3.0;
constexpr double mostLeastGainDb = 60.0;

/// A tensor with the calibrator that gains most on it.
struct Gain
{
    int tensor = -1;
    BetterChoice better;
};

std::vector<Gain> enough(const std::vector<Gain>& gains, double leastDb)
{
    std::vector<Gain> chosen;
    std::ranges::copy_if(gains, std::back_inserter(chosen),
                         [leastDb](const Gain& gain) { return gain.better.gainDb >= leastDb; });
    return chosen;
}

std::vector<int> tensorsOf(const std::vector<Gain>& gains)
{
    std::vector<int> tensors;
    std::ranges::transform(gains, std::back_inserter(tensors), &Gain::tensor);
    return tensors;
}

/// "36 of 75 tensors gain at least 3.0 dB: 4.1 dB on average; the lowest of them rises from 27.2 to
/// 31.8 dB."
QString gainSentence(const std::vector<Gain>& gains, std::size_t listed, double leastDb)
{
    const std::vector<Gain> chosen = enough(gains, leastDb);
    if (chosen.empty())
        return DecisionController::tr("No tensor gains %1 dB.").arg(fixedLabel(leastDb, 1));
    double sum = 0.0;
    double before = chosen.front().better.recipesDb;
    double after = before + chosen.front().better.gainDb;
    for (const Gain& gain : chosen) {
        sum += gain.better.gainDb;
        before = std::min(before, gain.better.recipesDb);
        after = std::min(after, gain.better.recipesDb + gain.better.gainDb);
    }
    return DecisionController::tr("%1 of %2 tensors gain at least %3 dB: %4 dB on average.\nThe "
                                  "lowest SQNR of these rises from %5 to %6 dB.")
        .arg(countLabel(chosen.size()), countLabel(listed), fixedLabel(leastDb, 1),
             fixedLabel(sum / static_cast<double>(chosen.size()), 1), fixedLabel(before, 1),
             fixedLabel(after, 1));
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
{}

/// What stands out in list and plots; empty: the tensor has nothing.
std::string DecisionController::candidateToAccept() const
{
    const OutcomeRow* proposed = proposedRow(m_document.questions().rows());
    return proposed ? proposed->candidate.id : std::string();
}

void DecisionController::acceptSelected()
{
    const int tensor = m_document.selected();
    if (tensor < 0)
        return;
    const std::vector<OutcomeRow> rows = m_document.questions().rows();
    const OutcomeRow* proposed = proposedRow(rows);
    const Decision* former = decisionOf(m_document, tensor);
    const QString replaced = former ? QString::fromStdString(former->label) : QString();
    (void)acceptCandidate(m_document, {tensor}, candidateToAccept());
    if (replaced.isEmpty() || !proposed || proposed->isAccepted)
        return;
    const auto accepted = std::ranges::find(rows, true, &OutcomeRow::isAccepted);
    const QString gain = accepted == rows.end() ? QString() : dbGainText(*accepted, *proposed);
    const QString label = QString::fromStdString(proposed->candidate.label);
    m_messages.say(gain.isEmpty() ? tr("Accepted %1 instead of %2.").arg(label, replaced)
                                  : tr("Accepted %1 instead of %2: %3.").arg(label, replaced, gain),
                   {{tr("&Undo"), [this] { m_document.undo(); }}}, MessageBar::Kind::Note);
}

void DecisionController::acceptBetter()
{
    if (!calibscope::acceptBetter(m_document))
        m_messages.say(tr("Nothing is known that gains %1 dB over the recipe's choice.")
                           .arg(fixedLabel(leastGainDb, 1)));
}

void DecisionController::acceptBestOfListed()
{
    std::vector<Gain> gains;
    std::vector<int> listed = m_list.listed();
    std::erase_if(listed, [this](int tensor) {
        const TensorInfo& info = m_document.tensors()[static_cast<std::size_t>(tensor)];
        return !info.isReadable() || info.holdsIntegers() || info.role == Role::Bias;
    });
    std::size_t unknown = 0;
    for (const int tensor : listed) {
        const MatrixRow* swept = m_document.questions().matrix().row(tensor);
        if (const std::optional<BetterChoice> better = betterOn(m_document, tensor))
            gains.push_back({tensor, *better});
        else if (tensor != m_document.selected() && !(swept && swept->isRead))
            ++unknown;
    }
    const QString notSwept = unknown == 0 ? QString()
                                          : countText(unknown, tr("1 listed tensor was not swept."),
                                                      tr("%1 listed tensors were not swept."));
    if (gains.empty())
        return m_messages.say(
            unknown == 0 ? tr("No listed tensor gains %1 dB over the recipe's choice.")
                               .arg(fixedLabel(leastGainDb, 1))
                         : notSwept,
            unknown == 0
                ? std::vector<MessageBar::Remedy>()
                : std::vector<MessageBar::Remedy>{
                      {tr("&Sweep"), [this] { m_document.questions().startMatrix(false); }}});
    const std::optional<double> least = askForNumber(
        &m_window, tr("Accept"),
        [&](double leastDb) {
            QStringList lines{gainSentence(gains, listed.size(), leastDb)};
            const std::vector<int> chosen = tensorsOf(enough(gains, leastDb));
            lines += consequences(m_document, chosen, true);
            if (!notSwept.isEmpty())
                lines += notSwept;
            lines += tr("Least gain, dB:");
            return lines.join(u'\n');
        },
        usualLeastGainDb, leastGainDb, mostLeastGainDb);
    if (!least)
        return;
    std::vector<CandidateFor> wanted;
    for (const Gain& gain : enough(gains, *least))
        wanted.push_back({gain.tensor, gain.better.candidate.id});
    const Accepted count =
        acceptEach(m_document, wanted, tr("Accept what gains at least %1 dB").arg(*least));
    const QString sentence = countText(count.accepted, tr("Accepted the best for 1 tensor."),
                                       tr("Accepted the best of each for %1 tensors."));
    m_messages.log().add(MessageLog::Kind::Note, sentence);
    m_messages.say(sentence, {{tr("&Undo"), [this] { m_document.undo(); }}},
                   MessageBar::Kind::Success);
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
    clearDecisions(m_document, m_list.listed());
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
    if (tensors.empty())
        return m_messages.say(byRecipe ? tr("All listed tensors have a decision.")
                                       : tr("No tensor is listed."),
                              {}, MessageBar::Kind::Success);
    const QString on = byRecipe ? QString::fromStdString(m_document.chosenRecipe().title)
                                : edits::labelOf(m_document, candidate);
    QStringList question{
        countText(tensors.size(), tr("Accept %1 for 1 tensor."), tr("Accept %2 for %1 tensors."))
            .arg(on)};
    if (!leftOut.empty())
        question += leftOutSentence(m_document, leftOut);
    question += consequences(m_document, tensors, byRecipe);
    question += tr("Remark:");
    const std::optional<QString> remark = askForText(&m_window, tr("Accept"), question.join(u'\n'));
    if (!remark)
        return;
    const Accepted count =
        byRecipe ? acceptRecipe(m_document, tensors, remark->toStdString())
                 : acceptCandidate(m_document, tensors, candidate, remark->toStdString());
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
    m_messages.log().add(MessageLog::Kind::Note, sentence);
    m_messages.say(sentence, {{tr("&Undo"), [this] { m_document.undo(); }}},
                   MessageBar::Kind::Success);
}

void DecisionController::exportAll()
{
    const QFileInfo dump(m_document.path());
    const QString path =
        askWhereToSave(&m_window, tr("Export decisions"),
                       outputFolder(m_keeper.path()) + u'/' + dump.completeBaseName() +
                           QStringLiteral("-decisions.csv"),
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
