// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/manual_threshold.h"

#include "ui/charts/threshold_layer.h"
#include "ui/document/card_choice.h"
#include "ui/document/edits.h"
#include "ui/document/manual_range.h"
#include "ui/document/questions.h"
#include "ui/panels/browse_marks.h"
#include "ui/plot/number_label.h"
#include "ui/theme/plain_text.h"
#include "ui/widgets/parts_label.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>

#include <algorithm>
#include <cmath>

namespace calibscope {

namespace {

constexpr int nudgeFactor = 10;  // with Shift

/// What has room; the number itself stays as it is until another one is typed.
QString typedText(double value)
{
    constexpr int digits = 6;
    return QString::number(value, 'g', digits);
}

/// A comma is as good as a point; nothing for what is not a finite number.
std::optional<double> parsed(QString text)
{
    bool isNumber = false;
    const double value = text.trimmed().replace(u',', u'.').replace(u'−', u'-').toDouble(&isNumber);
    return isNumber && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

/// Where the plot draws that end.
double placeOf(const Range& range, const PlacedEnd& end)
{
    if (end.domain == Domain::Signed)
        return end.isLow ? range.low : range.high;
    return markPlaces({.label = {}, .color = {}, .clip = range}, Domain::Magnitude).back();
}

/// A symmetric scheme's low end may lie a level beyond the threshold: it keeps its share of it.
double thresholdBehind(const Range& range, double place, double value)
{
    return place == range.high || place == 0.0 ? std::abs(value)
                                               : range.high * std::abs(value / place);
}

}  // namespace

ThresholdField::ThresholdField(QWidget* parent)
    : QWidget(parent),
      m_title(new PlainLabel(tr("Manual"), this)),
      m_low(makeEdit(QStringLiteral("manualLow"), tr("Manual low end"))),
      m_to(new PlainLabel(this)),
      m_high(makeEdit(QStringLiteral("manualHigh"), tr("Manual threshold"))),
      m_clear(new QToolButton(this)),
      m_result(new ElidedLabel(Qt::ElideRight, this))
{
    m_title->setBuddy(m_high);
    m_clear->setObjectName(QStringLiteral("manualClear"));
    m_clear->setText(QStringLiteral("×"));
    m_clear->setAutoRaise(true);
    m_clear->setToolTip(tr("Clears the manual range"));
    m_clear->setAccessibleName(m_clear->toolTip());
    QSizePolicy ofClear = m_clear->sizePolicy();
    ofClear.setRetainSizeWhenHidden(true);
    m_clear->setSizePolicy(ofClear);
    m_result->setObjectName(QStringLiteral("manualResult"));
    m_result->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(6);
    for (QWidget* widget :
         {static_cast<QWidget*>(m_title), static_cast<QWidget*>(m_low), static_cast<QWidget*>(m_to),
          static_cast<QWidget*>(m_high), static_cast<QWidget*>(m_clear)})
        layout->addWidget(widget);
    layout->addWidget(m_result, 1);
    connect(m_clear, &QToolButton::clicked, this, &ThresholdField::cleared);
    setEnds(Ends::Threshold);
    setRange(std::nullopt, {});
}

QLineEdit* ThresholdField::makeEdit(const QString& name, const QString& accessibleName)
{
    auto* edit = new QLineEdit(this);
    edit->setObjectName(name);
    edit->setAccessibleName(accessibleName);
    edit->setToolTip(tr("Enter sets it; the arrow keys move it by one bin, with Shift by ten"));
    edit->installEventFilter(this);
    connect(edit, &QLineEdit::returnPressed, this, &ThresholdField::takeTyped);
    connect(edit, &QLineEdit::textEdited, this, [this] { markWrong({}); });
    return edit;
}

void ThresholdField::setEnds(Ends ends)
{
    m_ends = ends;
    m_low->setVisible(ends == Ends::Both);
    // The page keeps its least width: else the panels beside it move while cards are opened.
    const int whole = fontMetrics().horizontalAdvance(QStringLiteral("−0.00000000e−00"));
    for (QLineEdit* edit : {m_low, m_high})
        edit->setFixedWidth(ends == Ends::Both ? 2 * whole / 3 : whole);
    m_result->setMinimumWidth(ends == Ends::Both ? 1 : m_result->minimumSizeHint().width());
    m_to->setText(ends == Ends::Both ? QStringLiteral("…") : QStringLiteral("±"));
    m_high->setAccessibleName(ends == Ends::Both ? tr("Manual high end") : tr("Manual threshold"));
}

void ThresholdField::setRange(const std::optional<Range>& range, const Range& instead)
{
    const bool isOther = range != m_range;
    m_range = range;
    m_instead = instead;
    m_clear->setVisible(range.has_value());
    const auto isBeingTyped = [](const QLineEdit* edit) {
        return edit->hasFocus() && edit->isModified();
    };
    if (isOther || (m_wrong.isEmpty() && !isBeingTyped(m_low) && !isBeingTyped(m_high)))
        showTexts();
    if (!range)
        setResult({});
}

/// What is set, in place of what was typed.
void ThresholdField::showTexts()
{
    markWrong({});
    const auto show = [&](QLineEdit* edit, double value, double hint) {
        edit->setPlaceholderText(valueLabel(hint, 5));  // a hint, not to be copied
        const QString text = m_range ? typedText(value) : QString();
        if (edit->text() != text) {
            edit->setText(text);
            edit->setCursorPosition(0);  // the leading digits are the ones to be seen
        }
    };
    show(m_low, m_range.value_or(Range{}).low, m_instead.low);
    show(m_high, m_range.value_or(Range{}).high, m_instead.high);
}

void ThresholdField::setResult(const QString& text)
{
    m_resultText = text;
    if (m_wrong.isEmpty())
        m_result->setText(text);
}

/// In place of the result, and in the colour of problems; empty: nothing is wrong.
void ThresholdField::markWrong(const QString& sentence)
{
    if (sentence == m_wrong)
        return;
    m_wrong = sentence;
    m_result->setForegroundRole(sentence.isEmpty() ? QPalette::WindowText : QPalette::BrightText);
    m_result->setText(sentence.isEmpty() ? m_resultText : sentence);
}

/// Empty: each field that is filled in holds a number.
QString ThresholdField::wrongText() const
{
    for (const QLineEdit* edit : {m_low, m_high}) {
        const bool isAsked = edit == m_high || m_ends == Ends::Both;
        if (isAsked && !edit->text().trimmed().isEmpty() && !parsed(edit->text()))
            return tr("\"%1\" is not a number").arg(edit->text().trimmed());
    }
    return {};
}

void ThresholdField::focusNumber()
{
    m_high->setFocus(Qt::ShortcutFocusReason);
    m_high->selectAll();
}

void ThresholdField::takeTyped()
{
    const bool isBlank = m_high->text().trimmed().isEmpty() &&
                         (m_ends == Ends::Threshold || m_low->text().trimmed().isEmpty());
    if (isBlank) {
        if (m_range)
            Q_EMIT cleared();
        Q_EMIT left();
        return;
    }
    if (const QString wrong = wrongText(); !wrong.isEmpty())
        return markWrong(wrong);
    Range range = current();
    // An end that was not typed keeps the digits that are not shown.
    const auto typed = [this](const QLineEdit* edit, double shown) {
        const bool isShown = m_range && !edit->isModified() && edit->text() == typedText(shown);
        return isShown ? std::optional(shown) : parsed(edit->text());
    };
    const std::optional<double> high = typed(m_high, range.high);
    const std::optional<double> low = typed(m_low, range.low);
    if (m_ends == Ends::Threshold)
        range = {-std::abs(high.value_or(0.0)), std::abs(high.value_or(0.0))};
    else
        range = {std::min(low.value_or(range.low), 0.0), std::max(high.value_or(range.high), 0.0)};
    Q_EMIT rangeChosen(range, false);
    Q_EMIT left();
}

void ThresholdField::nudge(const QLineEdit& edit, double steps)
{
    Range range = current();
    if (m_ends == Ends::Threshold) {
        const double threshold = std::max(range.high + steps * m_step, m_step);
        range = {-threshold, threshold};
    } else if (&edit == m_low) {
        range.low = std::min(range.low + steps * m_step, 0.0);
    } else {
        range.high = std::max(range.high + steps * m_step, 0.0);
    }
    Q_EMIT rangeChosen(range, true);
}

bool ThresholdField::eventFilter(QObject* watched, QEvent* event)
{
    const bool isKey =
        event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride;
    if (isKey && static_cast<const QKeyEvent&>(*event).key() == Qt::Key_Escape) {
        event->accept();  // no other action's key here
        if (event->type() == QEvent::KeyPress) {
            showTexts();
            Q_EMIT left();
        }
        return true;
    }
    if (event->type() == QEvent::KeyPress && m_step > 0.0) {
        const auto& key = static_cast<const QKeyEvent&>(*event);
        const double steps = key.modifiers() & Qt::ShiftModifier ? nudgeFactor : 1.0;
        const auto& edit = *qobject_cast<QLineEdit*>(watched);
        if (key.key() == Qt::Key_Up || key.key() == Qt::Key_Down) {
            nudge(edit, key.key() == Qt::Key_Up ? steps : -steps);
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

Range withMovedEnd(const Range& range, const PlacedEnd& end, double value)
{
    const double place = placeOf(range, end);
    if (!end.isAffine) {
        const double threshold = thresholdBehind(range, place, value);
        return {-threshold, threshold};
    }
    const bool isLow = end.domain == Domain::Magnitude ? place != range.high : end.isLow;
    if (isLow)
        return {std::min(end.domain == Domain::Magnitude ? -value : value, 0.0), range.high};
    return {range.low, std::max(value, 0.0)};
}

ManualThreshold::ManualThreshold(Document& document, QWidget* parent)
    : QWidget(parent), m_document(document), m_field(new ThresholdField(this))
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins({});
    layout->addWidget(m_field);
    connect(m_field, &ThresholdField::rangeChosen, this, [this](const Range& range, bool isNudge) {
        const OutcomeRow* inFocus = rowInFocus(m_rows);
        setRange(range, isNudge ? QStringLiteral("manual nudge") : QString(),
                 inFocus ? inFocus->candidate.id : std::string());
    });
    connect(m_field, &ThresholdField::left, this, &ManualThreshold::left);
    connect(m_field, &ThresholdField::cleared, this,
            [this] { edits::clearManualRange(m_document); });
}

void ManualThreshold::focusNumber()
{
    m_field->focusNumber();
}

const OutcomeRow* ManualThreshold::row(const QString& id) const
{
    const auto found = std::ranges::find_if(
        m_rows, [&](const OutcomeRow& row) { return row.candidate.id == id.toStdString(); });
    return found == m_rows.end() ? nullptr : &*found;
}

void ManualThreshold::show(const std::vector<OutcomeRow>& rows, const Histogram* histogram)
{
    m_rows = rows;
    const OutcomeRow* inFocus = rowInFocus(m_rows);
    const bool canBeSet = histogram && histogram->low < histogram->high && inFocus;
    setVisible(canBeSet);
    if (!canBeSet)
        return;
    m_domain = histogram->spec.domain;
    m_field->setStep(histogram->width());
    m_field->setEnds(inFocus->candidate.choice.scheme.isAffine() ? ThresholdField::Ends::Both
                                                                 : ThresholdField::Ends::Threshold);
    m_field->setRange(edits::manualRange(m_document), inFocus->outcome->whole.quantizer.clip);
    if (edits::manualRange(m_document))
        if (const OutcomeRow* manualRange = row(QString::fromLatin1(manualId)))
            m_field->setResult(resultText(*manualRange));
}

void ManualThreshold::moveHandle(const QString& handle, double value, bool isFinal)
{
    const std::optional<MovedEnd> end = movedEnd(handle);
    const OutcomeRow* moved = end ? row(end->id) : nullptr;
    const protocol::TensorView* view = m_document.questions().reader().result();
    const std::optional<Range> from =
        moved && view ? drawnClip(*moved, view->profile.extents()) : std::nullopt;
    if (!from)
        return;
    const Choice& choice = moved->candidate.choice;
    const std::string schemeOf =
        moved->origin == OutcomeRow::Origin::Manual ? std::string() : moved->candidate.id;
    const bool isNudge = isFinal && !m_isDragging;
    if (!isNudge && !m_isDragging)
        ++m_gesture;
    m_isDragging = !isFinal;
    setRange(
        withMovedEnd(
            *from, {.domain = m_domain, .isAffine = choice.scheme.isAffine(), .isLow = end->isLow},
            value),
        isNudge ? QStringLiteral("manual nudge") : QStringLiteral("manual drag %1").arg(m_gesture),
        schemeOf);
    // The next key goes on from here.
    if (isFinal && !schemeOf.empty())
        Q_EMIT handleTaken(handleId({QString::fromLatin1(manualId), end->isLow}));
}

void ManualThreshold::setRange(const Range& range, const QString& mergeKey,
                               const std::string& schemeOf)
{
    const TensorInfo* tensor = m_document.selectedTensor();
    if (!tensor)
        return;
    m_document.change(
        edits::stepOn(m_document, tr("Set manual threshold"), {m_document.selected()}),
        [&](Workbench& bench) {
            edits::placeManualRange(bench, tensor->path, manualClip(range));
            // What was set manually before keeps its scheme.
            if (!schemeOf.empty() && schemeOf != manualId)
                bench.manualScheme = schemeOf;
        },
        mergeKey.isEmpty() ? mergeKey : mergeKey + u' ' + QString::fromStdString(tensor->path));
    cardsOf(m_document).choose(manualId);
}

}  // namespace calibscope
