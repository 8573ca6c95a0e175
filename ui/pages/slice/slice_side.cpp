// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/slice/slice_side.h"

#include "ui/document/questions.h"
#include "ui/pages/slice/slice_axes.h"
#include "ui/plot/number_label.h"
#include "ui/theme/plain_text.h"

#include <QHeaderView>
#include <QLabel>
#include <QTableWidget>
#include <QVBoxLayout>

namespace calibscope {

namespace {

QLabel* titleLabel(const QString& text, QWidget* parent)
{
    auto* label = new PlainLabel(text, parent);
    QFont font = label->font();
    font.setBold(true);
    label->setFont(font);
    return label;
}

}  // namespace

SliceSide::SliceSide(Document& document, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_query(document.questions().inBackground()),
      m_facts(new PlainLabel(this)),
      m_largest(new QTableWidget(0, 2, this))
{
    m_facts->setWordWrap(true);
    m_facts->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_facts->setMinimumHeight(6 * fontMetrics().height());
    m_largest->setHorizontalHeaderLabels({tr("value"), tr("index")});
    m_largest->setAccessibleName(tr("The largest magnitudes of the tensor"));
    m_largest->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_largest->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_largest->setSelectionMode(QAbstractItemView::SingleSelection);
    m_largest->verticalHeader()->hide();
    m_largest->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_largest->setTabKeyNavigation(false);
    m_largest->setShowGrid(false);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(titleLabel(tr("Chosen value"), this));
    layout->addWidget(m_facts);
    layout->addWidget(titleLabel(tr("Largest |x| of the tensor"), this));
    layout->addWidget(m_largest, 1);
    setMinimumWidth(150);
    const auto choose = [this](int row) {
        Q_EMIT placeChosen(m_largest->item(row, 1)->data(Qt::UserRole).toULongLong());
    };
    connect(&m_query, &QueryState::changed, this, [this] {
        if (m_query.result())
            list(*m_query.result());
    });
    connect(m_largest, &QTableWidget::cellClicked, this, choose);
    connect(m_largest, &QTableWidget::cellActivated, this, choose);
}

void SliceSide::look(const TensorInfo* tensor)
{
    m_query.drop();
    m_largest->setRowCount(0);
    m_facts->clear();
    if (!tensor)
        return;
    m_shape = tensor->shape;
    m_query.ask({.tensor = m_document.addressOf(m_document.selected()), .most = largestCount});
}

void SliceSide::list(const FoundValues& found)
{
    std::uint64_t count = 1;
    for (const std::uint64_t length : m_shape)
        count *= length;
    for (std::size_t place = 0; place < found.places.size(); ++place) {
        if (found.places[place] >= count)
            continue;
        const int row = m_largest->rowCount();
        m_largest->insertRow(row);
        auto* value = new QTableWidgetItem(valueLabel(static_cast<double>(found.values[place]), 6));
        value->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
        m_largest->setItem(row, 0, value);
        auto* index = new QTableWidgetItem(indexLabel(indexOf(m_shape, found.places[place])));
        index->setData(Qt::UserRole, static_cast<qulonglong>(found.places[place]));
        m_largest->setItem(row, 1, index);
    }
    m_largest->resizeRowsToContents();
}

void SliceSide::setFacts(const QString& facts)
{
    m_facts->setText(facts);
}

QString SliceSide::facts() const
{
    return m_facts->text();
}

}  // namespace calibscope
