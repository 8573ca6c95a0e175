// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recipes/diagnosis.h"
#include "tests/support/catch.h"
#include "tests/support/file_bytes.h"

namespace docs_diagnosis_test {

using namespace calibscope;

TEST_CASE("the page of the diagnosis defines every finding")
{
    const std::string page = test::readBytes(CALIBSCOPE_SOURCE_DIR "/resources/docs/diagnosis.md");
    for (const FindingKind kind : findingKinds())
        CHECK_THAT(page, test::containsText("| `" + std::string(findingId(kind)) + "` |"));
}

}  // namespace docs_diagnosis_test
