// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QMessageBox>
#include <QString>

#include <functional>
#include <optional>

/// Texts from files (names, attributes, reasons, recipes) are shown and never obeyed. Qt takes what
/// looks like HTML for HTML, and then opens the pictures that it names: a pipe in place of one
/// stops the window for good. A test (tests/plain_text_test.cmake) holds that labels and questions
/// are made here alone; tool tips are made plain by the style (PlainStyle).
namespace calibscope {

/// A label that shows its text as it is.
class PlainLabel : public QLabel
{
public:
    explicit PlainLabel(QWidget* parent = nullptr);
    explicit PlainLabel(const QString& text, QWidget* parent = nullptr);
};

/// A text that is a link, and a faint one behind it that is none. linkActivated() brings the
/// target, which is opened by nobody else.
class LinkLabel : public QLabel
{
public:
    LinkLabel(const QString& text, const QString& target, const QString& behind = {},
              QWidget* parent = nullptr);

protected:
    /// A label has the focus before its link has: the tabulator goes on to that at once.
    void focusInEvent(QFocusEvent* event) override;
};

/// A label for our own Markdown, in which names from elsewhere may stand: it shows neither pictures
/// nor HTML.
class MarkdownLabel : public QLabel
{
public:
    explicit MarkdownLabel(QWidget* parent = nullptr);
    void setMarkdown(const QString& markdown);
};

/// The Markdown without what names pictures or is HTML: they stay as the characters they are.
[[nodiscard]] QString withoutPictures(QString markdown);

/// A menu, a button and a tab take & for the mark of a shortcut; this shows it.
[[nodiscard]] QString menuText(QString text);

/// A tool tip at a place on the screen; none of an empty text.
void showTip(const QPoint& place, const QString& text, QWidget* widget);

/// A question or a warning; the button that was chosen.
QMessageBox::StandardButton ask(QWidget* parent, QMessageBox::Icon icon, const QString& title,
                                const QString& text, QMessageBox::StandardButtons buttons,
                                QMessageBox::StandardButton standard,
                                const QString& objectName = {});

/// A number from `low` to `high` with one decimal; `text` says what each would do. Nothing where
/// that was cancelled.
[[nodiscard]] std::optional<double> askForNumber(QWidget* parent, const QString& title,
                                                 const std::function<QString(double)>& text,
                                                 double value, double low, double high);

/// A line of text; nothing where that was cancelled.
[[nodiscard]] std::optional<QString> askForText(QWidget* parent, const QString& title,
                                                const QString& text);

}  // namespace calibscope
