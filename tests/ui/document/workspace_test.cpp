// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/workspace.h"

#include "tests/support/catch.h"

namespace workspace_test {

using namespace calibscope;

TEST_CASE("every workspace has an id that leads back to it, and a title")
{
    for (const Workspace workspace : allWorkspaces) {
        CHECK(parseWorkspace(workspaceId(workspace)) == workspace);
        CHECK_FALSE(workspaceTitle(workspace).isEmpty());
    }
    CHECK(workspaceId(Workspace::Calibrators) == "calibrators");
    CHECK_FALSE(parseWorkspace("heat"));
}

}  // namespace workspace_test
