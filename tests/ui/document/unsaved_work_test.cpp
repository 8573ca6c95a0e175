// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/unsaved_work.h"

#include "tests/support/catch.h"

namespace unsaved_work_test {

using namespace calibscope;

SessionDocument oneDump()
{
    SessionDocument session;
    session.dumps = {{.identity = {.path = "/d/net.h5"}}};
    return session;
}

TEST_CASE("nothing is unsaved of what is the same work")
{
    CHECK(unsavedWork({}, {}).isEmpty());
    CHECK(unsavedWork(oneDump(), oneDump()).isEmpty());
    SessionDocument zoomed = oneDump();
    zoomed.dumps.front().own.zooms["browse"] = {.tensor = "/a"};
    CHECK(unsavedWork(oneDump(), zoomed).isEmpty());
}

TEST_CASE("what is not saved is named: pins are not decisions")
{
    SessionDocument now = oneDump();
    now.dumps.front().own.pins = {"/a", "/b"};
    CHECK(unsavedWork(oneDump(), now) == QStringList{"2 pins"});
    now.dumps.front().own.decisions["/a"] = {.id = "entropy"};
    CHECK(unsavedWork(oneDump(), now) == QStringList{"1 decision", "2 pins"});
    now.dumps.front().own.excluded = {"/c"};
    now.dumps.front().own.manualRange["/a"] = {-1.0, 1.0};
    CHECK(unsavedWork(oneDump(), now) ==
          QStringList{"1 decision", "1 manual or imported range", "2 pins", "1 exclusion"});
    CHECK(unsavedWork({}, now) == unsavedWork(oneDump(), now));  // the dump itself is no work
}

TEST_CASE("what was saved and is gone or otherwise now is not saved either")
{
    SessionDocument saved = oneDump();
    saved.dumps.front().own.decisions["/a"] = {.id = "entropy"};
    saved.dumps.front().own.decisions["/b"] = {.id = "mse"};
    SessionDocument now = oneDump();
    now.dumps.front().own.decisions["/b"] = {.id = "entropy"};
    CHECK(unsavedWork(saved, now) == QStringList{"2 decisions"});
    CHECK(unsavedWork(saved, {}) == QStringList{"2 decisions"});
}

TEST_CASE("what is shared by all dumps is named in words")
{
    SessionDocument now = oneDump();
    now.shared.edits["entropy"] = {};
    CHECK(unsavedWork(oneDump(), now) == QStringList{"parameters of calibrators"});
    SessionDocument shown = oneDump();
    shown.shared.recipe = "moffett-cnn";
    CHECK(unsavedWork(oneDump(), shown) == QStringList{"the recipe and the view"});
    shown.dumps.resize(3);
    CHECK(unsavedWork(oneDump(), shown) == QStringList{"2 more dumps"});
}

}  // namespace unsaved_work_test
