// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/python_choices.h"

#include "tests/support/catch.h"

namespace python_choices_test {

using namespace calibscope;

TEST_CASE("Python reads a dataset by its path")
{
    CHECK(pythonLines("/data/a.h5", {.path = "/weights/conv1"}) ==
          "import h5py\n\nwith h5py.File(\"/data/a.h5\") as dump:\n"
          "    values = dump[\"/weights/conv1\"][()]\n");
}

TEST_CASE("datasets that follow each other are put together")
{
    const QString lines = pythonLines("a.h5", {.path = "/x", .parts = {"/x/0", "/x/1"}});
    CHECK(lines.contains("import numpy\n"));
    CHECK(lines.contains("for part in [\"/x/0\", \"/x/1\"]"));
}

TEST_CASE("quotation marks and backslashes of a name stay what they are")
{
    CHECK(pythonLines("C:\\a.h5", {.path = "/say \"x\""}).contains(R"("C:\\a.h5")"));
    CHECK(pythonLines("a.h5", {.path = "/say \"x\""}).contains(R"("/say \"x\"")"));
}

}  // namespace python_choices_test
