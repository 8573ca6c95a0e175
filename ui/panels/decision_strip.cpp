// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/decision_strip.h"

#include "ui/document/decisions.h"
#include "ui/document/questions.h"
#include "ui/models/outcome_text.h"
#include "ui/widgets/elided_label.h"

#include <QGridLayout>
#include <QLineEdit>
#include <QToolButton>

#include <algorithm>

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
    const QString gain = dbGainText(*recipes, proposed);
    return gain.isEmpty() ? DecisionStrip::tr("not the recipe's choice")
                          : DecisionStrip::tr("not the recipe's choice: %1").arg(gain);
}

/// The gain first: a long name may be cut.
QString insteadText(const OutcomeRow& proposed, std::span<const OutcomeRow> rows)
{
    const QString label = QString::fromStdString(proposed.candidate.label);
    const auto accepted = std::ranges::find(rows, true, &OutcomeRow::isAccepted);
    const QString gain = accepted == rows.end() ? QString() : dbGainText(*accepted, proposed);
    return gain.isEmpty() ? DecisionStrip::tr("Accept %1 instead?").arg(label)
                          : DecisionStrip::tr("%1 by %2 instead?").arg(gain, label);
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
    QSizePolicy ofNote(QSizePolicy::Expanding, QSizePolicy::Fixed);
    ofNote.setRetainSizeWhenHidden(true);  // nothing moves under the pointer that opens a card
    m_note->setSizePolicy(ofNote);
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
    m_note->setText(!proposed             ? QString()
                    : decision && isOther ? insteadText(*proposed, rows)
                                          : againstRecipe(*proposed, rows));
    m_note->setVisible(!m_note->text().isEmpty());
    if (!decision) {
        const bool isCovered = std::ranges::any_of(rows, &OutcomeRow::isChosenRecipes);
        return m_state->setText(isCovered ? tr("Accept %1?").arg(label)
                                          : tr("The recipe leaves it out. Accept %1?").arg(label));
    }
    const QString accepted = QString::fromStdString(decision->label);
    m_state->setText(isStillOnCard(m_document)
                         ? tr("✓ Accepted: %1").arg(accepted)
                         : tr("✓ Accepted: %1, with its earlier settings").arg(accepted));
    if (const QString remark = QString::fromStdString(decision->remark); remark != m_remark->text())
        m_remark->setText(remark);
}

}  // namespace calibscope
