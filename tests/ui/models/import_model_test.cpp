#include "ui/models/import_model.h"

#include "tests/support/catch.h"

#include <QAbstractItemModelTester>

namespace import_model_test {

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
    ImportModel model(file, {"a", "b"});
    const QAbstractItemModelTester tester(&model,
                                          QAbstractItemModelTester::FailureReportingMode::Fatal);
    const auto text = [&](int row, int column) {
        return model.index(row, column).data().toString();
    };
    REQUIRE(model.rowCount() == 3);
    CHECK(text(0, ImportModel::Name) == "bad");
    CHECK(text(0, ImportModel::Findings) == "error: the scale is 0");
    CHECK(text(0, ImportModel::Tensor).isEmpty());
    CHECK(text(1, ImportModel::Tensor) == "a");
    CHECK(text(1, ImportModel::High) == "1");
    CHECK(text(1, ImportModel::Deviation) == "+25");
    CHECK(text(2, ImportModel::Findings) == "note: b: the file does not have this tensor");
}

}  // namespace import_model_test
