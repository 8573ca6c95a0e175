// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/slice/found_bar.h"

#include "ui/document/questions.h"
#include "ui/plot/number_label.h"
#include "ui/theme/plain_text.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

#include <utility>

namespace calibscope {

FoundBar::FoundBar(Document& document, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_query(document.questions().inBackground()),
      m_text(new PlainLabel(this)),
      m_previous(new QToolButton(this)),
      m_next(new QToolButton(this)),
      m_clear(new QToolButton(this))
{
    m_text->setWordWrap(true);
    m_previous->setText(tr("Previous"));
    m_next->setText(tr("Next"));
    m_clear->setText(tr("Show all alike"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins({});
    layout->addWidget(m_text, 1);
    for (QToolButton* button : {m_previous, m_next, m_clear})
        layout->addWidget(button);
    connect(&m_query, &QueryState::changed, this, [this] { step(0); });
    connect(m_previous, &QToolButton::clicked, this, [this] { step(-1); });
    connect(m_next, &QToolButton::clicked, this, [this] { step(1); });
    connect(m_clear, &QToolButton::clicked, this, [this] {
        clear();
        Q_EMIT cleared();
    });
    hide();
}

void FoundBar::look(const MarkedValues& marked, const QString& words)
{
    m_marked = marked;
    m_words = words;
    m_place = 0;
    TensorRef address = m_document.addressOf(m_document.selected());
    address.part = m_document.questions().part();
    m_query.ask({.tensor = std::move(address), .marked = marked, .most = mostFound});
    show();
}

void FoundBar::clear()
{
    m_query.drop();
    m_marked.reset();
    m_words.clear();
    hide();
}

std::size_t FoundBar::count() const
{
    return m_query.result() ? m_query.result()->places.size() : 0;
}

/// Round and round.
void FoundBar::step(int places)
{
    const auto count = static_cast<std::int64_t>(this->count());
    if (count > 0) {
        m_place =
            static_cast<std::size_t>((static_cast<std::int64_t>(m_place) + places + count) % count);
        Q_EMIT placeFound(m_query.result()->places[m_place]);
    }
    refresh();
}

void FoundBar::refresh()
{
    const std::size_t count = this->count();
    for (QToolButton* button : {m_previous, m_next})
        button->setEnabled(count > 1);
    if (m_query.isReading())
        m_text->setText(tr("Looking for values of %1…").arg(m_words));
    else if (!m_query.problem().isEmpty())
        m_text->setText(m_query.problem());
    else if (count == 0)
        m_text->setText(tr("There is no value of %1.").arg(m_words));
    else
        m_text->setText((m_query.result()->isWhole ? tr("Number %1 of %2 values of %3")
                                                   : tr("Number %1 of the first %2 values of %3"))
                            .arg(countLabel(m_place + 1), countLabel(count), m_words));
}

QString FoundBar::text() const
{
    return m_marked ? m_text->text() : QString();
}

}  // namespace calibscope
