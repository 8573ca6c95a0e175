// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/plain_text.h"

#include "tests/support/catch.h"
#include "ui/theme/theme.h"

#include <QAbstractButton>
#include <QApplication>
#include <QInputDialog>
#include <QPixmap>
#include <QTemporaryDir>
#include <QTimer>
#include <QToolTip>

namespace plain_text_test {

using namespace calibscope;

constexpr int pictureWidth = 700;

/// HTML that names a wide picture, and the same in Markdown.
struct WidePicture
{
    QTemporaryDir folder;
    QString path = folder.filePath("wide.png");
    QString html = QStringLiteral("<img src='%1'>").arg(path);
    QString markdown = QStringLiteral("![x](%1)").arg(path);

    WidePicture()
    {
        QPixmap picture(pictureWidth, 20);
        picture.fill(Qt::red);
        REQUIRE(picture.save(path));
    }
};

int widthOf(const QString& text, const QFont& font)
{
    return QFontMetrics(font).horizontalAdvance(text);
}

TEST_CASE("a label shows what looks like HTML as it is, and loads nothing")
{
    const WidePicture picture;
    // What Qt does by itself.
    QLabel obeying(picture.html);
    CHECK(obeying.sizeHint().width() >= pictureWidth);

    const PlainLabel label(picture.html);
    CHECK(label.text() == picture.html);
    CHECK(std::abs(label.sizeHint().width() - widthOf(picture.html, label.font())) < 10);
    PlainLabel later;
    later.setText(picture.html);
    CHECK(later.sizeHint() == label.sizeHint());
}

TEST_CASE("a link's text and target can't become markup")
{
    const WidePicture picture;
    const LinkLabel label(picture.html, QStringLiteral("a'><b>%2&"), picture.html);
    CHECK(label.sizeHint().width() < 2 * widthOf(picture.html, label.font()) + 40);
    CHECK_FALSE(label.text().contains("<img"));
    CHECK(label.text().contains("href='a&#39;&gt;&lt;b&gt;%2&amp;'"));
    CHECK_FALSE(label.openExternalLinks());
}

TEST_CASE("Markdown keeps its marks, but names no pictures and holds no HTML")
{
    const WidePicture picture;
    for (const QString& evil : {picture.markdown, picture.html, "[" + picture.markdown + "](x)"}) {
        MarkdownLabel label;
        label.setMarkdown(evil);
        CHECK(label.sizeHint().width() < pictureWidth);
    }
    CHECK(withoutPictures("**bold** `code` a < b <= c, [link](x)!") ==
          "**bold** `code` a < b <= c, [link](x)!");
}

TEST_CASE("links have the colours of the theme, also of one chosen later")
{
    applyTheme(*qApp, Theme::Light);
    LinkLabel link("name", "target", "folder");
    link.show();
    const QString light = link.text();
    CHECK(light.contains(link.palette().color(QPalette::Link).name()));
    applyTheme(*qApp, Theme::Dark);
    QCoreApplication::processEvents();
    CHECK(link.text() != light);
    CHECK(link.text().contains(QApplication::palette().color(QPalette::Link).name()));
    applyTheme(*qApp, Theme::Light);
}

TEST_CASE("tool tips show their text as it is")
{
    applyTheme(*qApp, Theme::Light);
    const WidePicture picture;
    QWidget widget;
    widget.show();
    QToolTip::showText(QPoint(10, 10), picture.html, &widget);
    const QLabel* tip = nullptr;
    for (QWidget* window : QApplication::topLevelWidgets())
        if (window->inherits("QTipLabel"))
            tip = qobject_cast<QLabel*>(window);
    REQUIRE(tip);
    CHECK(tip->text() == picture.html);
    CHECK(tip->textFormat() == Qt::PlainText);
    QToolTip::hideText();
}

/// Looks at the dialog that is asked next, and ends it.
template <typename Look>
void whenAsked(const Look& look)
{
    QTimer::singleShot(0, qApp, [look] {
        auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget());
        REQUIRE(dialog);
        look(*dialog);
    });
}

TEST_CASE("questions show their text as it is")
{
    const WidePicture picture;
    whenAsked([&](QDialog& dialog) {
        const auto* label = dialog.findChild<QLabel*>("qt_msgbox_label");
        REQUIRE(label);
        CHECK(label->text() == picture.html);
        CHECK(label->textFormat() == Qt::PlainText);
        static_cast<QMessageBox&>(dialog).button(QMessageBox::Yes)->click();
    });
    CHECK(ask(nullptr, QMessageBox::Question, "Title", picture.html,
              QMessageBox::Yes | QMessageBox::Cancel, QMessageBox::Cancel) == QMessageBox::Yes);

    const auto checkLabel = [&](QDialog& dialog) {
        const auto* label = dialog.findChild<QLabel*>();
        REQUIRE(label);
        CHECK(label->text() == picture.html);
        CHECK(label->textFormat() == Qt::PlainText);
        static_cast<QInputDialog&>(dialog).setTextValue("typed");
    };
    whenAsked([&](QDialog& dialog) {
        checkLabel(dialog);
        dialog.accept();
    });
    CHECK(askForText(nullptr, "Title", picture.html) == QStringLiteral("typed"));
    whenAsked([&](QDialog& dialog) {
        checkLabel(dialog);
        dialog.reject();
    });
    CHECK_FALSE(askForText(nullptr, "Title", picture.html));
}

TEST_CASE("a question is as wide as its title with the program's name")
{
    int room = 0;
    int title = 0;
    whenAsked([&](QDialog& dialog) {
        room = dialog.width();
        title = dialog.fontMetrics().horizontalAdvance("Accept — Calibscope");
        dialog.reject();
    });
    CHECK_FALSE(askForText(nullptr, "Accept", "?"));
    CHECK(title > 0);
    CHECK(room >= title + 100);  // and the title bar's buttons
}

TEST_CASE("an ampersand in a file's name marks no shortcut")
{
    CHECK(menuText("a&b && c") == "a&&b &&&& c");
}

}  // namespace plain_text_test
