// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/layout_strip.h"

#include "tests/support/catch.h"
#include "tests/support/fake_engine.h"
#include "ui/document/edits.h"

#include <QPushButton>
#include <QSignalSpy>
#include <QToolButton>

namespace layout_strip_test {

using namespace calibscope;
using calibscope::test::FakeEngine;

std::vector<TensorInfo> someTensors()
{
    TensorInfo guessed{.name = "a",
                       .path = "/a",
                       .role = Role::Activation,
                       .elementType = ElementKind::Float32,
                       .shape = {8, 3, 4, 4},
                       .batchAxis = 0,
                       .channelAxis = 1,
                       .layoutRule = "shapes",
                       .evidence = {"rank 4, no layout recorded (shapes)"},
                       .isGuess = true};
    TensorInfo alike = guessed;
    alike.name = "b";
    alike.path = "/b";
    TensorInfo known{
        .name = "known", .path = "/known", .elementType = ElementKind::Float32, .shape = {2}};
    TensorInfo opaque{.name = "o",
                      .path = "/o",
                      .storedType = "opaque",
                      .otherTypes = {ElementKind::Bfloat16, ElementKind::Float16},
                      .shape = {2},
                      .unreadable = "bytes of unknown meaning"};
    TensorInfo outside{.name = "x",
                       .path = "/x",
                       .unreadable = {Unreadable::Reason::OtherFile,
                                      "its values lie in x.bin; allow that with --allow-external"}};
    TensorInfo words{.name = "u",
                     .path = "/u",
                     .elementType = ElementKind::Uint16,
                     .otherTypes = {ElementKind::Bfloat16},
                     .shape = {2}};
    TensorInfo other = guessed;  // of another rule
    other.name = "w";
    other.path = "/w";
    other.role = Role::Weight;
    other.shape = {16, 8};
    other.layoutRule = "path-words";
    return {guessed, alike, known, opaque, outside, words, other};
}

enum { Guessed, Alike, Known, Opaque, Outside, Words, Other };

struct ShownStrip
{
    ShownStrip()
    {
        document.open("/a.h5");
        FakeEngine::answer(waited.opens, protocol::DumpOpened{.tensors = someTensors()});
    }
    QPushButton* button(const QString& text)
    {
        for (auto* button : strip.findChildren<QPushButton*>())
            if (button->text() == text && !button->isHidden())
                return button;
        FAIL("no button " << text.toStdString());
        return nullptr;
    }

    FakeEngine waited;
    FakeEngine background;
    Document document{waited, background};
    LayoutStrip strip{document};
};

TEST_CASE("a guess is named, with what it goes by")
{
    ShownStrip test;
    test.document.select(Guessed);
    CHECK(test.strip.sentence() == "Guessed: activation, axis 0 as samples, axis 1 as channels: "
                                   "rank 4, no layout recorded (shapes).");
    test.document.select(Known);
    CHECK(test.strip.sentence().isEmpty());
    test.document.select(-1);
    CHECK(test.strip.sentence().isEmpty());
}

TEST_CASE("a guess is right for one tensor, or for all like it")
{
    ShownStrip test;
    test.document.select(Guessed);
    test.button("Confirm")->click();
    CHECK(test.strip.sentence().isEmpty());
    CHECK_FALSE(test.document.tensors()[Guessed].isGuess);
    CHECK(test.document.tensors()[Alike].isGuess);
    edits::understand(test.document, {Guessed}, {});
    test.button("Confirm all 2 similar")->click();
    CHECK_FALSE(test.document.tensors()[Guessed].isGuess);
    CHECK_FALSE(test.document.tensors()[Alike].isGuess);
    // On to the next kind, as that is what is to be done.
    CHECK(test.document.selected() == Other);
    CHECK_FALSE(test.strip.sentence().isEmpty());
}

TEST_CASE("a strip that was closed stays closed for its tensor, until the file is opened anew")
{
    ShownStrip test;
    test.document.select(Guessed);
    test.strip.findChild<QToolButton*>()->click();
    CHECK(test.strip.sentence().isEmpty());
    CHECK(test.document.tensors()[Guessed].isGuess);
    test.document.select(Alike);
    CHECK_FALSE(test.strip.sentence().isEmpty());
    test.document.select(Guessed);
    CHECK(test.strip.sentence().isEmpty());
}

TEST_CASE("a guess can be changed from its strip")
{
    ShownStrip test;
    const QSignalSpy changes(&test.strip, &LayoutStrip::changeRequested);
    test.document.select(Guessed);
    test.button("Change...")->click();
    CHECK(changes.count() == 1);
}

TEST_CASE("bytes of unknown meaning can be read as the types that they may be")
{
    ShownStrip test;
    test.document.select(Opaque);
    test.button("Read as bfloat16")->click();
    CHECK(test.document.selectedTensor()->elementType == ElementKind::Bfloat16);
    CHECK(test.document.selectedTensor()->isReadable());
    CHECK(test.strip.sentence().isEmpty());
}

TEST_CASE("other files are read only when the user says so")
{
    ShownStrip test;
    test.document.select(Outside);
    CHECK(test.strip.sentence().contains("another file"));
    test.button("Reopen and read other files")->click();
    REQUIRE(test.waited.opens.size() == 1);
    CHECK(test.waited.opens.front().request.allowExternal);
}

TEST_CASE("values that look like another type are offered to be read as that")
{
    ShownStrip test;
    test.document.select(Words);
    CHECK(test.strip.sentence().isEmpty());
    protocol::TensorView view;
    view.typeOffer = {.elementType = ElementKind::Bfloat16,
                      .reason = "read as bfloat16, 99.8 % are usual"};
    FakeEngine::answer(test.waited.views, view);
    CHECK(test.strip.sentence() == "Read as bfloat16, 99.8 % are usual.");
    test.button("Read as bfloat16")->click();
    CHECK(test.document.selectedTensor()->elementType == ElementKind::Bfloat16);
    CHECK(test.document.selectedTensor()->storedType == "uint16");
    CHECK(test.strip.sentence().isEmpty());
    REQUIRE(test.waited.views.size() == 1);
    CHECK(test.waited.views.front().request.tensor.layoutOverride.elementType ==
          ElementKind::Bfloat16);
}

}  // namespace layout_strip_test
