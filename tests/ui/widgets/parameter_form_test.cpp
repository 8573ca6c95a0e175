// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/parameter_form.h"

#include "core/calibrators/calibrator.h"
#include "tests/support/catch.h"

#include <QLabel>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include <algorithm>
#include <map>

namespace parameter_form_test {

using namespace calibscope;

const Parameter share{.id = "alpha",
                      .label = "Alpha",
                      .help = "Share that is kept.",
                      .kind = Parameter::Kind::Number,
                      .fallback = "99.99",
                      .least = 0.0,
                      .greatest = 100.0,
                      .step = 0.1,
                      .unit = "%"};
const Parameter levels{.id = "levels",
                       .label = "Levels",
                       .help = "Levels of Q.",
                       .kind = Parameter::Kind::NumberOrWord,
                       .fallback = "qmax",
                       .least = 2,
                       .greatest = 4096,
                       .step = 1,
                       .words = {"qmax"},
                       .isWhole = true};

NumberBox& boxOf(const ParameterControl& control)
{
    return *control.findChild<NumberBox*>();
}

void type(NumberBox& box, const QString& text)
{
    box.selectAll();
    QTest::keyClicks(&box, text);
    QTest::keyClick(&box, Qt::Key_Return);
}

using Values = std::map<std::string, std::string>;

struct Form
{
    Form() { form.setParameters(calibrator("entropy").parameters); }
    void set(const Values& now)
    {
        const auto first = [](const std::string& id) {
            for (const Parameter& parameter : calibrator("entropy").parameters)
                if (parameter.id == id)
                    return parameter.fallback;
            return std::string();
        };
        form.setValues(
            [&](const std::string& id) { return now.contains(id) ? now.at(id) : first(id); },
            first);
    }
    ParameterForm form;
};

TEST_CASE("numbers of channels are told by their count, and stay what they are")
{
    ParameterControl control({.id = "low",
                              .label = "Low end",
                              .kind = Parameter::Kind::NumberOrWord,
                              .fallback = "from-threshold",
                              .least = -10.0,
                              .words = {"from-threshold"},
                              .isPerChannel = true});
    control.show();
    control.setValue("-1 -2.5 0");
    CHECK(control.value() == "-1 -2.5 0");
    CHECK(boxOf(control).isHidden());
    const auto labels = control.findChildren<QLabel*>();
    CHECK(std::ranges::any_of(labels, [](const QLabel* label) {
        return label->isVisible() && label->text() == "3 numbers from -2.5 to 0";
    }));
    control.setValue("-3");
    CHECK(control.value() == "-3");
    CHECK_FALSE(boxOf(control).isHidden());
    control.setValue("from-threshold");
    CHECK(control.value() == "from-threshold");
}

TEST_CASE("every parameter of every calibrator and scheme keeps the values that it accepts")
{
    std::vector<Parameter> parameters = schemeParameters();
    for (const Calibrator& algorithm : calibrators())
        parameters.insert(parameters.end(), algorithm.parameters.begin(),
                          algorithm.parameters.end());
    for (const Parameter& parameter : parameters) {
        ParameterControl control(parameter);
        CHECK(control.value().toStdString() == parameter.fallback);
        for (const std::string& word : parameter.words) {
            control.setValue(QString::fromStdString(word));
            CHECK(control.value().toStdString() == word);
        }
    }
}

TEST_CASE("a number is typed, stepped, kept in its range, with its unit behind it")
{
    ParameterControl control(share);
    control.show();
    const QSignalSpy edits(&control, &ParameterControl::edited);
    NumberBox& box = boxOf(control);
    CHECK(box.text() == "99.99 %");
    type(box, "99.5");
    CHECK(control.value() == "99.5");
    REQUIRE(edits.count() == 1);
    CHECK(edits.front().front().toString() == "99.5");
    QTest::keyClick(&box, Qt::Key_Up);
    CHECK(control.value() == "99.6");
    type(box, "101");
    CHECK(box.value() <= 100.0);
}

TEST_CASE("any power of ten is read and written as short as it can be")
{
    Parameter epsilon = share;
    epsilon.unit.clear();
    epsilon.least = 1e-30;
    epsilon.greatest = 1e30;
    ParameterControl control(epsilon);
    control.show();
    for (const QString text : {"1e-30", "2.5e-12", "0.1", "123456.789", "1e+30"}) {
        control.setValue(text);
        CHECK(control.value().toDouble() == text.toDouble());
    }
    type(boxOf(control), "3e-7");
    CHECK(control.value().toDouble() == 3e-7);
}

TEST_CASE("a word or a number: the number's box is there when it is wanted")
{
    ParameterControl control(levels);
    control.show();
    auto& words = *control.findChild<QComboBox*>();
    const QSignalSpy edits(&control, &ParameterControl::edited);
    CHECK(control.value() == "qmax");
    CHECK_FALSE(boxOf(control).isVisible());
    QTest::keyClick(&words, Qt::Key_Down);
    CHECK(boxOf(control).isVisible());
    CHECK(control.value() == "2");
    CHECK(edits.count() == 1);
    control.setValue("64");
    CHECK(control.value() == "64");
    CHECK(edits.count() == 1);  // nobody edited it
    control.setValue("qmax");
    CHECK_FALSE(boxOf(control).isVisible());
}

TEST_CASE("a control tells what it means and what it takes")
{
    const QString text = parameterToolTip(levels);
    CHECK(text.contains("Levels of Q."));
    CHECK(text.contains("2 to 4096"));
    CHECK(text.contains("qmax"));
    ParameterControl control(share);
    CHECK(boxOf(control).accessibleName() == "Alpha");
}

TEST_CASE("the wheel scrolls the form, not the value of a box without focus")
{
    ParameterControl control(share);
    control.show();
    NumberBox& box = boxOf(control);
    box.clearFocus();
    QWheelEvent wheel(QPointF(5, 5), box.mapToGlobal(QPointF(5, 5)), {}, {0, 120}, Qt::NoButton,
                      Qt::NoModifier, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(&box, &wheel);
    CHECK_FALSE(wheel.isAccepted());
    CHECK(control.value() == "99.99");
}

TEST_CASE("a form has one labelled control for each parameter, and each has a tooltip")
{
    const Form test;
    const auto& parameters = calibrator("entropy").parameters;
    CHECK(test.form.findChildren<ParameterControl*>().size() == std::ssize(parameters));
    for (const Parameter& parameter : parameters) {
        const ParameterControl& control = test.form.control(parameter.id);
        CHECK(control.toolTip().contains(QString::fromStdString(parameter.help)));
        bool hasLabel = false;
        for (const QLabel* label : test.form.findChildren<QLabel*>())
            hasLabel = hasLabel || (label->buddy() == &control &&
                                    label->text().toStdString() == parameter.label);
        CHECK(hasLabel);
    }
}

TEST_CASE("changed values are marked and can be put back")
{
    Form test;
    test.set({});
    CHECK_FALSE(test.form.isMarked("first-bin"));
    test.set({{"first-bin", "discarded"}, {"levels", "64"}});
    CHECK(test.form.isMarked("first-bin"));
    CHECK(test.form.isMarked("levels"));
    CHECK_FALSE(test.form.isMarked("tie"));
    CHECK(test.form.control("levels").value() == "64");

    QSignalSpy edits(&test.form, &ParameterForm::edited);
    for (QToolButton* button : test.form.findChildren<QToolButton*>())
        if (button->accessibleName().contains("First bin"))
            button->click();
    REQUIRE(edits.count() == 1);
    CHECK(edits.front().at(0).value<std::string>() == "first-bin");
    CHECK(edits.front().at(1).value<std::string>() == "counted");
}

TEST_CASE("other parameters make other controls, the same ones keep theirs")
{
    Form test;
    const ParameterControl* before = &test.form.control("levels");
    test.form.setParameters(calibrator("entropy").parameters);
    CHECK(before == &test.form.control("levels"));
    test.form.setParameters(calibrator("percentile").parameters);
    CHECK(test.form.findChildren<ParameterControl*>().size() >=
          std::ssize(calibrator("percentile").parameters));
    CHECK_NOTHROW(test.form.control("alpha"));
    CHECK_THROWS(test.form.control("levels"));
}

TEST_CASE("setting values is not an edit")
{
    Form test;
    const QSignalSpy edits(&test.form, &ParameterForm::edited);
    test.set({{"levels", "64"}, {"epsilon", "1e-06"}, {"tie", "last"}});
    CHECK(edits.count() == 0);
}

TEST_CASE("a text is shown and cannot be edited")
{
    const Parameter file{
        .id = "file", .label = "File", .help = "A file.", .kind = Parameter::Kind::Choice};
    ParameterControl control(file);
    control.setValue("a file.py");
    CHECK(control.value() == "a file.py");
    CHECK(control.findChildren<QComboBox*>().isEmpty());
    CHECK(control.findChildren<NumberBox*>().isEmpty());
    CHECK(control.toolTip() == "A file.");
}

}  // namespace parameter_form_test
