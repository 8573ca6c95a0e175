#include "ui/panels/cards/card_list.h"

#include "tests/support/catch.h"
#include "ui/panels/cards/calibrator_card.h"

#include <QCheckBox>
#include <QLabel>
#include <QSignalSpy>
#include <QTest>

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
