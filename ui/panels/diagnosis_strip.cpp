// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/diagnosis_strip.h"

#include "ui/document/decisions.h"
#include "ui/document/previews.h"
#include "ui/document/questions.h"
#include "ui/theme/plain_text.h"
#include "ui/widgets/parts_label.h"

#include <QHBoxLayout>
#include <QToolButton>

#include <iterator>
#include <utility>

namespace calibscope {

DiagnosisStrip::DiagnosisStrip(Document& document, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_sentence(new ElidedLabel(Qt::ElideRight, this)),
      m_accept(new QToolButton(this))
{
    m_sentence->setObjectName(QStringLiteral("diagnosis"));
    m_sentence->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_sentence->setLines(2);
    m_accept->setObjectName(QStringLiteral("acceptBetter"));
    m_accept->setFocusPolicy(Qt::TabFocus);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(8);
    layout->addWidget(m_sentence, 1);
    layout->addWidget(m_accept);
    connect(m_accept, &QToolButton::clicked, this, [this] { (void)acceptBetter(m_document); });
    connect(&document, &Document::selectionChanged, this, &DiagnosisStrip::follow);
    connect(&document, &Document::dumpChanged, this, &DiagnosisStrip::follow);
    connect(&document, &Document::tensorsChanged, this, &DiagnosisStrip::follow);
    connect(&document, &Document::changed, this, [this](const DocumentChange& change) {
        if (change.concerns(DocumentChange::Outcomes | DocumentChange::Workbench))
            follow();
    });
    const auto followSelected = [this](int tensor) {
        if (tensor == m_document.selected())
            follow();
    };
    connect(&document.previews(), &Previews::taken, this, followSelected);
    connect(&document.questions().matrix(), &MatrixReader::rowChanged, this, followSelected);
    follow();
}

QString DiagnosisStrip::text() const
{
    QStringList parts{m_sentence->text()};
    if (!m_accept->isHidden())
        parts += m_accept->text();
    return parts.join(u' ');
}

void DiagnosisStrip::setWanted(bool isWanted)
{
    m_isWanted = isWanted;
    follow();
}

void DiagnosisStrip::explain(const QString& text)
{
    if (std::exchange(m_explanation, text) != text)
        follow();
}

void DiagnosisStrip::follow()
{
    const TensorInfo* tensor = m_document.selectedTensor();
    setVisible(m_isWanted && tensor && tensor->isReadable());
    if (isHidden())
        return;
    const int selected = m_document.selected();
    const protocol::Preview* known = m_document.previews().shared()->find(selected);
    const auto& problems = m_document.previews().shared()->problems;
    m_better = known ? betterOn(m_document, selected) : std::nullopt;
    if (!m_explanation.isEmpty()) {
        m_sentence->setText(m_explanation);
    } else if (known) {
        QStringList shorter;
        for (qsizetype most = std::ssize(known->findings) - 1; most > 0; --most)
            shorter += diagnosisSentence(*known, most);
        m_sentence->setTexts(diagnosisSentence(*known), shorter);
        m_sentence->setToolTip(diagnosisLines(known->findings).join(u'\n'));
    } else {
        m_sentence->setText(problems.contains(selected) ? QString() : tr("Reading..."));
    }
    const Decision* decision = m_better ? decisionOf(m_document, selected) : nullptr;
    const bool isAccepted = decision && decision->id == m_better->candidate.id;
    if (m_better)
        m_accept->setText(menuText(gainWords(*m_better)) + tr(": accept"));
    const bool isLong = !m_explanation.isEmpty() &&
                        fontMetrics().horizontalAdvance(m_explanation) >
                            width() - m_accept->sizeHint().width() - layout()->spacing();
    m_accept->setVisible(m_better && !isAccepted && !isLong);
    if (!m_better)
        return;
    m_accept->setToolTip(
        tr("Accepts %1 for this tensor: the highest SQNR of its calibrators (Alt+Return).")
            .arg(QString::fromStdString(m_better->candidate.label)));
}

bool acceptBetter(Document& document)
{
    const int tensor = document.selected();
    const std::optional<BetterChoice> better =
        tensor < 0 ? std::nullopt : betterOn(document, tensor);
    if (!better)
        return false;
    return acceptCandidate(document, {tensor}, better->candidate.id).accepted > 0;
}

}  // namespace calibscope
