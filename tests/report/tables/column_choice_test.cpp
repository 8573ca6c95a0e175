#include "core/report/tables/column_choice.h"

#include "core/base/error.h"
#include "tests/support/catch.h"

using namespace calibscope;

namespace {

const std::vector<Column> all{{.id = "tensor"}, {.id = "scale"}, {.id = "sqnr_db"}};
const std::vector<Cell> row{std::string("a"), 0.5, 30.0};

std::vector<std::string> idsOf(const ColumnChoice& choice)
{
    std::vector<std::string> ids;
    for (const Column& column : choice.columns())
        ids.push_back(column.id);
    return ids;
}

}  // namespace

TEST_CASE("columns are chosen in the order they are named in, also twice")
{
    const ColumnChoice choice(all, "sqnr_db,tensor,sqnr_db");
    CHECK(idsOf(choice) == std::vector<std::string>{"sqnr_db", "tensor", "sqnr_db"});
    CHECK(choice.cells(row) == std::vector<Cell>{30.0, std::string("a"), 30.0});
}

TEST_CASE("without a name all columns stay as they are")
{
    const ColumnChoice choice(all, "");
    CHECK(idsOf(choice) == std::vector<std::string>{"tensor", "scale", "sqnr_db"});
    CHECK(choice.cells(row) == row);
}

TEST_CASE("a column that does not exist is refused with those that do")
{
    CHECK_THROWS_WITH(ColumnChoice(all, "tensor,Scale"),
                      "there is no column Scale; available: tensor, scale, sqnr_db");
    CHECK_THROWS_AS(ColumnChoice(all, "tensor,,scale"), Error);
}
