// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/slice/slice_page.h"

#include "ui/charts/slice_content.h"
#include "ui/document/questions.h"
#include "ui/document/tensor_text.h"
#include "ui/pages/slice/found_bar.h"
#include "ui/pages/slice/slice_controls.h"
#include "ui/pages/slice/slice_facts.h"
#include "ui/pages/slice/slice_side.h"
#include "ui/panels/tensor_header.h"
#include "ui/plot/number_label.h"
#include "ui/widgets/parts_label.h"
#include "ui/widgets/plot_splitter.h"
#include "ui/widgets/state_notice.h"

#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace calibscope {

namespace {

constexpr int restMs = 60;
constexpr std::uint64_t mostPixelsAcross = 1024;
constexpr std::uint64_t mostPixelsDown = 640;

/// Values to a cell, so that no more cells than pixels are read.
std::uint64_t stepFor(std::uint64_t count, int pixels, std::uint64_t most)
{
    const std::uint64_t cells =
        std::clamp<std::uint64_t>(static_cast<std::uint64_t>(std::max(pixels, 1)), 64, most);
    return (count - 1) / cells + 1;
}

/// The indices that a range of an axis shows: the first and how many.
std::pair<std::uint64_t, std::uint64_t> indicesIn(const Range& shown, std::uint64_t length)
{
    const auto most = static_cast<double>(length);
    const double low = std::clamp(std::floor(shown.low + 0.5), 0.0, most - 1.0);
    const double high = std::clamp(std::ceil(shown.high + 0.5), low + 1.0, most);
    return {static_cast<std::uint64_t>(low), static_cast<std::uint64_t>(high - low)};
}

}  // namespace

SlicePage::SlicePage(Document& document, QWidget* parent)
    : WorkspacePage(parent),
      m_document(document),
      m_reader(document.questions().ofPictures()),
      m_title(new TensorTitle(document, this)),
      m_controls(new SliceControls(this)),
      m_found(new FoundBar(document, this))
{
    fillWith(makeBody(), {m_title});
    m_rest.setSingleShot(true);
    m_rest.setInterval(restMs);
    connectParts();
    connectDocument();
}

QWidget* SlicePage::makeBody()
{
    auto* body = new QWidget(this);
    auto* halves = new PlotSplitter(Qt::Horizontal, body);
    m_plots = new PlotSplitter(Qt::Vertical, halves);
    m_picture = new SlicePlot(m_plots);
    m_picture->setAccessibleDescription(tr("Arrows choose a value, Page Up and Page Down go along "
                                           "the first of the other axes."));
    m_line = new ContentPlot<SliceLineContent>(m_plots);
    m_plots->setUsualShares({7, 3});
    m_side = new SliceSide(m_document, halves);
    halves->setUsualShares({4, 1});
    m_state = new ElidedLabel(Qt::ElideRight, body);
    auto* layout = new QVBoxLayout(body);
    layout->setContentsMargins({});
    layout->setSpacing(4);
    layout->addWidget(m_controls);
    layout->addWidget(m_found);
    layout->addWidget(m_state);
    layout->addWidget(halves, 1);
    return body;
}

void SlicePage::connectParts()
{
    connect(&m_rest, &QTimer::timeout, this, &SlicePage::ask);
    const auto askSoon = [this] { m_rest.start(); };
    for (PlotView* plot : std::initializer_list<PlotView*>{m_picture, m_line}) {
        connect(plot, &PlotView::readoutChanged, this, &SlicePage::readoutChanged);
        connect(plot, &PlotView::shownRangeChanged, this, askSoon);
        connect(plot, &PlotView::zoomCommitted, this, askSoon);
    }
    connect(m_picture, &PlotView::pointed, this, [this](std::optional<QPointF> values) {
        if (!values || values->x() < -0.5 || values->y() < -0.5)
            return;
        const auto row = static_cast<std::uint64_t>(values->y() + 0.5);
        const auto column = static_cast<std::uint64_t>(values->x() + 0.5);
        QMetaObject::invokeMethod(
            this,
            [this, row, column] {
                Q_EMIT readoutChanged(factsAt(row, column).replace(u'\n', QStringLiteral("   ")));
            },
            Qt::QueuedConnection);
    });
    connect(m_picture, &SlicePlot::chosen, this, [this](quint64 row, quint64 column) {
        SliceAxes axes = m_axes;
        if (axes.row)
            axes.at[*axes.row] = row;
        axes.at[axes.column] = column;
        setAxes(axes);
    });
    connect(m_line, &PlotView::clicked, this, [this](const QPointF& values) {
        SliceAxes axes = m_axes;
        const TensorInfo* tensor = shownTensor();
        const std::uint64_t axis = isLineOfRow() ? axes.column : *axes.row;
        if (!tensor || values.x() < -0.5)
            return;
        axes.at[axis] =
            std::min(static_cast<std::uint64_t>(values.x() + 0.5), tensor->shape[axis] - 1);
        setAxes(axes);
    });
    connect(m_picture, &SlicePlot::moved, this, &SlicePage::move);
    connect(m_picture, &SlicePlot::turned, this, &SlicePage::turn);
    connect(m_controls, &SliceControls::axesWanted, this, &SlicePage::setAxes);
    connect(m_controls, &SliceControls::displayChanged, this, [this] {
        ask();
        refresh();
    });
    connect(m_controls, &SliceControls::left, this, [this] { currentPlot()->setFocus(); });
    connect(&m_reader, &SliceReader::changed, this, &SlicePage::refresh);
    connect(m_notice, &StateNotice::buttonClicked, this, [this] {
        m_reader.clear();
        showBody();
        ask();
    });
    connect(m_side, &SliceSide::placeChosen, this, &SlicePage::goTo);
    connect(m_found, &FoundBar::placeFound, this, &SlicePage::goTo);
    connect(m_found, &FoundBar::cleared, this, [this] {
        ask();
        refresh();
        currentPlot()->setFocus();
    });
}

void SlicePage::connectDocument()
{
    connect(&m_document, &Document::dumpChanged, this, [this] {
        m_axesOf.clear();
        m_tensor = -1;
        turnToTensor();
    });
    connect(&m_document, &Document::selectionChanged, this, &SlicePage::turnToTensor);
    connect(&m_document, &Document::tensorsChanged, this, [this] {
        m_tensor = -1;
        turnToTensor();
    });
    connect(&m_document.questions(), &Questions::viewChanged, this, &SlicePage::ask);
    connect(&m_document, &Document::changed, this, [this](const DocumentChange& change) {
        if (change.concerns(DocumentChange::Outcomes | DocumentChange::Workbench))
            ask();
    });
}

const TensorInfo* SlicePage::shownTensor() const
{
    const TensorInfo* tensor = m_document.selectedTensor();
    const bool hasValues = tensor && tensor->isReadable() && tensor->valueCount() > 0;
    return hasValues && !tensor->shape.empty() ? tensor : nullptr;
}

/// Another tensor, or none.
void SlicePage::turnToTensor()
{
    if (!isVisible() || (m_tensor == m_document.selected() && m_tensor >= 0))
        return;
    m_tensor = m_document.selected();
    m_found->clear();
    m_side->look(shownTensor());
    m_reader.clear();
    m_picture->shown().setEmpty({});
    m_picture->update(true);
    m_line->shown().setEmpty({});
    m_line->update(true);
    const TensorInfo* tensor = m_document.selectedTensor();
    m_title->show(tensor ? QString::fromStdString(tensor->name) : QString(),
                  tensor ? shapeLabel(*tensor) + QStringLiteral("   ") + typeLabel(*tensor)
                         : QString());
    if (!tensor)
        return say(tr("No tensor"), tr("Choose a tensor in the list to see where its values lie."));
    if (!tensor->isReadable())
        return say(tr("This tensor can't be read"),
                   QString::fromStdString(tensor->unreadable.sentence));
    if (tensor->valueCount() == 0)
        return say(tr("This tensor is empty"), tr("It has no values."));
    if (tensor->shape.empty())
        return say(tr("A single value"), tr("It has no axes along which values could lie."));
    showBody();
    const auto known = m_axesOf.find(tensor->path);
    const bool isKnown = known != m_axesOf.end() && known->second.at.size() == tensor->shape.size();
    m_axes = isKnown ? known->second : usualAxes(tensor->shape);
    m_picture->setVisible(m_axes.row.has_value());
    m_controls->show(*tensor, m_axes);
    ask();
}

void SlicePage::setAxes(const SliceAxes& axes)
{
    const TensorInfo* tensor = shownTensor();
    if (!tensor || m_axes == axes)
        return;
    const bool isOtherPlane = axes.row != m_axes.row || axes.column != m_axes.column;
    m_axes = axes;
    m_axesOf[tensor->path] = axes;
    m_controls->show(*tensor, axes);
    if (isOtherPlane) {
        m_picture->shown().setEmpty({});
        m_picture->update(true);
    }
    ask();
    refresh();
    if (axes.row)
        m_picture->reveal(axes.chosenRow(), axes.chosenColumn());
}

bool SlicePage::isLineOfRow() const
{
    return !m_axes.row || m_controls->line() == SliceControls::Line::Row;
}

SliceQuestion SlicePage::planeQuestion(const TensorInfo& tensor) const
{
    SliceQuestion question{.rowAxis = m_axes.row, .columnAxis = m_axes.column, .at = m_axes.at};
    question.at[*m_axes.row] = 0;  // shown: the same question wherever the chosen value is
    question.at[m_axes.column] = 0;
    question.rowCount = tensor.shape[*m_axes.row];
    question.columnCount = tensor.shape[m_axes.column];
    question.rowStep = stepFor(question.rowCount, m_picture->height(), mostPixelsDown);
    question.columnStep = stepFor(question.columnCount, m_picture->width(), mostPixelsAcross);
    question.clips = clipsOf(tensor, boldRow());
    question.marked = m_found->marked();
    return question;
}

/// What is on screen, if that is less than all and can be shown more closely.
std::optional<SliceQuestion> SlicePage::partQuestion(const SliceQuestion& whole) const
{
    const PlotZoom zoom = m_picture->zoom();
    if ((whole.rowStep == 1 && whole.columnStep == 1) || (!zoom.x && zoom.y.empty()))
        return std::nullopt;
    SliceQuestion part = whole;
    if (!zoom.y.empty())
        std::tie(part.firstRow, part.rowCount) = indicesIn(zoom.y.front(), whole.rowCount);
    if (zoom.x)
        std::tie(part.firstColumn, part.columnCount) = indicesIn(*zoom.x, whole.columnCount);
    part.rowStep = stepFor(part.rowCount, m_picture->height(), mostPixelsDown);
    part.columnStep = stepFor(part.columnCount, m_picture->width(), mostPixelsAcross);
    if (part.rowStep == whole.rowStep && part.columnStep == whole.columnStep)
        return std::nullopt;
    return part;
}

SliceQuestion SlicePage::lineQuestion(const TensorInfo& tensor) const
{
    const std::uint64_t axis = isLineOfRow() ? m_axes.column : *m_axes.row;
    SliceQuestion question{.columnAxis = axis, .at = m_axes.at};
    question.at[axis] = 0;
    std::tie(question.firstColumn, question.columnCount) =
        m_line->isEmpty() ? std::pair(std::uint64_t{0}, tensor.shape[axis])
                          : indicesIn(m_line->shownRange(), tensor.shape[axis]);
    question.columnStep = stepFor(question.columnCount, m_line->width(), 2 * mostPixelsAcross);
    question.clips = clipsOf(tensor, boldRow());
    question.marked = m_found->marked();
    return question;
}

void SlicePage::ask()
{
    const TensorInfo* tensor = shownTensor();
    if (!isVisible() || !tensor || m_tensor != m_document.selected())
        return;
    TensorRef address = m_document.addressOf(m_tensor);
    address.part = {};
    SliceWish wish{.tensor = std::move(address), .whole = {}, .part = {}, .line = {}};
    if (m_axes.row) {
        wish.whole = planeQuestion(*tensor);
        wish.part = partQuestion(*wish.whole);
    }
    wish.line = lineQuestion(*tensor);
    m_reader.show(wish);
    refreshState();
}

void SlicePage::showValues(const MarkedValues& marked, const QString& words)
{
    turnToTensor();
    if (!shownTensor())
        return;
    m_found->look(marked, words);
    ask();
    refresh();
}

/// To the value at a flat index of the file's order.
void SlicePage::goTo(quint64 place)
{
    const TensorInfo* tensor = shownTensor();
    if (!tensor || place >= tensor->valueCount())
        return;
    SliceAxes axes = m_axes;
    axes.at = indexOf(tensor->shape, place);
    setAxes(axes);
}

void SlicePage::move(int rows, int columns)
{
    const TensorInfo* tensor = shownTensor();
    if (!tensor)
        return;
    SliceAxes axes = m_axes;
    const auto add = [&](std::uint64_t axis, int steps) {
        const auto last = static_cast<std::int64_t>(tensor->shape[axis]) - 1;
        axes.at[axis] = static_cast<std::uint64_t>(
            std::clamp<std::int64_t>(static_cast<std::int64_t>(axes.at[axis]) + steps, 0, last));
    };
    if (axes.row)
        add(*axes.row, rows);
    add(axes.column, columns);
    setAxes(axes);
}

/// Along the first axis that is not shown and longer than 1.
void SlicePage::turn(int indices)
{
    const TensorInfo* tensor = shownTensor();
    for (std::uint64_t axis = 0; tensor && axis < tensor->shape.size(); ++axis) {
        if (m_axes.isShown(axis) || tensor->shape[axis] < 2)
            continue;
        SliceAxes axes = m_axes;
        const auto last = static_cast<std::int64_t>(tensor->shape[axis]) - 1;
        axes.at[axis] = static_cast<std::uint64_t>(
            std::clamp<std::int64_t>(static_cast<std::int64_t>(axes.at[axis]) + indices, 0, last));
        return setAxes(axes);
    }
}

const OutcomeRow* SlicePage::boldRow() const
{
    return proposedRow(m_document.questions().rows());
}

PlotView* SlicePage::currentPlot() const
{
    if (m_axes.row && !m_line->hasFocus())
        return m_picture;
    return m_line;
}

QString SlicePage::factsAt(std::uint64_t row, std::uint64_t column) const
{
    const TensorInfo* tensor = shownTensor();
    if (!tensor)
        return {};
    std::vector<std::uint64_t> index = m_axes.at;
    if (m_axes.row)
        index[*m_axes.row] = row;
    index[m_axes.column] = column;
    for (std::size_t axis = 0; axis < index.size(); ++axis)
        if (index[axis] >= tensor->shape[axis])
            return {};
    QStringList lines{indexLabel(index)};
    const SliceContent::Cell cell = cellOf(row, column);
    if (!cell.slice)
        return (lines << tr("not read yet")).join(u'\n');
    const Slice& slice = *cell.slice;
    const auto low = static_cast<double>(slice.low[cell.place]);
    const auto high = static_cast<double>(slice.high[cell.place]);
    const std::uint8_t marks = slice.marks[cell.place];
    const bool isOne = slice.rowStep == 1 && slice.columnStep == 1;
    if (isOne && !std::isnan(low))
        lines += factsOfValue(low, quantizerOf(*tensor, boldRow(), index));
    else if (!std::isnan(low))
        lines += tr("%1 values here, from %2 to %3; zoom in to tell them apart")
                     .arg(slice.rowStep == 1
                              ? countLabel(slice.columnStep)
                              : QStringLiteral("%1 × %2").arg(countLabel(slice.rowStep),
                                                              countLabel(slice.columnStep)),
                          valueLabel(low, 6), valueLabel(high, 6));
    if ((marks & Slice::HasNan) != 0)
        lines += QStringLiteral("NaN");
    if ((marks & Slice::HasPositiveInf) != 0)
        lines += QStringLiteral("+∞");
    if ((marks & Slice::HasNegativeInf) != 0)
        lines += QStringLiteral("−∞");
    if (!isOne && slice.clipped[cell.place] > 0)
        lines += countText(slice.clipped[cell.place], tr("1 is clipped"), tr("%1 are clipped"));
    return lines.join(u'\n');
}

/// Where the value is stated most closely: the line may hold it alone.
SliceContent::Cell SlicePage::cellOf(std::uint64_t row, std::uint64_t column) const
{
    SliceContent::Cell cell;
    if (m_axes.row)
        cell = m_picture->shown().cellAt(row, column);
    if (cell.slice && cell.slice->rowStep == 1 && cell.slice->columnStep == 1)
        return cell;
    const SliceReader::Shared line = m_reader.line();
    const bool isOnLine =
        line && line->rowCount == 1 &&
        (isLineOfRow() ? row == m_axes.chosenRow() : column == m_axes.chosenColumn());
    const std::uint64_t along = isLineOfRow() ? column : row;
    if (!isOnLine || along < line->firstColumn || along - line->firstColumn >= line->columnCount)
        return cell;
    const std::size_t place = (along - line->firstColumn) / line->columnStep;
    const bool isRead = (line->marks[place] & Slice::IsUnread) == 0;
    return isRead && (line->columnStep == 1 || !cell.slice) ? SliceContent::Cell{line.get(), place}
                                                            : cell;
}

void SlicePage::refresh()
{
    const TensorInfo* tensor = shownTensor();
    if (!tensor || !isVisible())
        return;
    if (!m_reader.problem().isEmpty())
        return say(tr("This part of the tensor could not be read"), m_reader.problem(),
                   tr("Try again"));
    showBody();
    if (m_axes.row)
        refreshPicture(*tensor);
    refreshLine(*tensor);
    refreshState();
    m_side->setFacts(factsAt(m_axes.chosenRow(), m_axes.chosenColumn()));
}

void SlicePage::refreshPicture(const TensorInfo& tensor)
{
    const SliceReader::Shared whole = m_reader.whole();
    const std::optional<SliceQuestion>& answered = m_reader.wholeQuestion();
    const bool isOfPlane =
        answered && answered->rowAxis == m_axes.row && answered->columnAxis == m_axes.column;
    if (!whole || !isOfPlane)
        return;
    SliceContent& content = m_picture->shown();
    const bool isFirst = content.isEmpty();
    const protocol::TensorView* view = m_document.questions().reader().result();
    const bool hasExtents = view && view->profile.extents().finite > 0;
    const bool byClip = m_controls->colors() == SliceControls::Colors::ClipRange;
    content.setExtent(tensor.shape[*m_axes.row], tensor.shape[m_axes.column]);
    content.setSlices(whole, m_reader.part());
    content.setRange(colorRange(
        byClip ? clipsOf(tensor, boldRow()) : std::vector<Range>(),
        hasExtents ? std::optional(Range{view->profile.extents().min, view->profile.extents().max})
                   : std::nullopt,
        *whole));
    content.setWords(
        {.rows = axisName(tensor, *m_axes.row),
         .columns = axisName(tensor, m_axes.column),
         .clipped = answered->clips.empty() ? QString() : tr("clipped by %1").arg(candidateName()),
         .marked = answered->marked ? m_found->words() : QString(),
         .clip =
             answered->clips.size() == 1 ? std::optional(answered->clips.front()) : std::nullopt,
         .at = [this](std::uint64_t row, std::uint64_t column) { return factsAt(row, column); }});
    m_picture->update(isFirst);
    m_picture->setChosen(m_axes.chosenRow(), m_axes.chosenColumn());
}

QString SlicePage::candidateName() const
{
    const OutcomeRow* bold = boldRow();
    return bold && bold->hasResult() ? QString::fromStdString(bold->candidate.label) : QString();
}

void SlicePage::refreshLine(const TensorInfo& tensor)
{
    const SliceReader::Shared line = m_reader.line();
    const std::uint64_t axis = isLineOfRow() ? m_axes.column : *m_axes.row;
    const std::optional<SliceQuestion>& answered = m_reader.lineQuestion();
    if (!line || !answered || answered->columnAxis != axis)
        return;
    // Rows share x with the picture.
    if (const bool isShared = m_axes.row && isLineOfRow(); isShared != m_isLinked) {
        m_isLinked = isShared;
        if (isShared)
            m_picture->linkX(*m_line);
        else
            m_line->unlinkX();
        m_picture->setXLabelsShown(!isShared);
    }
    SliceLineContent& content = m_line->shown();
    const bool isFirst = content.isEmpty() || m_lineAxis != axis;
    m_lineAxis = axis;
    content.setLine(line, tensor.shape[axis]);
    const QString fixed =
        !m_axes.row ? QString()
        : isLineOfRow()
            ? tr(", at %1 = %2").arg(axisName(tensor, *m_axes.row), countLabel(m_axes.chosenRow()))
            : tr(", at %1 = %2")
                  .arg(axisName(tensor, m_axes.column), countLabel(m_axes.chosenColumn()));
    content.setTitle(axisName(tensor, axis) + fixed);
    const std::vector<Range> clips = clipsOf(tensor, boldRow());
    const bool isAlongChannels = clips.size() > 1 && tensor.channelAxis == static_cast<int>(axis);
    const Quantizer* quantizer = quantizerOf(tensor, boldRow(), m_axes.at);
    content.setClip(quantizer && !isAlongChannels ? std::optional(quantizer->clip) : std::nullopt);
    m_line->update(isFirst && !m_isLinked);
}

void SlicePage::refreshState()
{
    const SliceReader::Shared shown = m_reader.part()    ? m_reader.part()
                                      : m_reader.whole() ? m_reader.whole()
                                                         : m_reader.line();
    QString sentence =
        shown ? sliceSentence(*shown, candidateName(), m_found->words()) : tr("Reading…");
    // In front of what a narrow window elides.
    if (const TensorInfo* tensor = shownTensor(); tensor && tensor->mask)
        sentence = tr("Masked positions are shown, too. ") + sentence;
    m_state->setText(sentence);
}

void SlicePage::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    turnToTensor();
    ask();
    refresh();
}

void SlicePage::hideEvent(QHideEvent* event)
{
    m_rest.stop();
    QWidget::hideEvent(event);
}

/// What is read has as many cells as the picture pixels.
void SlicePage::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    m_rest.start();
}

}  // namespace calibscope
