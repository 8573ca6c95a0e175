// SPDX-License-Identifier: GPL-3.0-or-later
// What holds on all pages and in both themes: texts can be read, no pane vanishes.
#include "tests/support/catch.h"
#include "ui/document/questions.h"
#include "ui/document/workspace.h"
#include "ui/plot/plot_view.h"
#include "ui/theme/chart_colors.h"
#include "ui/theme/theme.h"
#include "ui/widgets/plot_splitter.h"
#include "ui/window/file_controller.h"
#include "ui/window/main_window.h"

#include <QAbstractButton>
#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QTest>

#include <memory>
#include <vector>

namespace page_rules_test {

using namespace calibscope;

constexpr int patienceMs = 30000;

std::unique_ptr<MainWindow> windowOn(Theme theme, const QSize& size)
{
    auto window = std::make_unique<MainWindow>(
        MainWindowOptions{.keeping = Preferences::Keeping::Forget, .theme = theme});
    applyTheme(*qApp, theme);
    window->resize(size);
    window->show();
    window->open(sampleDumpPath());
    Document& document = window->document();
    REQUIRE(QTest::qWaitFor([&] { return document.dumpState() == Document::DumpState::Open; },
                            patienceMs));
    window->actions()["tensor.first"].trigger();
    REQUIRE(QTest::qWaitFor(
        [&] { return document.questions().reader().state() == QueryState::State::Ready; },
        patienceMs));
    return window;
}

void showPage(MainWindow& window, Workspace workspace)
{
    window.showWorkspace(workspace);
    REQUIRE(QTest::qWaitFor([&] { return window.document().isIdle(); }, patienceMs));
    QCoreApplication::processEvents();
}

QString textOf(const QWidget& widget)
{
    if (const auto* label = qobject_cast<const QLabel*>(&widget))
        return label->text();
    if (const auto* button = qobject_cast<const QAbstractButton*>(&widget))
        return button->text();
    if (const auto* edit = qobject_cast<const QLineEdit*>(&widget))
        return edit->text();
    if (const auto* box = qobject_cast<const QComboBox*>(&widget))
        return box->currentText();
    return {};
}

/// What a widget is drawn on: the first ground that is filled, upward from itself.
QColor groundOf(const QWidget& widget)
{
    for (const QWidget* around = &widget; around; around = around->parentWidget())
        if (around->autoFillBackground() || around->isWindow())
            return around->palette().color(around->backgroundRole());
    return widget.palette().color(QPalette::Window);
}

/// Widgets of the window in sight whose text has less than 4.5 to 1, as sentences.
std::vector<std::string> faintTexts(const MainWindow& window)
{
    std::vector<std::string> faint;
    for (const QWidget* widget : window.findChildren<QWidget*>()) {
        if (!widget->isVisible() || textOf(*widget).isEmpty())
            continue;
        const bool isField = qobject_cast<const QLineEdit*>(widget) != nullptr;
        const bool isButton = qobject_cast<const QAbstractButton*>(widget) != nullptr ||
                              qobject_cast<const QComboBox*>(widget) != nullptr;
        const QPalette::ColorGroup group =
            widget->isEnabled() ? QPalette::Active : QPalette::Disabled;
        const QColor text = widget->palette().color(group, isField    ? QPalette::Text
                                                           : isButton ? QPalette::ButtonText
                                                                      : widget->foregroundRole());
        const QColor ground = isField    ? widget->palette().color(group, QPalette::Base)
                              : isButton ? widget->palette().color(group, QPalette::Button)
                                         : groundOf(*widget);
        if (const double contrast = contrastRatio(text, ground); contrast < 4.5)
            faint.push_back(textOf(*widget).toStdString() + ": " + text.name().toStdString() +
                            " on " + ground.name().toStdString() + " is " +
                            std::to_string(contrast));
    }
    return faint;
}

TEST_CASE("on every page, in both themes, all texts have a contrast of 4.5")
{
    for (const Theme theme : {Theme::Light, Theme::Dark}) {
        const auto window = windowOn(theme, {1440, 900});
        for (const Workspace workspace : allWorkspaces) {
            showPage(*window, workspace);
            CAPTURE(themeText(theme).toStdString(), workspaceId(workspace));
            CHECK(faintTexts(*window) == std::vector<std::string>());
        }
    }
    applyTheme(*qApp, Theme::System);
}

TEST_CASE("on every page, in both themes, no pane vanishes, and resetting brings all sizes back")
{
    for (const Theme theme : {Theme::Light, Theme::Dark})
        for (const QSize size : {QSize(1440, 900), QSize(1000, 640)}) {
            const auto window = windowOn(theme, size);
            for (const Workspace workspace : allWorkspaces) {
                showPage(*window, workspace);
                for (QSplitter* splitter : window->findChildren<QSplitter*>()) {
                    if (!splitter->isVisible())
                        continue;
                    CAPTURE(themeText(theme).toStdString(), workspaceId(workspace),
                            splitter->parentWidget()->metaObject()->className(), size.width());
                    CHECK_FALSE(splitter->childrenCollapsible());
                    auto* own = qobject_cast<PlotSplitter*>(splitter);
                    REQUIRE(own);  // else resetting the layout knows nothing of it
                    const QList<int> before = splitter->sizes();
                    for (int part = 0; part < splitter->count(); ++part) {
                        // Each alone as large as it can be.
                        QList<int> sizes(splitter->count(), 0);
                        sizes[part] = 10000;
                        splitter->setSizes(sizes);
                        for (int other = 0; other < splitter->count(); ++other)
                            if (splitter->widget(other)->isVisible()) {
                                CAPTURE(part, other);
                                CHECK(splitter->sizes().at(other) >= 40);
                            }
                    }
                    window->actions()["view.reset-layout"].trigger();
                    QTest::qWait(1);
                    REQUIRE(QTest::qWaitFor(
                        [&] {
                            const QList<int> now = splitter->sizes();
                            for (int part = 0; part < splitter->count(); ++part)
                                if (std::abs(now[part] - before[part]) > 2)
                                    return false;
                            return true;
                        },
                        5000));
                }
            }
        }
    applyTheme(*qApp, Theme::System);
}

}  // namespace page_rules_test
