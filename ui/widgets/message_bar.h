// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/message_log.h"

#include <QFrame>
#include <QPointer>
#include <QString>
#include <QTimer>
#include <QWidget>

#include <functional>
#include <vector>

class QBoxLayout;
class QHBoxLayout;
class QLabel;
class QTreeView;

namespace calibscope {

/// Something that happened and what can be done about it, in nobody's way: above the page, or,
/// where all is well, in the window's lower right corner until it was seen.
class MessageBar : public QFrame
{
    Q_OBJECT

public:
    enum class Kind {
        Note,     ///< something is going on
        Success,  ///< it was done: floats over the window, which keeps its places, and goes by
                  ///< itself some seconds after the user has moved the pointer or pressed a key
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
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void place();
    void colour();
    void setFloating(bool isFloating);
    void moveToCorner();
    void close();
    void leave();

    Kind m_kind = Kind::Warning;
    QLabel* m_mark;
    QLabel* m_text;
    QTimer m_leaving;             ///< of what floats
    QPointer<QWidget> m_focused;  ///< before
    QPointer<QBoxLayout> m_home;  ///< the layout that it is taken from while it floats
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
