// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/summary/best_offer.h"

#include "ui/document/questions.h"
#include "ui/plot/number_label.h"
#include "ui/theme/plain_text.h"

#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QPushButton>

namespace calibscope {

BestOffer::BestOffer(Document& document, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_least(new QDoubleSpinBox(this)),
      m_button(new QPushButton(this)),
      m_text(new PlainLabel(this))
{
    auto* label =
        new PlainLabel(tr("Ta&ke the best calibrator of each tensor where it gains"), this);
    label->setBuddy(m_least);
    m_least->setRange(leastGainDb, mostLeastGainDb);
    m_least->setDecimals(1);
    m_least->setSingleStep(leastGainDb);
    m_least->setValue(usualLeastGainDb);
    m_least->setSuffix(tr(" dB"));
    m_least->setToolTip(tr("By the SQNR of the tensors themselves"));
    m_button->setObjectName(QStringLiteral("takeBest"));
    m_text->setObjectName(QStringLiteral("bestText"));
    m_text->setForegroundRole(QPalette::PlaceholderText);
    m_text->setWordWrap(true);
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins({});
    grid->setHorizontalSpacing(6);
    grid->addWidget(label, 0, 0);
    grid->addWidget(m_least, 0, 1);
    grid->setColumnStretch(2, 1);
    auto* line = new QHBoxLayout;  // below: a narrow window has no room for all in one
    line->addWidget(m_button);
    line->addWidget(m_text, 1);
    grid->addLayout(line, 1, 0, 1, 3);
    connect(m_least, &QDoubleSpinBox::valueChanged, this, &BestOffer::leastChanged);
    connect(m_button, &QPushButton::clicked, this, &BestOffer::apply);
    const MatrixReader& matrix = document.questions().matrix();
    connect(&matrix, &MatrixReader::started, this, &BestOffer::show);
    connect(&matrix, &MatrixReader::progressed, this, &BestOffer::show);
}

void BestOffer::refresh(const std::vector<int>& tensors)
{
    if (!m_document.questions().matrix().isRunning())
        m_gains = bestGains(m_document, tensors);
    show();
}

std::map<int, double> BestOffer::raised() const
{
    std::map<int, double> raised;
    for (const Gain& gain : m_gains.of(m_least->value()))
        raised[gain.tensor] = gain.fromDb + gain.gainDb;
    return raised;
}

void BestOffer::show()
{
    const MatrixReader& matrix = m_document.questions().matrix();
    const std::size_t gaining = m_gains.of(m_least->value()).size();
    if (matrix.isRunning()) {
        m_button->setText(tr("Stop"));
        m_text->setText(tr("All calibrators are being computed on all tensors: %1 of %2")
                            .arg(countLabel(matrix.done()), countLabel(matrix.total())));
    } else if (m_gains.unknown > 0) {
        m_button->setText(tr("Compute all calibrators"));
        m_text->setText(
            m_gains.unknown == m_gains.asked
                ? tr("The gain is shown here before anything is accepted.")
                : tr("On %1 tensors they are not computed yet.").arg(countLabel(m_gains.unknown)));
    } else {
        m_button->setText(gaining == 0 ? tr("&Accept")
                                       : countText(gaining, tr("&Accept for 1 tensor"),
                                                   tr("&Accept for %1 tensors")));
        m_text->setText(m_gains.sentences(m_least->value()).join(u' '));
    }
    m_button->setEnabled(matrix.isRunning() || m_gains.unknown > 0 || gaining > 0);
}

void BestOffer::apply()
{
    Questions& questions = m_document.questions();
    if (questions.matrix().isRunning())
        questions.matrix().stop();
    else if (m_gains.unknown > 0)
        questions.startMatrix(false);
    else
        Q_EMIT requested(m_gains, m_least->value());
}

}  // namespace calibscope
