#include "ui/widgets/parameter_form.h"

#include "core/calibrators/calibrator.h"
#include "tests/support/catch.h"
#include "ui/widgets/parameter_control.h"

#include <QLabel>
#include <QSignalSpy>
#include <QToolButton>

#include <map>

using namespace calibscope;

namespace {

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

}  // namespace

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

TEST_CASE("setting values is no edit")
{
    Form test;
    const QSignalSpy edits(&test.form, &ParameterForm::edited);
    test.set({{"levels", "64"}, {"epsilon", "1e-06"}, {"tie", "last"}});
    CHECK(edits.count() == 0);
}
