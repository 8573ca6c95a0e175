// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/cards/calibrator_card.h"

#include "core/calibrators/calibrator.h"
#include "core/recipes/candidates.h"
#include "core/recipes/recipe.h"
#include "ui/models/candidate_style.h"
#include "ui/models/card_order.h"
#include "ui/models/outcome_text.h"
#include "ui/models/result_columns.h"
#include "ui/theme/icons.h"
#include "ui/theme/name_parts.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/translate.h"
#include "ui/widgets/parts_label.h"

#include <QCheckBox>
#include <QGridLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace calibscope {

namespace {

QString groupOf(const OutcomeRow& row, std::size_t place)
{
    if (row.origin != OutcomeRow::Origin::Listed)
        return tr("Your own");
    if (place < standardCandidates || row.candidate.recipes.empty())
        return tr("Standard");
    return QString::fromStdString(recipe(row.candidate.recipes.front()).vendor);
}

QString numbersOf(const OutcomeRow& row)
{
    if (!row.hasResult())
        return row.outcome ? QString::fromStdString(row.outcome->problem) : QString();
    const ScaleRow& whole = row.outcome->whole;
    QStringList parts;
    if (whole.clip.threshold)
        parts += resultText(resultColumn("threshold"), whole);
    else if (whole.clip.range)
        parts += tr("%1 … %2").arg(resultText(resultColumn("low"), whole),
                                   resultText(resultColumn("high"), whole));
    parts += tr("scale %1").arg(resultText(resultColumn("scale"), whole));
    if (const QString clipped = resultText(resultColumn("clipped_share"), whole);
        !clipped.isEmpty())
        parts += tr("clips %1 %").arg(clipped);
    return parts.join(QStringLiteral("   "));
}

/// What it is and where it is from; its settings are in the open card.
QString toolTipOf(const OutcomeRow& row)
{
    const std::string_view summary = calibrator(row.candidate.choice.calibrator).summary;
    QStringList lines{QString::fromUtf8(summary.data(), std::ssize(summary))};
    if (!row.recipeTitles.isEmpty())
        lines += tr("Used by: %1").arg(row.recipeTitles.join(QStringLiteral("; ")));
    return (lines + noteLines(row)).join(u'\n');
}

/// The words that tell this card from others, and its numbers.
std::vector<PartsLabel::Part> partsOf(const CardFace& face)
{
    std::vector<PartsLabel::Part> parts;
    if (face.isRecipes)
        parts.push_back({.text = CalibratorCard::tr("recipe")});
    if (face.isChanged)
        parts.push_back({.text = CalibratorCard::tr("changed"), .role = QPalette::Link});
    for (const QString& number : face.numbers.split(QStringLiteral("   "), Qt::SkipEmptyParts))
        parts.push_back({.text = number});
    return parts;
}

}  // namespace

std::vector<CardFace> cardFaces(const std::vector<OutcomeRow>& rows, const ChartColors& colors)
{
    const std::vector<bool> isBest = bestRows(rows);
    const std::vector<bool> isSought = soughtRows(rows);
    std::vector<std::string_view> labels;
    for (const OutcomeRow& row : rows)
        labels.push_back(row.candidate.label);
    const NameParts parts(labels);
    std::vector<CardFace> faces;
    for (const std::size_t place : cardOrder(rows)) {
        const OutcomeRow& row = rows[place];
        faces.push_back(
            {.id = row.candidate.id,
             .label = row.candidate.label,
             .needs = parts.needs(row.candidate.label),
             .group = isSought[place] ? tr("Recipe, best, manual") : groupOf(row, place),
             .figure = sqnrFigure(row),
             .numbers = numbersOf(row),
             .toolTip = toolTipOf(row),
             .style = candidateStyle(row.candidate.id, colors),
             .isTicked = row.isTicked,
             .isBest = isBest[place],
             .isChosen = row.isProposed,
             .isRecipes = row.isChosenRecipes && !row.isProposed,
             .isChanged = row.isEdited,
             .isAccepted = row.isAccepted});
    }
    return faces;
}

CalibratorCard::CalibratorCard(QWidget* parent) : QWidget(parent), m_layout(new QVBoxLayout(this))
{
    m_layout->setContentsMargins(8, 5, 8, 5);
    m_layout->setSpacing(6);
    m_closed = makeFace();
    m_layout->addWidget(m_closed);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
    drawIcons();
}

QWidget* CalibratorCard::makeFace()
{
    auto* face = new QWidget(this);
    m_tick = new QCheckBox(face);
    m_tick->setFocusPolicy(Qt::NoFocus);  // Space on the card does the same
    m_line = new PlainLabel(face);
    m_name = new ElidedLabel(Qt::ElideMiddle, face);
    m_name->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_name->setMinimumWidth(3 * fontMetrics().averageCharWidth());  // it gives way first
    m_accepted = new PlainLabel(QStringLiteral("✓"), face);
    m_accepted->setToolTip(tr("You accepted this calibrator for the tensor"));
    m_star = new PlainLabel(face);
    m_star->setToolTip(tr("The highest SQNR"));
    m_figure = new PlainLabel(face);
    m_figure->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_numbers = new PartsLabel(face);

    auto* grid = new QGridLayout(face);
    grid->setContentsMargins({});
    grid->setHorizontalSpacing(6);
    grid->setVerticalSpacing(1);
    grid->addWidget(m_tick, 0, 0);
    grid->addWidget(m_line, 0, 1);
    grid->addWidget(m_name, 0, 2);
    grid->addWidget(m_accepted, 0, 3);
    grid->addWidget(m_star, 0, 4);
    grid->addWidget(m_figure, 0, 5);
    grid->addWidget(m_numbers, 1, 2, 1, 4);
    grid->setColumnStretch(2, 1);
    connect(m_tick, &QCheckBox::clicked, this,
            [this](bool isTicked) { Q_EMIT tickRequested(m_face.id, isTicked); });
    return face;
}

void CalibratorCard::setFace(const CardFace& face)
{
    const bool sameLine =
        face.style.color == m_face.style.color && face.style.pen == m_face.style.pen;
    m_face = face;
    const QString name = QString::fromStdString(face.label);
    {
        const QSignalBlocker silent(m_tick);
        m_tick->setChecked(face.isTicked);
    }
    m_tick->setAccessibleName(tr("Draw %1").arg(name));
    m_name->setName(name, face.needs);
    m_numbers->setParts(partsOf(face));
    m_figure->setText(face.figure);
    m_star->setVisible(face.isBest);
    m_accepted->setVisible(face.isAccepted);
    QFont font = this->font();
    font.setBold(face.isChosen);
    m_name->setFont(font);
    font.setBold(face.isBest);
    m_figure->setFont(font);
    constexpr int mostTipLines = 8;
    QStringList lines{name, face.numbers};
    if (face.isRecipes)
        lines += tr("The chosen recipe's choice");
    for (const QString& line : face.toolTip.split(u'\n'))
        lines += fittingLines(line, fontMetrics(), Qt::ElideRight,
                              56 * fontMetrics().averageCharWidth(), 2);
    const QString toolTip = lines.mid(0, mostTipLines).join(u'\n');
    for (QWidget* part : std::initializer_list<QWidget*>{m_name, m_numbers, m_figure})
        part->setToolTip(toolTip);
    const QString spoken = tr("%1, SQNR %2, %3").arg(name, face.figure, face.numbers);
    const QString whose = face.isRecipes ? tr("%1, the recipe's choice").arg(spoken) : spoken;
    setAccessibleName(face.isAccepted ? tr("%1, accepted").arg(whose) : whose);
    if (!sameLine)
        drawIcons();
}

void CalibratorCard::setChosen(bool isChosen)
{
    m_isChosen = isChosen;
    update();
}

void CalibratorCard::takeDetails(QWidget& details)
{
    m_layout->addWidget(&details);
    details.show();
}

void CalibratorCard::drawIcons()
{
    m_line->setPixmap(lineIcon(m_face.style).pixmap(QSize(32, 16)));
    m_star->setPixmap(starIcon(palette().color(QPalette::Text)).pixmap(QSize(16, 16)));
}

void CalibratorCard::paintEvent(QPaintEvent*)
{
    constexpr qreal cornerRadius = 5.0;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF box = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    painter.setPen(hasFocus()     ? palette().color(QPalette::Link)
                   : m_isChosen   ? palette().color(QPalette::Mid)
                   : underMouse() ? palette().color(QPalette::Mid)
                                  : QColor(Qt::transparent));
    painter.setBrush(m_isChosen ? palette().brush(QPalette::AlternateBase) : QBrush(Qt::NoBrush));
    painter.drawRoundedRect(box, cornerRadius, cornerRadius);
}

void CalibratorCard::mousePressEvent(QMouseEvent* event)
{
    // A press between the details' controls comes here, too.
    const bool isOnFace = event->position().y() <= m_closed->geometry().bottom() + 1;
    if (event->button() != Qt::LeftButton || !isOnFace)
        return QWidget::mousePressEvent(event);
    setFocus(Qt::MouseFocusReason);
    Q_EMIT clicked(m_face.id);
}

/// Space is an action of the window, too, but not while it presses this card.
bool CalibratorCard::event(QEvent* event)
{
    if (event->type() == QEvent::ShortcutOverride &&
        static_cast<QKeyEvent&>(*event).keyCombination() == QKeyCombination(Qt::Key_Space)) {
        event->accept();
        return true;
    }
    return QWidget::event(event);
}

void CalibratorCard::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Space: Q_EMIT tickRequested(m_face.id, !m_face.isTicked); break;
    case Qt::Key_Return:
    case Qt::Key_Enter: Q_EMIT clicked(m_face.id); break;
    case Qt::Key_Up: Q_EMIT neighbourRequested(-1); break;
    case Qt::Key_Down: Q_EMIT neighbourRequested(1); break;
    default: QWidget::keyPressEvent(event);
    }
}

void CalibratorCard::enterEvent(QEnterEvent* event)
{
    Q_EMIT entered(m_face.id);
    QWidget::enterEvent(event);
}

void CalibratorCard::leaveEvent(QEvent* event)
{
    Q_EMIT left();
    QWidget::leaveEvent(event);
}

void CalibratorCard::focusInEvent(QFocusEvent* event)
{
    update();
    QWidget::focusInEvent(event);
}

void CalibratorCard::focusOutEvent(QFocusEvent* event)
{
    update();
    QWidget::focusOutEvent(event);
}

void CalibratorCard::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        drawIcons();
    QWidget::changeEvent(event);
}

}  // namespace calibscope
