// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QKeyEvent>
#include <QObject>
#include <QString>

#include <functional>
#include <span>
#include <utility>

class QMenu;

namespace calibscope {

struct ChartColors;

/// Escape leaves a field, whatever it does elsewhere.
class EscapeFilter : public QObject
{
public:
    EscapeFilter(std::function<void()> leave, QObject* parent)
        : QObject(parent), m_leave(std::move(leave))
    {}

    bool eventFilter(QObject* watched, QEvent* event) override
    {
        const bool isKey =
            event->type() == QEvent::ShortcutOverride || event->type() == QEvent::KeyPress;
        if (!isKey || static_cast<QKeyEvent&>(*event).key() != Qt::Key_Escape)
            return QObject::eventFilter(watched, event);
        event->accept();
        if (event->type() == QEvent::KeyPress)
            m_leave();
        return true;
    }

private:
    std::function<void()> m_leave;
};

/// A query of the tensor list and what it finds.
struct FilterExample
{
    const char* query;
    const char* meaning;  ///< not translated yet
};

[[nodiscard]] std::span<const FilterExample> filterExamples();

/// Fills a menu with the examples; an entry's data is its query.
void addFilterExamples(QMenu& menu);
/// The same of the list's flags, with their pictograms: what they mean, and the query for each.
void addFlagLegend(QMenu& menu, const ChartColors& colors);

}  // namespace calibscope
