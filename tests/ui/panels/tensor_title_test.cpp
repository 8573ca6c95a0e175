// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/tensor_title.h"

#include "tests/support/catch.h"
#include "ui/widgets/elided_label.h"

namespace tensor_title_test {

using namespace calibscope;

TEST_CASE("where there is little room the name stays whole and the facts give way")
{
    TensorTitle title;
    title.show("swish_13.tmp_0", "Mul   8 × 40 × 240   float32   76 800 values   4 batches");
    const QList<ElidedLabel*> labels = title.findChildren<ElidedLabel*>();
    REQUIRE(labels.size() == 2);
    const int nameWidth = labels[0]->sizeHint().width();
    title.resize(nameWidth + 80, 40);
    title.QWidget::show();
    CHECK(labels[0]->width() >= nameWidth);
    CHECK(labels[1]->width() < labels[1]->sizeHint().width());
}

}  // namespace tensor_title_test
