// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/slice/slice_controls.h"

#include "ui/plot/number_label.h"
#include "ui/theme/plain_text.h"

#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <limits>

namespace calibscope {

namespace {

constexpr int shortestChoice = 9;  // characters; the page shrinks before they are all to be read
constexpr int indicesPerRow = 3;

int asInt(std::uint64_t number)
{
    return static_cast<int>(std::min<std::uint64_t>(number, std::numeric_limits<int>::max()));
}

}  // namespace

SliceControls::SliceControls(QWidget* parent)
    : QWidget(parent),
      m_rows(new QComboBox(this)),
      m_columns(new QComboBox(this)),
      m_line(new QComboBox(this)),
      m_colors(new QComboBox(this)),
      m_swap(new QToolButton(this))
{
    m_line->addItem(tr("row"), static_cast<int>(Line::Row));
    m_line->addItem(tr("column"), static_cast<int>(Line::Column));
    m_colors->addItem(tr("clip range"), static_cast<int>(Colors::ClipRange));
    m_colors->addItem(tr("slice"), static_cast<int>(Colors::Values));
    m_swap->setText(tr("Swap"));
    m_swap->setToolTip(tr("Rows become columns"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 2, 0, 4);
    layout->setSpacing(4);
    m_choosers = new QBoxLayout(QBoxLayout::LeftToRight);
    m_choosers->setSpacing(4);
    auto* ofAxes = new QHBoxLayout;
    auto* ofDrawing = new QHBoxLayout;
    for (QHBoxLayout* line : {ofAxes, ofDrawing})
        line->setSpacing(4);
    const auto add = [&](QHBoxLayout& line, const QString& text, QComboBox* box) {
        auto* label = new PlainLabel(text, this);
        label->setBuddy(box);
        box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
        box->setMinimumWidth(shortestChoice * fontMetrics().averageCharWidth());
        box->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
        line.addWidget(label);
        line.addWidget(box);
        return label;
    };
    m_rowLabel = add(*ofAxes, tr("&Down"), m_rows);
    m_columnLabel = add(*ofAxes, tr("&Across"), m_columns);
    ofAxes->addWidget(m_swap);
    ofAxes->addStretch(1);
    m_lineLabel = add(*ofDrawing, tr("&Line"), m_line);
    m_colorLabel = add(*ofDrawing, tr("Colo&urs"), m_colors);
    ofDrawing->addStretch(1);
    m_choosers->addLayout(ofAxes, 1);
    m_choosers->addLayout(ofDrawing);
    layout->addLayout(m_choosers);
    m_indexGrid = new QGridLayout;
    m_indexGrid->setSpacing(4);
    layout->addLayout(m_indexGrid);
    for (QComboBox* box : {m_rows, m_columns, m_line, m_colors})
        box->installEventFilter(this);
    connect(m_rows, &QComboBox::activated, this, [this] { chooseAxis(true); });
    connect(m_columns, &QComboBox::activated, this, [this] { chooseAxis(false); });
    connect(m_swap, &QToolButton::clicked, this, &SliceControls::swap);
    connect(m_line, &QComboBox::activated, this, &SliceControls::displayChanged);
    connect(m_colors, &QComboBox::activated, this, &SliceControls::displayChanged);
}

SliceControls::Colors SliceControls::colors() const
{
    return static_cast<Colors>(m_colors->currentData().toInt());
}

SliceControls::Line SliceControls::line() const
{
    return static_cast<Line>(m_line->currentData().toInt());
}

std::vector<QSpinBox*> SliceControls::indexBoxes() const
{
    std::vector<QSpinBox*> boxes;
    for (std::size_t place = 0; place < m_indexAxes.size(); ++place)
        boxes.push_back(m_indices[place].box);
    return boxes;
}

void SliceControls::addIndex()
{
    const std::size_t place = m_indices.size();
    Index index{new PlainLabel(this), new QSpinBox(this), new QSlider(Qt::Horizontal, this)};
    index.label->setBuddy(index.box);
    index.box->setKeyboardTracking(false);
    index.box->setAccelerated(true);
    index.box->installEventFilter(this);
    index.slider->installEventFilter(this);
    const int row = static_cast<int>(place) / indicesPerRow;
    const int column = 3 * (static_cast<int>(place) % indicesPerRow);
    m_indexGrid->addWidget(index.label, row, column);
    m_indexGrid->addWidget(index.box, row, column + 1);
    m_indexGrid->addWidget(index.slider, row, column + 2);
    m_indexGrid->setColumnStretch(column + 2, 1);
    const auto take = [this, place](int value) {
        SliceAxes wanted = m_axes;
        wanted.at[m_indexAxes[place]] = static_cast<std::uint64_t>(value);
        Q_EMIT axesWanted(wanted);
    };
    connect(index.box, &QSpinBox::valueChanged, this, take);
    connect(index.slider, &QSlider::valueChanged, this, take);
    m_indices.push_back(index);
}

void SliceControls::show(const TensorInfo& tensor, const SliceAxes& axes)
{
    m_axes = axes;
    const bool isPlane = axes.row.has_value();
    for (QComboBox* box : {m_rows, m_columns}) {
        const QSignalBlocker silence(box);
        box->clear();
        for (std::uint64_t axis = 0; axis < tensor.shape.size(); ++axis)
            box->addItem(QStringLiteral("%1, %2").arg(axisName(tensor, axis),
                                                      countLabel(tensor.shape[axis])));
    }
    m_rows->setCurrentIndex(isPlane ? static_cast<int>(*axes.row) : -1);
    m_columns->setCurrentIndex(static_cast<int>(axes.column));
    for (QWidget* widget : std::initializer_list<QWidget*>{m_rows, m_rowLabel, m_swap, m_line,
                                                           m_lineLabel, m_colors, m_colorLabel})
        widget->setVisible(isPlane);
    arrangeChoices();
    m_indexAxes.clear();
    for (std::uint64_t axis = 0; axis < tensor.shape.size(); ++axis)
        if (!axes.isShown(axis))
            m_indexAxes.push_back(axis);
    while (m_indices.size() < m_indexAxes.size())
        addIndex();
    for (std::size_t place = 0; place < m_indices.size(); ++place) {
        const Index& index = m_indices[place];
        const bool isUsed = place < m_indexAxes.size();
        for (QWidget* widget :
             std::initializer_list<QWidget*>{index.label, index.box, index.slider})
            widget->setVisible(isUsed);
        if (!isUsed)
            continue;
        const std::uint64_t axis = m_indexAxes[place];
        const QString name = axisName(tensor, axis);
        index.label->setText(name);
        index.box->setAccessibleName(tr("Index of %1").arg(name));
        index.slider->setAccessibleName(tr("Index of %1").arg(name));
        const QSignalBlocker ofBox(index.box);
        const QSignalBlocker ofSlider(index.slider);
        index.box->setRange(0, asInt(tensor.shape[axis] - 1));
        index.box->setSuffix(tr(" of %1").arg(countLabel(tensor.shape[axis])));
        index.slider->setRange(0, asInt(tensor.shape[axis] - 1));
        index.slider->setPageStep(std::max(index.slider->maximum() / 10, 1));
        index.box->setValue(asInt(axes.at[axis]));
        index.slider->setValue(asInt(axes.at[axis]));
        index.box->setEnabled(tensor.shape[axis] > 1);
        index.slider->setEnabled(tensor.shape[axis] > 1);
    }
}

/// In one line where all of them can be read, else in two.
void SliceControls::arrangeChoices()
{
    int wanted = m_choosers->spacing();
    for (int part = 0; part < m_choosers->count(); ++part)
        wanted += m_choosers->itemAt(part)->sizeHint().width();
    m_choosers->setDirection(wanted <= contentsRect().width() ? QBoxLayout::LeftToRight
                                                              : QBoxLayout::TopToBottom);
}

void SliceControls::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    arrangeChoices();
}

/// The other one moves away where both would be the same.
void SliceControls::chooseAxis(bool isRow)
{
    SliceAxes wanted = m_axes;
    const auto chosen = static_cast<std::uint64_t>((isRow ? m_rows : m_columns)->currentIndex());
    if (isRow && chosen == wanted.column)
        return swap();
    if (!isRow && wanted.row == chosen)
        return swap();
    if (isRow)
        wanted.row = chosen;
    else
        wanted.column = chosen;
    Q_EMIT axesWanted(wanted);
}

void SliceControls::swap()
{
    SliceAxes wanted = m_axes;
    if (!wanted.row)
        return;
    wanted.row = m_axes.column;
    wanted.column = *m_axes.row;
    Q_EMIT axesWanted(wanted);
}

bool SliceControls::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::KeyPress) {
        const int key = static_cast<const QKeyEvent&>(*event).key();
        const bool isEnter = key == Qt::Key_Return || key == Qt::Key_Enter;
        if (auto* box = qobject_cast<QSpinBox*>(watched); box && isEnter)
            box->interpretText();
        if (key == Qt::Key_Escape || isEnter) {
            Q_EMIT left();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace calibscope
