// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/imported_range.h"

#include "tests/support/catch.h"
#include "tests/support/tested_document.h"
#include "ui/document/decisions.h"
#include "ui/document/edits.h"
#include "ui/document/workbench_json.h"

namespace imported_range_test {

using namespace calibscope;
using namespace calibscope::test;

TEST_CASE("an imported threshold is computed by fixed, and tells where it is from")
{
    const Choice choice = importedChoice({.range = {-2.5, 2.5},
                                          .source = "TensorRT calibration cache, a.cache, line 3",
                                          .findings = {"warning: wide"}});
    CHECK(choice.calibrator == "fixed");
    CHECK(choice.scheme.kind == SchemeKind::SymmetricRestricted);
    CHECK(choice.settings.number("threshold") == 2.5);
    CHECK(choice.note ==
          "imported from TensorRT calibration cache, a.cache, line 3; warning: wide");
    const Choice affine = importedChoice({.range = {-0.5, 2.5}, .isSymmetric = false});
    CHECK(affine.scheme.kind == SchemeKind::Affine);
    CHECK(affine.settings.number("low") == -0.5);
    CHECK(affine.settings.number("high") == 2.5);
}

TEST_CASE("imported ranges of channels are computed by fixed with a number for each")
{
    const ImportedRange range{
        .range = {-2.5, 2.5}, .channels = {{-0.1, 0.1}, {-2.5, 2.5}, {0.0, 0.0}}, .source = "x"};
    const Choice choice = importedChoice(range);
    CHECK(choice.granularity == Granularity::Channel);
    CHECK(choice.settings.text("threshold") == "0.1 2.5 0");
    const Choice affine = importedChoice(
        {.range = {-1.0, 2.5}, .channels = {{-1.0, 0.0}, {0.0, 2.5}}, .isSymmetric = false});
    CHECK(affine.settings.text("low") == "-1 0");
    CHECK(affine.settings.text("high") == "0 2.5");
    CHECK(importedChoice({.range = {-1, 1}, .channels = {{-1, 1}}}).granularity ==
          Granularity::Tensor);
    Workbench workbench;
    workbench.imported.insert("/a", range);
    CHECK(ownFrom(JsonObject(ownJson(workbench), "a session")).imported == workbench.imported);
}

TEST_CASE("imported ranges are rows of their tensors that can be drawn, accepted, undone and kept")
{
    TestedDocument test;
    Document& document = test.document;
    test.openDump();
    const ImportedRange range{.range = {-2.0, 2.0}, .source = "x"};
    edits::setImported(document, {{"/a", range}, {"/b", range}});
    const OutcomeRow row = rowOf(document, importedId);
    CHECK(row.origin == OutcomeRow::Origin::Imported);
    CHECK(row.isTicked);
    CHECK(acceptCandidate(document, {a, b}, importedId, {}).accepted == 2);
    CHECK(document.workbench().decisions.value("/b").choice.settings.number("threshold") == 2.0);
    const nlohmann::json json = ownJson(document.workbench());
    CHECK(ownFrom(JsonObject(json, "a session")).imported == document.workbench().imported);
    edits::clearImported(document);
    CHECK(!document.workbench().imported.contains("/a"));
    CHECK(document.workbench().imported.contains("/b"));
    document.undo();
    CHECK(document.workbench().imported.contains("/a"));
}

}  // namespace imported_range_test
