#include "ui/theme/plain_text.h"

#include <QInputDialog>
#include <QPalette>
#include <QRegularExpression>

namespace calibscope {

PlainLabel::PlainLabel(QWidget* parent) : PlainLabel(QString(), parent) {}

PlainLabel::PlainLabel(const QString& text, QWidget* parent) : QLabel(parent)
{
    setTextFormat(Qt::PlainText);
    setText(text);
}

LinkLabel::LinkLabel(const QString& text, const QString& target, const QString& behind,
                     QWidget* parent)
    : QLabel(parent)
{
    setTextFormat(Qt::RichText);
    const QString aside =
        behind.isEmpty()
            ? QString()
            : QStringLiteral("&nbsp;&nbsp;<span style='color:%1'>%2</span>")
                  .arg(palette().color(QPalette::PlaceholderText).name(), behind.toHtmlEscaped());
    // In one go: what is put in by one arg() could hold the mark of the next.
    const QString html = QStringLiteral("<a style='text-decoration:none' href='%1'>%2</a>%3")
                             .arg(target.toHtmlEscaped().replace(u'\'', QStringLiteral("&#39;")),
                                  text.toHtmlEscaped(), aside);
    setText(html);
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

QMessageBox::StandardButton ask(QWidget* parent, QMessageBox::Icon icon, const QString& title,
                                const QString& text, QMessageBox::StandardButtons buttons,
                                QMessageBox::StandardButton standard, const QString& objectName)
{
    QMessageBox question(icon, title, QString(), buttons, parent);
    question.setTextFormat(Qt::PlainText);
    question.setText(text);
    question.setDefaultButton(standard);
    question.setObjectName(objectName);
    return static_cast<QMessageBox::StandardButton>(question.exec());
}

std::optional<QString> askForText(QWidget* parent, const QString& title, const QString& text)
{
    QInputDialog dialog(parent);
    dialog.setWindowTitle(title);
    dialog.setLabelText(QStringLiteral(" "));  // makes the label, which takes the text as HTML else
    for (auto* label : dialog.findChildren<QLabel*>())
        label->setTextFormat(Qt::PlainText);
    dialog.setLabelText(text);
    if (dialog.exec() != QDialog::Accepted)
        return std::nullopt;
    return dialog.textValue();
}

}  // namespace calibscope
