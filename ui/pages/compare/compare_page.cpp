// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/compare/compare_page.h"

#include "ui/document/compare_edits.h"
#include "ui/document/questions.h"
#include "ui/document/tensor_text.h"
#include "ui/models/match_model.h"
#include "ui/pages/compare/compare_header.h"
#include "ui/pages/compare/match_dialog.h"
#include "ui/panels/kept_zoom.h"
#include "ui/panels/tensor_header.h"
#include "ui/plot/number_label.h"
#include "ui/theme/name_parts.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/translate.h"
#include "ui/widgets/plot_splitter.h"
#include "ui/widgets/state_notice.h"

#include <QFileInfo>
#include <QLabel>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace calibscope {

namespace {

QString nameOf(const TensorInfo& tensor)
{
    return QString::fromStdString(tensor.name);
}

/// A's scale under that calibrator; nothing where there is none.
std::optional<double> scaleOfA(const PairReader::Found& found, const std::string& id)
{
    const auto place =
        std::ranges::find(found.candidates, id, &CandidateName::id) - found.candidates.begin();
    const std::vector<ChoiceComparison>& choices = found.both->comparison.choices;
    if (place >= std::ssize(choices))
        return std::nullopt;
    const Outcome& a = choices[static_cast<std::size_t>(place)].a;
    return a.problem.empty() && !hasPlaceholderScale(a) ? std::optional(a.whole.quantizer.scale)
                                                        : std::nullopt;
}

}  // namespace

PairTitle pairTitle(const Comparison& comparison)
{
    const int a = comparison.lookedAtA();
    const int b = comparison.lookedAtB();
    if (a < 0 && b < 0)
        return {.name = tr("No tensor is selected"), .facts = {}};
    if (a < 0) {
        const TensorInfo& tensor = comparison.tensors().at(static_cast<std::size_t>(b));
        return {.name = nameOf(tensor), .facts = tr("only in B   %1").arg(shapeLabel(tensor))};
    }
    const TensorInfo& tensor = comparison.document().tensors().at(static_cast<std::size_t>(a));
    if (b < 0)
        return {.name = nameOf(tensor), .facts = tr("only in A   %1").arg(shapeLabel(tensor))};
    const TensorInfo& other = comparison.tensors().at(static_cast<std::size_t>(b));
    const TensorPair& pair =
        comparison.matches().pairs.at(static_cast<std::size_t>(comparison.pairOfA(a)));
    QStringList facts{tr("matched by %1").arg(matchRuleTitle(pair.rule))};
    facts << (pair.isSameShape
                  ? shapeLabel(tensor)
                  : tr("shapes differ: %1 and %2").arg(shapeLabel(tensor), shapeLabel(other)));
    const QString name =
        other.name == tensor.name
            ? nameOf(tensor)
            : tr("%1, B: %2").arg(nameOf(tensor), differingPart(other.name, tensor.name));
    return {.name = name, .facts = facts.join(QStringLiteral("   "))};
}

QString costSentence(const PairReader::Found& found, const CandidateName& standing)
{
    const auto place = std::ranges::find(found.candidates, standing.id, &CandidateName::id) -
                       found.candidates.begin();
    if (!found.both || place >= std::ssize(found.both->comparison.choices))
        return {};
    const ChoiceComparison& choice =
        found.both->comparison.choices[static_cast<std::size_t>(place)];
    if (hasPlaceholderScale(choice.a))
        return tr("A has no scale: its threshold is 0.");
    if (!choice.transferred || !choice.b.problem.empty())
        return {};
    const std::optional<double> transferred = metricIn(choice.transferred->metrics, "sqnr_db");
    const std::optional<double> own = choice.b.whole.metric("sqnr_db");
    if (!transferred || !own || !std::isfinite(*own) || !std::isfinite(*transferred))
        return {};
    const double lost = *own - *transferred;
    const QString about = choice.transferred->isExact && choice.b.whole.hasExactMetrics
                              ? QString()
                              : QStringLiteral("≈");
    const QString numbers =
        tr("SQNR %1 in place of %2 dB").arg(fixedLabel(*transferred, 1), fixedLabel(*own, 1));
    const QString scale = tr("A's scale (%1)").arg(QString::fromStdString(standing.label));
    constexpr double leastLoss = 0.05;
    const QString whom =
        unusualOfOne(found.both->a, found.both->b).empty() ? tr("B") : tr("the finite values of B");
    if (std::abs(lost) < leastLoss)
        return tr("%1 costs %2 nothing (%3).").arg(scale, whom, numbers);
    return (lost > 0.0 ? tr("%1 costs %2 %3%4 dB: %5.") : tr("%1 gains %2 %3%4 dB: %5."))
        .arg(scale, whom, about, fixedLabel(std::abs(lost), 1), numbers);
}

QString driftSentence(const PairReader::Found& found, const CandidateName& standing)
{
    if (!found.both)
        return {};
    const std::optional<Drift>& drift = found.both->comparison.drift;
    const QString odd = unusualOfOneSentence(found.both->a, found.both->b);
    if (!drift)
        return odd.isEmpty() ? tr("Neither recording has a finite value.") : odd;
    if (drift->earthMover == 0.0 && drift->klDivergence == 0.0 && drift->maxRatio == 1.0)
        return odd.isEmpty() ? tr("No drift: both recordings have the same distribution.")
                             : tr("%1 The finite values have the same distribution.").arg(odd);
    QString moved =
        tr("Mean shift (EMD) ≈%1, ≈%2 % of the largest magnitude")
            .arg(valueLabel(drift->earthMover), valueLabel(100.0 * drift->earthMoverShare, 3));
    if (const std::optional<double> scale = scaleOfA(found, standing.id))
        moved += tr(", ≈%1 steps of A's scale").arg(valueLabel(drift->earthMover / *scale, 3));
    const QString far = tr("%1. Largest magnitude ×%2. KL divergence %3%4 nats.")
                            .arg(moved, valueLabel(drift->maxRatio),
                                 drift->hasExactKl() ? QString() : QStringLiteral("≈"),
                                 valueLabel(drift->klDivergence, 3));
    return odd.isEmpty() ? far : odd + u' ' + far;
}

ComparePage::ComparePage(Comparison& comparison, QWidget* parent)
    : WorkspacePage(parent), m_comparison(comparison)
{
    fillWith(makeBody());
    connect(m_notice, &StateNotice::buttonClicked, this, [this] { press(false); });
    connect(m_notice, &StateNotice::secondButtonClicked, this, [this] { press(true); });
    connect(&comparison, &Comparison::stateChanged, this, &ComparePage::showState);
    connect(&comparison, &Comparison::lookedAtChanged, this, &ComparePage::showState);
    connect(&comparison.looked(), &PairReader::changed, this, &ComparePage::showFound);
    connect(&comparison.document(), &Document::changed, this, [this](const DocumentChange& change) {
        if (change.concerns(DocumentChange::Workbench))
            showFound();
    });
    showState();
}

QWidget* ComparePage::makeBody()
{
    auto* body = new QWidget(this);
    m_header = new CompareHeader(m_comparison, body);
    m_title = new TensorTitle(m_comparison.document(), body);
    m_drift = new PlainLabel(body);
    m_drift->setWordWrap(true);
    m_drift->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* halves = new PlotSplitter(Qt::Vertical, body);
    m_plots = new ComparePlots(halves);
    m_tables = new CompareTables(m_comparison.looked(), halves);
    m_zoom =
        new KeptZoom(m_comparison.document(), QStringLiteral("compare"), m_plots->zoomedPlot());
    halves->setUsualShares({300, 230});
    auto* layout = new QVBoxLayout(body);
    layout->setContentsMargins(16, 12, 12, 8);
    layout->setSpacing(6);
    layout->addWidget(m_header);
    layout->addWidget(m_title);
    layout->addWidget(m_drift);
    layout->addWidget(halves, 1);
    connect(m_header, &CompareHeader::swapRequested, this, &ComparePage::swapRequested);
    connect(m_plots, &ComparePlots::readoutChanged, this, &ComparePage::readoutChanged);
    return body;
}

QString ComparePage::driftText() const
{
    return m_drift->text();
}

void ComparePage::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    m_comparison.setLooking(true);
}

void ComparePage::hideEvent(QHideEvent* event)
{
    QWidget::hideEvent(event);
    m_comparison.setLooking(false);
}

void ComparePage::recolor()
{
    m_header->refresh();
    showFound();
}

void ComparePage::showState()
{
    const bool isReady = m_comparison.state() == Comparison::State::Ready;
    const bool isMatched =
        isReady && (!m_comparison.matches().pairs.empty() || m_comparison.lookedAtA() < 0);
    if (!isMatched)
        return sayWhyNot();
    showBody();
    showTensor();
}

void ComparePage::sayWhyNot()
{
    const QString name = QFileInfo(m_comparison.path()).fileName();
    switch (m_comparison.state()) {
    case Comparison::State::None:
        return say(
            tr("No second dump"),
            tr("Compare the open dump with another recording of the same model: which tensors have "
               "drifted, by how much, and whether the scales found on the one still suit the "
               "other. Drop a file with Shift held to open it as the second one."),
            tr("Open second dump..."));
    case Comparison::State::Opening:
        return say(tr("Reading %1").arg(name), tr("Reading its list of tensors."), tr("Cancel"));
    case Comparison::State::Matching:
        return say(tr("Matching the tensors"),
                   tr("By name, then by name without prefixes, then by order and shape."));
    case Comparison::State::Failed:
        return say(tr("%1 could not be opened").arg(name), m_comparison.problem(), tr("Try again"),
                   tr("Open another dump..."));
    case Comparison::State::Ready: break;
    }
    say(tr("No matches"),
        tr("No tensor of the open dump has a counterpart in %1: neither names nor order and shapes "
           "agree. They may be of different models. Tensors can be matched manually.")
            .arg(name),
        tr("Match manually..."), tr("Open another dump..."));
}

void ComparePage::press(bool isSecond)
{
    switch (m_comparison.state()) {
    case Comparison::State::None: Q_EMIT openRequested(); return;
    case Comparison::State::Opening: m_comparison.stopOpening(); return;
    case Comparison::State::Matching: return;
    case Comparison::State::Failed:
        isSecond ? (void)Q_EMIT openRequested() : m_comparison.reopen();
        return;
    case Comparison::State::Ready:
        isSecond ? (void)Q_EMIT openRequested() : askForMatch(m_comparison, this);
        return;
    }
}

void ComparePage::showTensor()
{
    const PairTitle title = pairTitle(m_comparison);
    m_title->show(title.name, title.facts);
    showFound();
}

CandidateName ComparePage::standing() const
{
    const OutcomeRow* row = standingRow(m_comparison.document().questions().rows());
    return row == nullptr ? CandidateName() : row->candidate.name();
}

void ComparePage::showFound()
{
    const PairReader& looked = m_comparison.looked();
    const PairReader::Found& found = looked.found();
    const Workbench& workbench = m_comparison.document().workbench();
    const CandidateName standing = this->standing();
    QStringList sentences{costSentence(found, standing), driftSentence(found, standing)};
    sentences.removeAll(QString());
    m_drift->setText(sentences.join(u' '));
    m_drift->setVisible(!m_drift->text().isEmpty());
    m_tables->refresh(standing.id);
    m_tables->setVisible(found.a && found.b);
    if (looked.state() == PairReader::State::Failed)
        m_plots->clear(looked.problem());
    else if (!found.a && !found.b)
        m_plots->clear(looked.state() == PairReader::State::Reading
                           ? tr("Reading both recordings...")
                           : QString());
    else if (m_plots->show(found, {.display = workbench.display,
                                   .mode = workbench.compared.mode,
                                   .standing = standing}))
        m_zoom->restore();
}

}  // namespace calibscope
