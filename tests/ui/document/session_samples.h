// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recipes/make_choice.h"
#include "ui/document/session_document.h"
#include "ui/document/workbench.h"

#include <limits>

namespace calibscope::test {

/// A workbench in which nothing is as at the start.
inline Workbench busyWorkbench()
{
    constexpr double inf = std::numeric_limits<double>::infinity();
    const Choice percentile =
        makeChoice("percentile", {{"alpha", "99.9"}}, SchemeKind::Affine, Granularity::Tensor);
    Choice entropy = makeChoice("entropy", {{"bits", "4"}}, SchemeKind::SymmetricRestricted,
                                Granularity::Channel);
    entropy.recipe = "moffett-cnn";
    entropy.note = "an unknown role";
    entropy.rangeFrom = {{.tensor = "b",
                          .path = "/b",
                          .calibrator = percentile.calibrator,
                          .settings = percentile.settings,
                          .scheme = percentile.scheme}};
    Workbench workbench;
    workbench.display = {.isLogCount = false,
                         .isLogX = true,
                         .domain = Domain::Signed,
                         .quantity = Quantity::Density,
                         .isQuantizedShown = true,
                         .areAxesLinked = false,
                         .isTableShown = true};
    workbench.recipe = "moffett-cnn";
    workbench.ticks = {{"entropy", false}, {"min-max", true}};
    workbench.manualRange = {{"/a", {-0.1, 0.30000000000000004}}, {"/b", {-1e300, 5e-324}}};
    workbench.leftOut = {"conv:1:bias", "fc:channels"};
    workbench.gains = {
        .layers = {{.decided = {.layer = "conv:1", .op = "Conv", .input = {.tensor = "a"}},
                    .positions = 4096,
                    .rows = {{.remedy = "decided", .heldOutDb = 20.5},
                             {.remedy = "bias",
                              .setting = "local",
                              .gainDb = 0.1 + 0.2,
                              .intervalDb = inf,
                              .isChosen = true,
                              .changes = "moved",
                              .notes = {"why"}}}}},
        .layersOf = "0a",
        .rungs = {{.step = "+ bias",
                   .remedies = {"channels", "bias"},
                   .figures = LadderFigures{.pooledDb = 30.5, .medianDb = 31.5, .leastDb = -inf},
                   .gain = LadderGain{.pooled = {.gainDb = 0.5, .lowDb = 0.25, .highDb = 0.75}},
                   .samples = 8,
                   .int8Share = 0.998,
                   .isAccepted = true,
                   .note = "kept"}},
        .rungsOf = "0b"};
    workbench.manualScheme = "entropy";
    workbench.edits = {{"entropy", entropy}};
    workbench.added = {{"percentile:1", "mine", percentile}};
    workbench.baseline = "min-max";
    workbench.pins = {"/a", "/groß"};
    workbench.excluded = {"/b"};
    workbench.decisions = {{"/a", {"entropy", "entropy", entropy, "best of \"all\"\n"}},
                           {"/b", {"manual", "by hand", percentile, ""}}};
    workbench.secondary = Secondary::Batches;
    workbench.compared = {
        .path = "/dumps/b.h5", .pairs = {{"/a", "/a2"}}, .mode = CompareMode::Difference};
    workbench.zooms = {{"browse", {"/a", {.x = Range{0.5, inf}, .y = {}}}},
                       {"channels", {"/b", {.x = {}, .y = Range{-inf, 2.0}}}}};
    workbench.said = {{"/a",
                       {.layoutOverride = {.role = Role::Weight,
                                           .batchAxis = LayoutOverride::noAxis,
                                           .batchSize = 8,
                                           .channelAxis = 1,
                                           .elementType = ElementKind::Bfloat16},
                        .isConfirmed = false}},
                      {"/b", {.layoutOverride = {}, .isConfirmed = true}}};
    return workbench;
}

inline SessionDocument someSession()
{
    const Workbench busy = busyWorkbench();
    SessionDump first{.identity = {.path = "/dumps/one/a.h5",
                                   .bytes = 1234567890123,
                                   .modified = "2024-05-06T07:08:09Z",
                                   .sha256 = {},
                                   .headerSha256 = "ab12"},
                      .isRecording = true,
                      .allowsExternal = true,
                      .selected = "/a",
                      .own = ownPart(busy)};
    SessionDump second;
    second.identity.path = "/elsewhere/c.h5";
    return {.dumps = {first, second},
            .shown = 1,
            .shared = sharedPart(busy),
            .layout = {.page = "channels",
                       .view = "explain",
                       .docks = std::string("\0\xff\x7f", 3),
                       .card = "entropy",
                       .filter = "kind:weight",
                       .list = "tree",
                       .model = "/models/net.onnx",
                       .output = "/models/net-int8.onnx"},
            .autosaveOf = "/dumps/x.calsession"};
}

}  // namespace calibscope::test
