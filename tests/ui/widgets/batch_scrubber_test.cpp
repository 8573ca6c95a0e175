// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/batch_scrubber.h"

#include "tests/support/catch.h"

#include <QLabel>
#include <QSignalSpy>
#include <QSlider>
#include <QTest>

namespace batch_scrubber_test {

using namespace calibscope;

struct Scrubber
{
    Scrubber() { widget.setBatches(64, std::nullopt); }

    QSlider& slider() { return *widget.findChild<QSlider*>("batches"); }
    QString text() { return widget.findChild<QLabel*>()->text(); }

    BatchScrubber widget;
    std::vector<std::pair<std::optional<quint64>, bool>> chosen;
    QMetaObject::Connection connection =
        QObject::connect(&widget, &BatchScrubber::chosen, &widget,
                         [this](std::optional<quint64> batches, bool isFinal) {
                             chosen.emplace_back(batches, isFinal);
                         });
};

TEST_CASE("the scrubber begins with all batches and tells how many are looked at")
{
    Scrubber scrubber;
    CHECK(scrubber.slider().value() == 64);
    CHECK(scrubber.text().toStdString() == "all 64 batches");
    scrubber.widget.setBatches(64, 17);
    CHECK(scrubber.text().toStdString() == "17 of 64 batches");
    CHECK(scrubber.chosen.empty());
}

TEST_CASE("keys choose batches at once, the last one is all")
{
    Scrubber scrubber;
    QTest::keyClick(&scrubber.slider(), Qt::Key_Left);
    QTest::keyClick(&scrubber.slider(), Qt::Key_Home);
    QTest::keyClick(&scrubber.slider(), Qt::Key_End);
    REQUIRE(scrubber.chosen.size() == 3);
    CHECK(scrubber.chosen[0] == std::pair{std::optional<quint64>(63), true});
    CHECK(scrubber.chosen[1] == std::pair{std::optional<quint64>(1), true});
    CHECK(scrubber.chosen[2] == std::pair{std::optional<quint64>(), true});
}

TEST_CASE("while the slider is held its places are not final")
{
    Scrubber scrubber;
    scrubber.slider().setSliderDown(true);
    scrubber.slider().setValue(30);
    REQUIRE(scrubber.chosen.size() == 1);
    CHECK(scrubber.chosen[0] == std::pair{std::optional<quint64>(30), false});
    scrubber.slider().setSliderDown(false);
    REQUIRE(scrubber.chosen.size() == 2);
    CHECK(scrubber.chosen[1] == std::pair{std::optional<quint64>(30), true});
}

}  // namespace batch_scrubber_test
