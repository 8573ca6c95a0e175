// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/tensor_header.h"

#include "tests/support/tested_document.h"
#include "ui/widgets/parts_label.h"

#include <QSpinBox>
#include <QTest>

namespace tensor_header_test {

using namespace calibscope;
using namespace calibscope::test;

TEST_CASE("where there is little room the name stays whole and the facts give way")
{
    TestedDocument tested;
    TensorTitle title(tested.document);
    title.show("swish_13.tmp_0", "Mul   8 × 40 × 240   float32   76 800 values   4 batches");
    const QList<ElidedLabel*> labels = title.findChildren<ElidedLabel*>();
    REQUIRE(labels.size() == 2);
    const int nameWidth = labels[0]->sizeHint().width();
    title.resize(nameWidth + 80, 40);
    title.QWidget::show();
    CHECK(labels[0]->width() >= nameWidth);
    CHECK(labels[1]->width() < labels[1]->sizeHint().width());
}

TEST_CASE("of a long name the part stays that tells it from others")
{
    FakeEngine waited;
    FakeEngine background;
    Document document(waited, background);
    document.open("/a.h5");
    const std::string begin = "StatefulPartitionedCall/recognizer/block_";
    protocol::DumpOpened opened;
    for (const char* block : {"1", "2", "3"})
        opened.tensors.push_back({.name = begin + block + "_output_tensor_0",
                                  .path = begin + block,
                                  .role = Role::Activation,
                                  .shape = {8, 4}});
    FakeEngine::answer(waited.opens, opened);
    document.select(1);
    TensorTitle title(document);
    title.show(QString::fromStdString(document.selectedTensor()->name), {});
    title.resize(200, 40);
    title.QWidget::show();
    const auto* name = title.findChild<ElidedLabel*>();
    CHECK_THAT(name->shownText().toStdString(), containsText("…2_"));
    CHECK(name->toolTip().toStdString() == document.selectedTensor()->name);
}

TEST_CASE("a channel is chosen by its number, below the first are all of them")
{
    ChannelChoice choice;
    choice.setChannels(96, std::nullopt);
    auto& number = *choice.findChild<QSpinBox*>("channel");
    CHECK(number.text().toStdString() == "all channels");
    std::vector<std::optional<quint64>> chosen;
    QObject::connect(&choice, &ChannelChoice::chosen, &choice,
                     [&](std::optional<quint64> channel) { chosen.push_back(channel); });
    QTest::keyClick(&number, Qt::Key_Up);
    CHECK(number.text().toStdString() == "channel 0");
    number.setValue(95);
    number.setValue(200);
    QTest::keyClick(&number, Qt::Key_Down);
    number.setValue(-1);
    CHECK(chosen == std::vector<std::optional<quint64>>{0, 95, 94, std::nullopt});
}

TEST_CASE("without several channels there is nothing to choose, setting tells nobody")
{
    ChannelChoice choice;
    int told = 0;
    QObject::connect(&choice, &ChannelChoice::chosen, &choice, [&] { ++told; });
    choice.setChannels(0, std::nullopt);
    CHECK(choice.isHidden());
    choice.setChannels(12, 7);
    CHECK_FALSE(choice.isHidden());
    CHECK(choice.findChild<QSpinBox*>("channel")->value() == 7);
    CHECK(told == 0);
}

}  // namespace tensor_header_test
