// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/cards/card_list.h"

#include "core/recipes/make_choice.h"
#include "tests/support/catch.h"
#include "ui/panels/cards/calibrator_card.h"
#include "ui/panels/cards/card_details.h"
#include "ui/widgets/parameter_form.h"
#include "ui/widgets/parts_label.h"

#include <QAbstractButton>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

namespace card_list_test {

using namespace calibscope;

namespace {

CardFace faceOf(const std::string& label, const QString& group = "Standard")
{
    return {.id = label, .label = label, .group = group, .figure = "20.00 dB", .numbers = "1"};
}

struct List
{
    List()
    {
        list.resize(380, 600);
        list.setFaces({faceOf("a"), faceOf("b"), faceOf("c", "NVIDIA")});
        list.show();
    }
    std::string asked(const QSignalSpy& spy) const
    {
        return spy.empty() ? "nothing" : spy.back().front().value<std::string>();
    }

    QLabel* details = new QLabel("details");
    CardList list{details, new QLabel("footer")};
};

}  // namespace

TEST_CASE("there is a card for each face, under the headings of their groups")
{
    const List test;
    REQUIRE(test.list.cards().size() == 3);
    QStringList headings;
    for (const QLabel* label :
         test.list.widget()->findChildren<QLabel*>(QString(), Qt::FindDirectChildrenOnly))
        headings += label->text();
    CHECK(headings.contains("STANDARD"));
    CHECK(headings.contains("NVIDIA"));
    CHECK(test.list.cards()[0]->y() < test.list.cards()[2]->y());
}

TEST_CASE("the chosen card shows the details, and keeps them while it is there")
{
    List test;
    test.list.choose("b");
    CHECK(test.details->parentWidget() == test.list.card("b"));
    CHECK(test.details->isVisible());
    test.list.setFaces({faceOf("x"), faceOf("b")});
    CHECK(test.details->parentWidget() == test.list.card("b"));
    test.list.setFaces({faceOf("x")});
    CHECK_FALSE(test.details->isVisible());
    test.list.setFaces({faceOf("x"), faceOf("b")});
    CHECK(test.details->isVisible());
}

TEST_CASE("a click chooses, the check box ticks, the pointer is told")
{
    List test;
    const QSignalSpy chosen(&test.list, &CardList::chooseRequested);
    const QSignalSpy ticked(&test.list, &CardList::tickRequested);
    const QSignalSpy hovered(&test.list, &CardList::hovered);
    QTest::mouseClick(test.list.card("c"), Qt::LeftButton);
    CHECK(test.asked(chosen) == "c");
    test.list.card("b")->findChild<QCheckBox*>()->click();
    CHECK(test.asked(ticked) == "b");
    QEnterEvent enter({}, {}, {});
    QCoreApplication::sendEvent(test.list.card("a"), &enter);
    CHECK(test.asked(hovered) == "a");
    QEvent leave(QEvent::Leave);
    QCoreApplication::sendEvent(test.list.card("a"), &leave);
    CHECK(test.asked(hovered).empty());
}

TEST_CASE(
    "on another tensor the bold card comes into sight, and what scrolls under the pointer is not "
    "pointed at")
{
    List test;
    std::vector<CardFace> faces;
    for (int card = 0; card < 40; ++card)
        faces.push_back(faceOf("card " + std::to_string(card)));
    faces[30].isChosen = true;
    test.list.setFaces(faces);
    const auto isBoldSeen = [&test] {
        const QWidget* bold = test.list.card("card 30");
        const int top = test.list.verticalScrollBar()->value();
        return bold->y() >= top &&
               bold->y() + bold->height() <= top + test.list.viewport()->height();
    };
    const QScrollBar* bar = test.list.verticalScrollBar();
    CHECK(QTest::qWaitFor([&] { return bar->value() > 0 && isBoldSeen(); }, 2000));
    const QSignalSpy hovered(&test.list, &CardList::hovered);
    test.list.verticalScrollBar()->setValue(0);
    CHECK_FALSE(isBoldSeen());
    REQUIRE(hovered.count() == 1);
    CHECK(test.asked(hovered).empty());
    test.list.setFaces(faces);  // the same tensor: it stays where the user scrolled to
    QCoreApplication::processEvents();
    CHECK_FALSE(isBoldSeen());
    test.list.showAnew();
    test.list.choose({});
    CHECK(QTest::qWaitFor(isBoldSeen, 2000));
}

TEST_CASE("cards are reached, ticked and chosen by the keyboard")
{
    List test;
    const QSignalSpy chosen(&test.list, &CardList::chooseRequested);
    const QSignalSpy ticked(&test.list, &CardList::tickRequested);
    test.list.card("a")->setFocus();
    QTest::keyClick(test.list.card("a"), Qt::Key_Down);
    CHECK(test.list.focusWidget() == test.list.card("b"));
    QTest::keyClick(test.list.card("b"), Qt::Key_Space);
    CHECK(test.asked(ticked) == "b");
    QTest::keyClick(test.list.card("b"), Qt::Key_Return);
    CHECK(test.asked(chosen) == "b");
    QTest::keyClick(test.list.card("b"), Qt::Key_Up);
    QTest::keyClick(test.list.card("a"), Qt::Key_Up);
    CHECK(test.list.focusWidget() == test.list.card("a"));
}

namespace {

CardFace longFace(const std::string& id)
{
    CardFace face = faceOf(id);
    face.label = "percentile per channel, first bin discarded, full range";
    face.figure = "-141.75 dB";
    face.numbers = "-0.2676 … 3.618   scale 0.01524   clips 0.001302 %";
    face.isBest = face.isRecipes = face.isChanged = face.isAccepted = true;
    return face;
}

/// What is in sight of a card and has less room than its text, or hangs out of the list.
std::vector<std::string> cutIn(const CardList& list)
{
    std::vector<std::string> cut;
    for (const QWidget* widget : list.widget()->findChildren<QWidget*>()) {
        const auto* label = qobject_cast<const QLabel*>(widget);
        const auto* button = qobject_cast<const QAbstractButton*>(widget);
        const bool isControl = button || qobject_cast<const QComboBox*>(widget) ||
                               qobject_cast<const NumberBox*>(widget);
        const bool isLine = label && !label->wordWrap();
        if (!widget->isVisible() || !(isControl || isLine))
            continue;
        const int right = widget->mapTo(list.viewport(), QPoint(widget->width(), 0)).x();
        const bool isShort = widget->width() < widget->minimumSizeHint().width();
        if (isShort || right > list.viewport()->width())
            cut.push_back((label    ? label->text().toStdString()
                           : button ? button->text().toStdString()
                                    : widget->metaObject()->className()) +
                          " ends at " + std::to_string(right) + " of " +
                          std::to_string(list.viewport()->width()));
    }
    return cut;
}

}  // namespace

TEST_CASE("no number and no control of a card is cut, however narrow the list is")
{
    for (const std::string calibrator : {"entropy", "mse", "percentile", "kl-window", "min-max"})
        for (const int width : {260, 280, 320, 420}) {
            auto* details = new CardDetails;
            DetailedCandidate candidate;
            candidate.first =
                makeChoice(calibrator, {}, SchemeKind::SymmetricRestricted, Granularity::Tensor);
            candidate.row.candidate = {"b", candidate.first, "b", {}};
            details->showCandidate(candidate);
            CardList list(details, new QLabel("footer"));
            list.resize(width, 300);
            list.setFaces({longFace("a"), longFace("b"), longFace("c")});
            list.choose("b");
            list.show();
            CHECK(QTest::qWaitFor([&] { return cutIn(list).empty(); }, 5000));
            CAPTURE(calibrator, width, details->form().isStacked());
            CHECK(list.verticalScrollBar()->isVisible());
            CHECK(list.widget()->width() == list.viewport()->width());
            CHECK(cutIn(list) == std::vector<std::string>());
            for (const PartsLabel* numbers : list.findChildren<PartsLabel*>()) {
                CHECK(numbers->parts().size() == 5);
                CHECK(numbers->height() >= numbers->heightForWidth(numbers->width()));
                for (const PartsLabel::Part& part : numbers->parts())
                    CHECK(numbers->fontMetrics().horizontalAdvance(part.text) <= numbers->width());
            }
        }
}

TEST_CASE("labels of settings stand beside their controls where there is room")
{
    QWidget around;  // windows don't become narrower than they would like
    around.resize(600, 700);
    CardDetails details(&around);
    DetailedCandidate candidate;
    candidate.first =
        makeChoice("entropy", {}, SchemeKind::SymmetricRestricted, Granularity::Tensor);
    candidate.row.candidate = {"b", candidate.first, "b", {}};
    details.showCandidate(candidate);
    details.resize(500, 600);
    around.show();
    const auto becomes = [&](bool isStacked) {
        return QTest::qWaitFor([&] { return details.form().isStacked() == isStacked; }, 5000);
    };
    CHECK(becomes(false));
    details.resize(200, 600);
    CHECK(becomes(true));
    details.resize(500, 600);
    CHECK(becomes(false));
}

}  // namespace card_list_test
