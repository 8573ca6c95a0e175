#pragma once

#include "ui/document/message_log.h"

#include <QFrame>
#include <QString>
#include <QWidget>

#include <functional>
#include <vector>

class QBoxLayout;
class QHBoxLayout;
class QLabel;
class QTreeView;

namespace calibscope {

/// Something that happened and what can be done about it, above the page and in nobody's way.
class MessageBar : public QFrame
{
    Q_OBJECT

public:
    struct Remedy
    {
        QString text;  ///< of a button
        std::function<void()> apply;
    };

    explicit MessageBar(QWidget* parent = nullptr);

    /// Replaces what it says. A remedy closes the bar.
    void say(const QString& sentence, const std::vector<Remedy>& remedies = {});
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

    QLabel* m_text;
    QBoxLayout* m_content;  ///< text and buttons
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
