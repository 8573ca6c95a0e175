// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/slice/slice_page.h"

#include "tests/support/catch.h"
#include "tests/support/framed_content.h"
#include "tests/support/slice_answers.h"
#include "tests/support/tested_document.h"
#include "ui/charts/slice_colors.h"
#include "ui/charts/slice_content.h"
#include "ui/pages/slice/found_bar.h"
#include "ui/pages/slice/slice_controls.h"
#include "ui/pages/slice/slice_side.h"
#include "ui/theme/chart_colors.h"
#include "ui/theme/theme.h"
#include "ui/widgets/state_notice.h"

#include <QApplication>
#include <QComboBox>
#include <QLineEdit>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableWidget>
#include <QTest>
#include <QToolButton>

namespace slice_page_test {

using namespace calibscope;
using namespace calibscope::test;
using Index = std::vector<std::uint64_t>;

enum : int { four, oneAxis, unreadable, empty, scalar };

protocol::DumpOpened slicedDump()
{
    const auto tensor = [](const char* name, Index shape) {
        return TensorInfo{.name = name,
                          .path = std::string("/") + name,
                          .role = Role::Activation,
                          .elementType = ElementKind::Float32,
                          .shape = std::move(shape),
                          .layout = {}};
    };
    protocol::DumpOpened dump{.tensors = {tensor("four", {2, 3, 20, 30}), tensor("line", {50}),
                                          tensor("unreadable", {4, 4}), tensor("empty", {0, 3}),
                                          tensor("scalar", {})}};
    dump.tensors[four].layout = "NCHW";
    dump.tensors[unreadable].unreadable = "its filter is missing";
    return dump;
}

/// 1000 n + 100 c + row, in columns from 20 on constant; one NaN.
float valueOf(const Index& index)
{
    if (index.size() == 1)
        return static_cast<float>(index[0]) - 25.0F;
    if (index == Index{0, 1, 2, 3})
        return std::numeric_limits<float>::quiet_NaN();
    return static_cast<float>(1000 * index[0] + 100 * index[1] + index[2]) +
           (index[3] < 20 ? static_cast<float>(index[3]) / 100.0F : 0.0F);
}

/// The page, whose questions are answered by the rule above.
struct ShownSlices : TestedDocument
{
    SlicePage page{document};

    explicit ShownSlices(int tensor = four)
    {
        loadFonts();
        document.open("/somewhere/a.h5");
        FakeEngine::answer(waited.opens, slicedDump());
        document.select(tensor);
        page.resize(1200, 800);
        page.show();
        page.activateWindow();
    }
    void answer()
    {
        while (!waited.slices.empty()) {
            const auto request = waited.slices.front().request;
            if (waited.cancelled.contains(waited.slices.front().id)) {
                waited.slices.pop_front();
                continue;
            }
            FakeEngine::answer(waited.slices, sliceOf(request.question, valueOf));
        }
    }
    /// Until nothing more is asked, resting included.
    void settle()
    {
        for (int round = 0; round < 4; ++round) {
            answer();
            QTest::qWait(80);
        }
        answer();
    }
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier)
    {
        QTest::keyClick(&page.picture(), key, modifiers);
        answer();
    }
};

TEST_CASE("slices are asked for when the page is seen, and not before")
{
    TestedDocument hidden;
    const SlicePage unseen(hidden.document);
    hidden.document.open("/somewhere/a.h5");
    FakeEngine::answer(hidden.waited.opens, slicedDump());
    hidden.document.select(four);
    CHECK(hidden.waited.slices.empty());
    ShownSlices test;
    REQUIRE_FALSE(test.waited.slices.empty());
    const SliceQuestion first = test.waited.slices.front().request.question;
    CHECK(first.rowAxis == 2U);
    CHECK(first.columnAxis == 3U);
    CHECK(first.mostBytes == SliceReader::lookBytes);
    test.settle();
    CHECK_FALSE(test.page.picture().isEmpty());
    CHECK_FALSE(test.page.showsNotice());
    CHECK_THAT(test.page.state().toStdString(), containsText("600 values shown"));
    CHECK_THAT(test.page.side().facts().toStdString(), containsText("[0, 0, 0, 0]"));
}

TEST_CASE("arrows choose a value, Page Up and Page Down an index of the first other axis")
{
    ShownSlices test;
    test.settle();
    test.press(Qt::Key_Down);
    test.press(Qt::Key_Right);
    test.press(Qt::Key_Right, Qt::ShiftModifier);
    CHECK(test.page.axes().at == Index{0, 0, 1, 11});
    CHECK_THAT(test.page.side().facts().toStdString(),
               containsText("[0, 0, 1, 11]") && containsText("value 1.11"));
    test.press(Qt::Key_Up, Qt::ShiftModifier);  // no further than the edge
    CHECK(test.page.axes().at == Index{0, 0, 0, 11});
    test.press(Qt::Key_PageDown);
    CHECK(test.page.axes().at == Index{1, 0, 0, 11});
    CHECK_THAT(test.page.side().facts().toStdString(), containsText("value 1000.11"));
    test.press(Qt::Key_PageDown);
    CHECK(test.page.axes().at == Index{1, 0, 0, 11});
    test.press(Qt::Key_PageUp);
    CHECK(test.page.axes().at == Index{0, 0, 0, 11});
}

TEST_CASE("axes are chosen, swapped, and kept for each tensor")
{
    ShownSlices test;
    test.settle();
    SliceControls& controls = test.page.controls();
    CHECK(controls.rowBox().currentText() == "axis 2 (H), 20");
    REQUIRE(controls.indexBoxes().size() == 2);
    controls.indexBoxes()[1]->setValue(2);
    CHECK(test.page.axes().at == Index{0, 2, 0, 0});
    controls.rowBox().setCurrentIndex(1);
    Q_EMIT controls.rowBox().activated(1);
    CHECK(test.page.axes().row == 1U);
    controls.columnBox().setCurrentIndex(1);  // both would be the same: they swap
    Q_EMIT controls.columnBox().activated(1);
    CHECK(test.page.axes().row == 3U);
    CHECK(test.page.axes().column == 1U);
    test.settle();
    CHECK(test.page.picture().shown().whole()->rows == 30);
    test.document.select(oneAxis);
    test.document.select(four);
    CHECK(test.page.axes().row == 3U);
}

TEST_CASE("a tensor of one axis is a line alone")
{
    ShownSlices test(oneAxis);
    test.settle();
    CHECK_FALSE(test.page.picture().isVisible());
    CHECK_FALSE(test.page.controls().rowBox().isVisible());
    CHECK_FALSE(test.page.line().isEmpty());
    CHECK(test.page.currentPlot() == &test.page.line());
    CHECK(test.page.line().shown().line()->columnCount == 50);
}

TEST_CASE("what has no slice says why")
{
    ShownSlices test(unreadable);
    CHECK(test.page.showsNotice());
    CHECK(test.page.notice().sentence() == "its filter is missing");
    CHECK(test.waited.slices.empty());
    test.document.select(empty);
    CHECK(test.page.showsNotice());
    CHECK_THAT(test.page.notice().sentence().toStdString(), containsText("no values"));
    test.document.select(scalar);
    CHECK(test.page.showsNotice());
    test.document.select(four);
    REQUIRE_FALSE(test.waited.slices.empty());
    FakeEngine::fail(test.waited.slices, "the file is damaged");
    CHECK(test.page.showsNotice());
    CHECK(test.page.notice().sentence() == "the file is damaged");
    Q_EMIT test.page.findChild<StateNotice*>()->buttonClicked();  // try again
    CHECK_FALSE(test.page.showsNotice());
    CHECK_FALSE(test.waited.slices.empty());
    test.document.select(oneAxis);
    test.answer();
    CHECK_FALSE(test.page.showsNotice());
}

TEST_CASE("NaN is told in words and where it is")
{
    ShownSlices test;
    SliceAxes axes = test.page.axes();
    axes.at = {0, 1, 2, 3};
    test.page.setAxes(axes);
    test.settle();
    CHECK_THAT(test.page.state().toStdString(), containsText("1 is NaN"));
    CHECK_THAT(test.page.side().facts().toStdString(), containsText("NaN"));
    const auto legend = test.page.picture().shown().legend();
    CHECK(std::ranges::count(legend, QStringLiteral("NaN"), &LegendEntry::text) == 1);
}

TEST_CASE("a colour bar tells what colours mean, with what is clipped in its colour")
{
    SliceContent content;
    auto slice = std::make_shared<Slice>();
    *slice = {.rowCount = 2, .columnCount = 2, .rows = 2, .columns = 2};
    slice->low = slice->high = {-1.0F, 0.0F, 1.0F, 2.0F};
    slice->marks.resize(4);
    slice->clipped.resize(4);
    content.setExtent(2, 2);
    content.setSlices(slice, nullptr);
    content.setRange({-2.0, 2.0});
    SliceWords words{.rows = "r", .columns = "c", .clipped = "clipped by x", .marked = {}};
    words.clip = Range{-1.0, 4.0};
    content.setWords(words);
    const PlotFrame frame = test::frameOf(content);
    const auto painted = [&] {
        return test::recordPainting(test::framedSize,
                                    [&](QPainter& painter) { content.paintBand(painter, frame); });
    };
    const test::RecordedPainting bar = painted();
    const QColor clipped = SliceColors::clipped(false);
    const std::vector<QRectF> outside = test::rectsOf(bar, clipped);
    const SliceColors colors({-2.0, 2.0}, false);
    REQUIRE(outside.size() > 2);
    double width = 0.0;
    for (const QRectF& rect : outside) {
        CHECK(rect.bottom() <= frame.area.top());
        width += rect.width();
    }
    // A quarter of the bar's 440 pixels is below -1, and both ends are.
    CHECK(width == test::Approx(440.0 / 4.0 + 18.0).margin(2.0));
    CHECK(test::rectsOf(bar, QColor(colors.ofValue(2.0 - 0.5 * 4.0 / 440.0))).size() >= 1);
    std::vector<QString> labels;
    for (const auto& text : bar.texts)
        labels.push_back(text.text);
    CHECK(std::ranges::count(labels, QStringLiteral("−1")) == 1);
    CHECK(std::ranges::count(labels, QStringLiteral("0")) == 1);
    CHECK(std::ranges::count(labels, QStringLiteral("2")) == 1);

    words.clipped.clear();
    words.clip.reset();
    content.setWords(words);
    CHECK(test::rectsOf(painted(), clipped).empty());
    CHECK(content.legend().empty());
}

TEST_CASE("the largest values are listed, and a click goes there")
{
    ShownSlices test;
    test.settle();
    REQUIRE(test.background.locates.size() == 1);
    CHECK_FALSE(test.background.locates.front().request.marked);
    // The last is beyond the tensor.
    FakeEngine::answer(test.background.locates,
                       FoundValues{.places = {3599, 1799, 5000}, .values = {1219, 219, 1}});
    QTableWidget& list = test.page.side().largest();
    REQUIRE(list.rowCount() == 2);
    CHECK(list.item(0, 1)->text() == "[1, 2, 19, 29]");
    Q_EMIT list.cellClicked(0, 0);
    CHECK(test.page.axes().at == Index{1, 2, 19, 29});
    test.settle();
    CHECK_THAT(test.page.side().facts().toStdString(), containsText("value 1219"));
}

TEST_CASE("values that stand out are looked for, and gone through one by one")
{
    ShownSlices test;
    test.settle();
    test.background.locates.clear();
    test.page.showValues({.domain = Domain::Signed, .range = {1.0, 2.0}}, "x from 1 to 2");
    REQUIRE(test.background.locates.size() == 1);
    CHECK(test.background.locates.front().request.marked ==
          MarkedValues{Domain::Signed, {1.0, 2.0}});
    CHECK_THAT(test.page.found().text().toStdString(), containsText("Looking for values of x"));
    FakeEngine::answer(
        test.background.locates,
        FoundValues{.places = {30, 31, 1831}, .values = {1, 1.01F, 1}, .isWhole = false});
    CHECK(test.page.axes().at == Index{0, 0, 1, 0});
    CHECK_THAT(test.page.found().text().toStdString(), containsText("Number 1 of the first 3"));
    test.page.found().nextButton().click();
    CHECK(test.page.axes().at == Index{0, 0, 1, 1});
    test.page.found().nextButton().click();
    CHECK(test.page.axes().at == Index{1, 0, 1, 1});
    test.page.found().nextButton().click();  // around
    CHECK(test.page.axes().at == Index{0, 0, 1, 0});
    test.settle();
    CHECK(test.page.picture().shown().hasMarked());
    CHECK(test.page.picture().shown().whole()->marked == 41);  // all of row 1, 2.0 in row 2
    test.document.select(oneAxis);
    CHECK(test.page.found().text().isEmpty());
}

TEST_CASE("what is chosen can be read in a narrow page, too, in two lines there")
{
    ShownSlices test;
    SliceControls& controls = test.page.controls();
    for (const bool isNarrow : {false, true}) {
        test.page.resize(isNarrow ? 420 : 900, 600);
        test.settle();
        for (const QComboBox* box :
             {&controls.rowBox(), &controls.columnBox(), &controls.lineBox(), &controls.colorBox()})
            CHECK(box->width() >= box->sizeHint().width());
        const bool isOneLine = controls.rowBox().y() == controls.colorBox().y();
        CHECK(isOneLine == !isNarrow);
    }
}

TEST_CASE("no text field takes the keys by itself, and Enter and Escape give them back")
{
    ShownSlices test;
    test.settle();
    CHECK_FALSE(qobject_cast<QLineEdit*>(QApplication::focusWidget()));
    QSpinBox* box = test.page.controls().indexBoxes().front();
    for (const Qt::Key key : {Qt::Key_Return, Qt::Key_Escape}) {
        box->setFocus();
        QTest::keyClick(box, key);
        CHECK(test.page.focusWidget() == &test.page.picture());
    }
}

TEST_CASE("wherever values are drawn, their colours are those of the slice or of the clip range")
{
    for (const bool isDark : {false, true}) {
        const SliceColors both({-1.0, 3.0}, isDark);
        CHECK(both.isDiverging());
        CHECK(both.range() == Range{-3.0, 3.0});
        CHECK(both.ofValue(-9.0) == both.ofValue(-3.0));
        CHECK(both.ofValue(0.5) != both.ofValue(-0.5));
        const SliceColors positive({0.0, 3.0}, isDark);
        CHECK_FALSE(positive.isDiverging());
        const ChartColors& ground = isDark ? darkChartColors() : lightChartColors();
        for (const QColor& color :
             {SliceColors::clipped(isDark), SliceColors::nan(isDark), SliceColors::infinite(isDark),
              SliceColors::marked(isDark), QColor(both.ofValue(3.0)), QColor(both.ofValue(-3.0))})
            CHECK(contrastRatio(color, ground.background) >= 3.0);
    }
}

}  // namespace slice_page_test
