// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/decision_strip.h"

#include "ui/document/decisions.h"
#include "ui/document/questions.h"
#include "ui/plot/number_label.h"
#include "ui/widgets/elided_label.h"

#include <QGridLayout>
#include <QLineEdit>
#include <QToolButton>

#include <algorithm>
#include <cmath>
#include <optional>

namespace calibscope {

namespace {

/// The settings of a card may have been changed since.
bool isStillOnCard(const Document& document)
{
    const std::vector<OutcomeRow>& rows = document.questions().rows();
    return std::ranges::any_of(rows, &OutcomeRow::isAccepted);
}

/// Empty for the recipe's choice, and where the recipe chooses nothing.
QString againstRecipe(const OutcomeRow& proposed, std::span<const OutcomeRow> rows)
{
    const auto recipes = std::ranges::find(rows, true, &OutcomeRow::isChosenRecipes);
    if (proposed.isChosenRecipes || recipes == rows.end())
        return {};
    const std::optional<double> db = dbAgainstRecipe(rows, proposed);
    if (!db)
        return DecisionStrip::tr("not the recipe's choice");
    const bool isExact = proposed.outcome->whole.hasExactMetrics && !proposed.isEstimate &&
                         recipes->outcome->whole.hasExactMetrics && !recipes->isEstimate;
    return DecisionStrip::tr("not the recipe's choice: %1%2%3 dB")
        .arg(isExact ? QString() : QStringLiteral("≈"), *db > 0.0 ? QStringLiteral("+") : QString(),
             std::isfinite(*db) ? fixedLabel(*db, 2) : valueLabel(*db));
}

}  // namespace

DecisionStrip::DecisionStrip(Document& document, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_state(new ElidedLabel(Qt::ElideMiddle, this)),
      m_note(new ElidedLabel(Qt::ElideRight, this)),
      m_accept(new QToolButton(this)),
      m_clear(new QToolButton(this)),
      m_remark(new QLineEdit(this))
{
    m_state->setObjectName(QStringLiteral("accepted"));
    m_state->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_note->setObjectName(QStringLiteral("acceptedNote"));
    m_note->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_accept->setText(tr("Accept"));
    m_clear->setText(tr("Clear"));
    m_remark->setObjectName(QStringLiteral("remark"));
    m_remark->setPlaceholderText(tr("remark"));
    m_remark->setAccessibleName(tr("Remark on the decision"));
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(2, 2, 2, 4);
    grid->setSpacing(6);
    grid->addWidget(m_state, 0, 0);
    grid->addWidget(m_accept, 0, 1);
    grid->addWidget(m_clear, 0, 2);
    grid->addWidget(m_note, 1, 0, 1, 3);
    grid->addWidget(m_remark, 2, 0, 1, 3);
    connect(m_accept, &QToolButton::clicked, this,
            [this] { (void)acceptCandidate(m_document, {m_document.selected()}, m_candidate.id); });
    connect(m_clear, &QToolButton::clicked, this,
            [this] { clearDecisions(m_document, {m_document.selected()}); });
    connect(m_remark, &QLineEdit::textEdited, this, [this](const QString& remark) {
        setRemark(m_document, m_document.selected(), remark.toStdString());
    });
    connect(m_remark, &QLineEdit::editingFinished, this, [this] { m_document.endMerge(); });
}

void DecisionStrip::show(const OutcomeRow* proposed, std::span<const OutcomeRow> rows)
{
    m_candidate = proposed ? proposed->candidate.name() : CandidateName();
    const QString label = QString::fromStdString(m_candidate.label);
    const Decision* decision =
        m_document.selectedTensor() ? decisionOf(m_document, m_document.selected()) : nullptr;
    setVisible(decision || proposed);
    m_clear->setVisible(decision);
    m_remark->setVisible(decision);
    const bool isOther =
        proposed && (!decision || decision->id != m_candidate.id || !isStillOnCard(m_document));
    m_accept->setVisible(isOther);
    m_accept->setToolTip(tr("Accepts %1 for the tensor").arg(label));
    const QString against = proposed ? againstRecipe(*proposed, rows) : QString();
    m_note->setText(decision && isOther
                        ? (against.isEmpty() ? tr("Accept %1 instead?").arg(label)
                                             : tr("Accept %1 instead? %2").arg(label, against))
                        : against);
    m_note->setVisible(!m_note->text().isEmpty());
    if (!decision)
        return m_state->setText(tr("Accept %1?").arg(label));
    const QString accepted = QString::fromStdString(decision->label);
    m_state->setText(isStillOnCard(m_document)
                         ? tr("✓ Accepted: %1").arg(accepted)
                         : tr("✓ Accepted: %1, with its earlier settings").arg(accepted));
    if (const QString remark = QString::fromStdString(decision->remark); remark != m_remark->text())
        m_remark->setText(remark);
}

}  // namespace calibscope
