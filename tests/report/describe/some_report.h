// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recipes/make_choice.h"
#include "core/report/describe/report_data.h"

#include <optional>
#include <string>

namespace calibscope::test {

/// A result of min-max with that SQNR, which that recipe asks for.
inline report::Result someResult(const std::string& recipe, std::optional<double> sqnrDb)
{
    report::Result result{.label = "min-max of " + recipe, .recipes = {recipe}, .color = "#123456"};
    result.outcome.choice =
        makeChoice("min-max", {}, SchemeKind::SymmetricFull, Granularity::Tensor);
    result.outcome.choice.recipe = recipe;
    if (sqnrDb)
        result.outcome.whole.metrics = {{"sqnr_db", *sqnrDb}};
    result.outcome.whole.clip.threshold = 2.5;
    result.outcome.whole.quantizer.clip = {-2.5, 2.5};
    result.outcome.whole.hasExactMetrics = true;
    return result;
}

/// A tensor of three finite values, 1 to 3.
inline report::ReportedTensor somePart(const std::string& name)
{
    report::ReportedTensor part{.page = "tensor/" + name + ".html"};
    part.profile.info = {.name = name,
                         .path = "/activations/" + name,
                         .role = Role::Activation,
                         .elementType = ElementKind::Float32,
                         .shape = {3},
                         .op = "Conv",
                         .layoutRule = "attributes",
                         .compression = "none",
                         .checksum = "none"};
    part.profile.moments.extents = {.finite = 3, .min = 1.0, .max = 3.0};
    part.profile.histograms = {
        {.spec = {.domain = Domain::Signed}, .low = 1.0, .high = 3.0, .counts = {1, 0, 2}}};
    return part;
}

/// One file, the recipes a and b, and the tensors "fine" (40 and 45 dB), "poor" (12 dB, a alone)
/// and "empty" (no SQNR).
inline report::Report someReport()
{
    report::Report report;
    report.sources = {{.identity = {.path = "/d/dump.h5", .bytes = 1234, .modified = "then"},
                       .attributes = {{"model", "a <model>"}}}};
    report.recipes = {{.id = "a", .title = "Recipe A"}, {.id = "b", .title = "Recipe B"}};
    report::ReportedTensor fine = somePart("fine");
    fine.results = {someResult("a", 40.0), someResult("b", 45.0)};
    report::ReportedTensor poor = somePart("poor");
    poor.results = {someResult("a", 12.0)};
    report::ReportedTensor empty = somePart("empty");
    empty.profile.moments.extents = {};
    empty.results = {someResult("a", std::nullopt)};
    for (const report::ReportedTensor& part : {fine, poor, empty})
        report.lines.push_back(report::lineOf(part));
    return report;
}

}  // namespace calibscope::test
