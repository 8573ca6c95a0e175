// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/import_model.h"

#include "tests/support/catch.h"

namespace models_import_model_test {

using namespace calibscope;
using namespace calibscope::protocol;

TEST_CASE("an import lists entries, the worst first, then what is said of the file")
{
    ImportedFile file{.format = "f"};
    file.entries.push_back(
        {.name = "good", .tensor = 0, .range = Range{-1.0, 1.0}, .deviation = 0.25});
    file.entries.push_back(
        {.name = "bad", .findings = {{.level = FindingLevel::Error, .text = "the scale is 0"}}});
    file.findings = {{.text = "b: the file does not have this tensor"}};
    TableModel<ImportRow> model(importTable());
    model.setRows(importRows(file, {"a", "b"}));
    const auto text = [&](int row, int column) {
        return model.index(row, column).data().toString();
    };
    REQUIRE(model.rowCount() == 3);
    CHECK(text(0, ImportColumn::Name) == "bad");
    CHECK(text(0, ImportColumn::Findings) == "error: the scale is 0");
    CHECK(text(0, ImportColumn::Tensor).isEmpty());
    CHECK(text(1, ImportColumn::Tensor) == "a");
    CHECK(text(1, ImportColumn::High) == "1");
    CHECK(text(1, ImportColumn::Deviation) == "+25");
    CHECK(text(2, ImportColumn::Findings) == "note: b: the file does not have this tensor");
}

}  // namespace models_import_model_test
