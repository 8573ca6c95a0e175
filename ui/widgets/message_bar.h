// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/message_log.h"

#include <QFrame>
#include <QPointer>
#include <QString>
#include <QWidget>

#include <functional>
#include <vector>

class QBoxLayout;
class QHBoxLayout;
class QLabel;
class QTreeView;

namespace calibscope {

class ElidedLabel;

/// Something that happened and what can be done about it, in nobody's way: above the page, or,
/// where all is well, in the window's status bar, until it is closed or the next one comes.
class MessageBar : public QFrame
{
    Q_OBJECT

public:
    enum class Kind {
        Note,     ///< something is going on
        Success,  ///< it was done: in the status bar, where it moves and covers nothing
        Warning,
        Problem,  ///< something failed
    };

    struct Remedy
    {
        QString text;  ///< of a button
        std::function<void()> apply;
    };

    explicit MessageBar(QWidget* parent = nullptr);

    /// Replaces what it says. A remedy closes the bar, and the keys go to where they went before.
    void say(const QString& sentence, const std::vector<Remedy>& remedies = {},
             Kind kind = Kind::Warning);
    [[nodiscard]] Kind kind() const { return m_kind; }
    [[nodiscard]] QString sentence() const;
    /// Another sentence with the remedies that are there; nothing while it is hidden.
    void setSentence(const QString& sentence);

Q_SIGNALS:
    void closed();  ///< by its cross

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void place();
    void colour();
    void setQuiet(bool isQuiet);
    void close();

    Kind m_kind = Kind::Warning;
    QLabel* m_mark;
    QLabel* m_text;
    ElidedLabel* m_line;          ///< the same in the status bar
    QPointer<QWidget> m_focused;  ///< before
    QPointer<QBoxLayout> m_home;  ///< the layout that it is taken from for the status bar
    QBoxLayout* m_content;        ///< text and buttons
    QHBoxLayout* m_buttons;
};

/// The messages as a list that follows the newest, with buttons to copy and to clear it.
class MessageList : public QWidget
{
    Q_OBJECT

public:
    explicit MessageList(MessageLog& log, QWidget* parent = nullptr);

private:
    void copy() const;  ///< the selected rows; without a selection all

    MessageLog& m_log;
    QTreeView* m_list;
};

}  // namespace calibscope
