// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/layout_override_editor.h"

#include "tests/support/catch.h"
#include "tests/support/fake_engine.h"
#include "tests/support/guessed_tensor.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QTest>

namespace layout_override_editor_test {

using namespace calibscope;
using calibscope::test::FakeEngine;

namespace {

struct Editing
{
    Editing()
    {
        document.open("/a.h5");
        FakeEngine::answer(waited.opens,
                           protocol::DumpOpened{.tensors = {test::guessedTensor("a", {64, 3, 4}),
                                                            test::guessedTensor("b", {64, 5, 2}),
                                                            test::guessedTensor("fc", {64, 10})}});
        document.select(0);
        editor.edit();
    }
    QComboBox& combo(const char* name) { return *editor.findChild<QComboBox*>(name); }
    QString preview() { return editor.findChild<QLabel*>("preview")->text(); }
    void click(const char* name) { editor.findChild<QPushButton*>(name)->click(); }

    FakeEngine waited;
    FakeEngine background;
    Document document{waited, background};
    LayoutOverrideEditor editor{document};
};

}  // namespace

TEST_CASE("the editor opens on the selected tensor, as it is understood")
{
    Editing test;
    CHECK_FALSE(test.editor.isHidden());
    CHECK(test.combo("role").currentText() == "activation");
    CHECK(test.combo("batchAxis").currentText() == "axis 0 (64)");
    CHECK(test.combo("channelAxis").currentText() == "axis 1 (3)");
    CHECK(test.combo("elementType").currentText() == "uint16");
    CHECK(test.preview() == "3 channels of 256 values each, one batch of 64 samples");
    CHECK(test.editor.layoutOverride().isEmpty());
}

TEST_CASE("only axes of the tensor and types of its bytes can be chosen")
{
    Editing test;
    CHECK(test.combo("channelAxis").count() == 4);  // none, 0, 1, 2
    CHECK(test.combo("elementType").count() == 2);
    CHECK(test.editor.findChild<QSpinBox*>()->maximum() == 64);
    test.document.select(2);  // the editor follows
    CHECK(test.combo("channelAxis").count() == 3);
}

TEST_CASE("the preview follows each choice before it is applied")
{
    Editing test;
    test.combo("channelAxis").setCurrentIndex(3);
    test.editor.findChild<QSpinBox*>()->setValue(4);
    CHECK(test.preview() == "4 channels of 192 values each, 16 batches of 4 samples");
    CHECK(test.document.selectedTensor()->channelAxis == 1);
    test.click("apply");
    CHECK(test.editor.isHidden());
    CHECK(test.document.selectedTensor()->channelAxis == 2);
    CHECK(test.document.selectedTensor()->batchSize == 4);
    CHECK(test.document.understood().layoutOverride(0) ==
          LayoutOverride{.batchSize = 4, .channelAxis = 2});
}

TEST_CASE("one axis can't be both: the former gives way")
{
    Editing test;
    test.combo("channelAxis").setCurrentIndex(1);
    CHECK(test.combo("batchAxis").currentText() == "none");
    CHECK_FALSE(test.editor.findChild<QSpinBox*>()->isEnabled());
    test.combo("batchAxis").setCurrentIndex(1);
    CHECK(test.combo("channelAxis").currentText() == "none");
}

TEST_CASE("a tensor that becomes a weight has no batches unless they are given")
{
    Editing test;
    test.combo("role").setCurrentIndex(1);
    CHECK(test.combo("batchAxis").currentText() == "none");
    CHECK(test.preview() == "3 channels of 256 values each, one batch");
    test.combo("batchAxis").setCurrentIndex(1);
    test.click("apply");
    CHECK(test.document.selectedTensor()->role == Role::Weight);
    CHECK(test.document.selectedTensor()->batchAxis == 0);
}

TEST_CASE("what is said can hold for all tensors alike, and be taken back for all")
{
    Editing test;
    CHECK(test.combo("scope").itemText(1) == "all 2 tensors like this");
    test.combo("scope").setCurrentIndex(1);
    test.combo("channelAxis").setCurrentIndex(3);
    test.click("apply");
    CHECK(test.document.understood().edited() == std::vector<int>{0, 1});
    CHECK(test.document.tensors()[2].isGuess);
    test.editor.edit();
    test.combo("scope").setCurrentIndex(1);
    test.click("asTheFileSays");
    CHECK(test.document.understood().edited().empty());
    CHECK(test.document.selectedTensor()->isGuess);
}

TEST_CASE("applying what was guessed says that it is right")
{
    Editing test;
    test.click("apply");
    CHECK_FALSE(test.document.selectedTensor()->isGuess);
    CHECK(test.document.understood().edited().empty());
    CHECK(test.document.tensors()[1].isGuess);
}

TEST_CASE("the keyboard suffices: Enter applies, Esc leaves all as it was")
{
    Editing test;
    test.editor.show();
    auto& channelAxis = test.combo("channelAxis");
    channelAxis.setFocus();
    QTest::keyClick(&channelAxis, Qt::Key_Down);
    QTest::keyClick(&channelAxis, Qt::Key_Escape);
    CHECK(test.editor.isHidden());
    CHECK(test.document.selectedTensor()->channelAxis == 1);
    test.editor.edit();
    QTest::keyClick(&channelAxis, Qt::Key_Down);
    QTest::keyClick(&channelAxis, Qt::Key_Return);
    CHECK(test.document.selectedTensor()->channelAxis == 2);
}

TEST_CASE("without a tensor there is nothing to edit")
{
    Editing test;
    test.document.select(-1);
    CHECK(test.editor.isHidden());
    test.editor.edit();
    CHECK(test.editor.isHidden());
}

namespace {

const TensorInfo recorded{.name = "a",
                          .role = Role::Activation,
                          .elementType = ElementKind::Uint16,
                          .otherTypes = {ElementKind::Bfloat16},
                          .shape = {8, 3, 5},
                          .batchAxis = 0,
                          .batchSize = 4,
                          .channelAxis = 1};

TensorInfo wanted(std::optional<int> batchAxis, std::uint64_t batchSize,
                  std::optional<int> channelAxis, Role role = Role::Activation)
{
    TensorInfo tensor = recorded;
    tensor.role = role;
    tensor.batchAxis = batchAxis;
    tensor.batchSize = batchSize;
    tensor.channelAxis = channelAxis;
    return tensor;
}

}  // namespace

TEST_CASE("where nothing differs nothing is said, and no more than differs")
{
    CHECK(differenceOf(recorded, recorded).isEmpty());
    CHECK(differenceOf(recorded, wanted(0, 4, 2)) == LayoutOverride{.channelAxis = 2});
    CHECK(differenceOf(recorded, wanted(0, 2, 1)) == LayoutOverride{.batchSize = 2});
    CHECK(differenceOf(recorded, wanted(0, 4, {})) ==
          LayoutOverride{.channelAxis = LayoutOverride::noAxis});
    TensorInfo read = recorded;
    read.elementType = ElementKind::Bfloat16;
    CHECK(differenceOf(recorded, read) == LayoutOverride{.elementType = ElementKind::Bfloat16});
}

TEST_CASE("whatever is wanted is understood, for every role and every pair of axes")
{
    const std::vector<std::optional<int>> axes = {std::nullopt, 0, 1, 2};
    for (const Role role : {Role::Activation, Role::Weight, Role::Bias, Role::Unknown})
        for (const std::optional<int>& batchAxis : axes)
            for (const std::optional<int>& channelAxis : axes)
                for (const std::uint64_t batchSize : {0u, 2u, 4u}) {
                    if (batchAxis && batchAxis == channelAxis)
                        continue;
                    for (TensorInfo from : {recorded, wanted({}, 0, {}), wanted(1, 0, 0)}) {
                        const TensorInfo to =
                            wanted(batchAxis, batchAxis ? batchSize : 0, channelAxis, role);
                        const TensorInfo understood = understoodAs(from, differenceOf(from, to));
                        CHECK(understood.role == to.role);
                        CHECK(understood.batchAxis == to.batchAxis);
                        CHECK(understood.channelAxis == to.channelAxis);
                        CHECK(understood.batchSize == to.batchSize);
                    }
                }
}

}  // namespace layout_override_editor_test
