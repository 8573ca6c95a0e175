// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/plain_text.h"

#include <QAbstractButton>
#include <QEvent>
#include <QFocusEvent>
#include <QInputDialog>
#include <QPalette>
#include <QRegularExpression>
#include <QToolTip>

#include <functional>
#include <utility>

namespace calibscope {

PlainLabel::PlainLabel(QWidget* parent) : PlainLabel(QString(), parent) {}

PlainLabel::PlainLabel(const QString& text, QWidget* parent) : QLabel(parent)
{
    setTextFormat(Qt::PlainText);
    setText(text);
}

namespace {

/// A text whose colours are set with it: sets it anew when the palette changes.
class ColouredText : public QObject
{
public:
    ColouredText(QLabel& label, std::function<QString()> html)
        : QObject(&label), m_label(label), m_html(std::move(html))
    {
        m_label.setText(m_html());
        m_label.installEventFilter(this);
    }
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (watched == &m_label && event->type() == QEvent::PaletteChange)
            m_label.setText(m_html());
        return QObject::eventFilter(watched, event);
    }

private:
    QLabel& m_label;
    std::function<QString()> m_html;
};

QString linkHtml(const QPalette& colours, const QString& text, const QString& target,
                 const QString& behind)
{
    const QString aside =
        behind.isEmpty()
            ? QString()
            : QStringLiteral("&nbsp;&nbsp;<span style='color:%1'>%2</span>")
                  .arg(colours.color(QPalette::PlaceholderText).name(), behind.toHtmlEscaped());
    // In one go: what is put in by one arg() could hold the mark of the next.
    return QStringLiteral("<a style='text-decoration:none; color:%1' href='%2'>%3</a>%4")
        .arg(colours.color(QPalette::Link).name(),
             target.toHtmlEscaped().replace(u'\'', QStringLiteral("&#39;")), text.toHtmlEscaped(),
             aside);
}

}  // namespace

LinkLabel::LinkLabel(const QString& text, const QString& target, const QString& behind,
                     QWidget* parent)
    : QLabel(parent)
{
    setTextFormat(Qt::RichText);
    new ColouredText(
        *this, [this, text, target, behind] { return linkHtml(palette(), text, target, behind); });
}

void LinkLabel::focusInEvent(QFocusEvent* event)
{
    QLabel::focusInEvent(event);
    if (event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason)
        (void)focusNextPrevChild(event->reason() == Qt::TabFocusReason);
}

MarkdownLabel::MarkdownLabel(QWidget* parent) : QLabel(parent)
{
    setTextFormat(Qt::MarkdownText);
}

void MarkdownLabel::setMarkdown(const QString& markdown)
{
    setText(withoutPictures(markdown));
}

QString withoutPictures(QString markdown)
{
    // A space of no width between the characters that begin a picture or a tag.
    static const QRegularExpression tag(QStringLiteral("<(?=[A-Za-z/!?])"));
    markdown.replace(QStringLiteral("!["), QStringLiteral("!\u200b["));
    return markdown.replace(tag, QStringLiteral("<\u200b"));
}

QString menuText(QString text)
{
    return text.replace(u'&', QStringLiteral("&&"));
}

namespace {

/// The word of a button with the letter that presses it; empty: as Qt has it. Some desktops' words
/// have none.
QString withLetter(QMessageBox::StandardButton button)
{
    switch (button) {
    case QMessageBox::Save: return QMessageBox::tr("&Save");
    case QMessageBox::Discard: return QMessageBox::tr("&Discard");
    case QMessageBox::Cancel: return QMessageBox::tr("&Cancel");
    case QMessageBox::Yes: return QMessageBox::tr("&Yes");
    case QMessageBox::No: return QMessageBox::tr("&No");
    default: return {};
    }
}

}  // namespace

void showTip(const QPoint& place, const QString& text, QWidget* widget)
{
    if (text.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(place, text, widget);
}

QMessageBox::StandardButton ask(QWidget* parent, QMessageBox::Icon icon, const QString& title,
                                const QString& text, QMessageBox::StandardButtons buttons,
                                QMessageBox::StandardButton standard, const QString& objectName)
{
    QMessageBox question(icon, title, QString(), buttons, parent);
    question.setTextFormat(Qt::PlainText);
    question.setText(text);
    question.setDefaultButton(standard);
    for (QAbstractButton* button : question.buttons())
        if (const QString word = withLetter(question.standardButton(button)); !word.isEmpty())
            button->setText(word);
    question.setObjectName(objectName);
    return static_cast<QMessageBox::StandardButton>(question.exec());
}

namespace {

/// The label of an input dialog takes its text as HTML else.
void makePlain(QInputDialog& dialog)
{
    dialog.setLabelText(QStringLiteral(" "));  // makes the label
    for (auto* label : dialog.findChildren<QLabel*>())
        label->setTextFormat(Qt::PlainText);
}

}  // namespace

std::optional<double> askForNumber(QWidget* parent, const QString& title,
                                   const std::function<QString(double)>& text, double value,
                                   double low, double high)
{
    QInputDialog dialog(parent);
    dialog.setWindowTitle(title);
    dialog.setInputMode(QInputDialog::DoubleInput);
    makePlain(dialog);
    dialog.setDoubleRange(low, high);
    dialog.setDoubleDecimals(1);
    dialog.setDoubleStep(0.5);
    dialog.setDoubleValue(value);
    dialog.setLabelText(text(value));
    QObject::connect(&dialog, &QInputDialog::doubleValueChanged, &dialog,
                     [&](double number) { dialog.setLabelText(text(number)); });
    if (dialog.exec() != QDialog::Accepted)
        return std::nullopt;
    return dialog.doubleValue();
}

std::optional<QString> askForText(QWidget* parent, const QString& title, const QString& text)
{
    QInputDialog dialog(parent);
    dialog.setWindowTitle(title);
    makePlain(dialog);
    dialog.setLabelText(text);
    // So wide that a window manager shows the title, with the program's name and its buttons; the
    // dialog's own least width is its layout's.
    constexpr int frameLetters = 44;
    if (auto* label = dialog.findChild<QLabel*>())
        label->setMinimumWidth(dialog.fontMetrics().horizontalAdvance(title) +
                               frameLetters * dialog.fontMetrics().averageCharWidth());
    if (dialog.exec() != QDialog::Accepted)
        return std::nullopt;
    return dialog.textValue();
}

}  // namespace calibscope
