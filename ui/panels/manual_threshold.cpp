// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/manual_threshold.h"

#include "ui/charts/threshold_layer.h"
#include "ui/document/card_choice.h"
#include "ui/document/edits.h"
#include "ui/document/manual_range.h"
#include "ui/document/questions.h"
#include "ui/panels/browse_marks.h"
#include "ui/panels/threshold_field.h"

#include <QHBoxLayout>

#include <algorithm>
#include <cmath>

namespace calibscope {

namespace {

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
        tr("Set manual threshold"),
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
