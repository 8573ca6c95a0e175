// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/codec.h"
#include "core/recipes/make_choice.h"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

/// Messages in which no member has its default value.
namespace calibscope::test {

inline const double inf = std::numeric_limits<double>::infinity();

inline Choice someChoice()
{
    Choice choice = makeChoice("percentile",
                               {{"alpha", "99.5"},
                                {"bits", "4"},
                                {"divisor", "2^b-1"},
                                {"rounding", "floor-half"},
                                {"scale-floor", "1e-07"},
                                {"zero-scale", "0.1"},
                                {"power-of-two", "up"},
                                {"unsigned", "when-positive"},
                                {"arithmetic", "float32-ends"},
                                {"integers", "unsigned"},
                                {"zero-point", "from-nearer-end"}},
                               SchemeKind::AffineReal, Granularity::Row);
    choice.recipe = "vendor";
    choice.preset = "preset-a";
    choice.note = "an unknown role is taken for an activation";
    choice.rangeFrom = {{.tensor = "next",
                         .path = "/activations/next",
                         .calibrator = choice.calibrator,
                         .settings = choice.settings,
                         .scheme = choice.scheme}};
    return choice;
}

inline Extents someExtents(std::uint64_t seed)
{
    return {.finite = seed + 1,
            .zeros = seed + 2,
            .nan = seed + 3,
            .positiveInf = seed + 4,
            .negativeInf = seed + 5,
            .min = -0.1 - static_cast<double>(seed),
            .max = 0.3};
}

inline ScaleRow someRow(std::uint64_t seed)
{
    ScaleRow row;
    if (seed % 2 == 0)
        row.clip.threshold = 1.5;
    else
        row.clip.range = Range{-1.0, 2.0};
    row.quantizer = {.scale = 0.1,
                     .zeroPoint = -3.5,
                     .clip = {-4.0, 5.0},
                     .lowLevel = -8,
                     .highLevel = 7,
                     .rounding = Rounding::HalfAway,
                     .roundsWithZeroPoint = true};
    row.extents = someExtents(seed);
    row.metrics = {{"sqnr_db", inf}, {"mse", 0.25}};
    if (seed % 3 == 0)
        row.metrics.emplace_back("kl", std::nan(""));
    row.notes = std::vector<std::string>(seed % 3, "1/scale overflows float32");
    row.isExact = seed % 2 == 0;
    row.hasExactMetrics = seed % 2 == 1;
    return row;
}

inline TensorInfo someInfo()
{
    return {.name = "conv1:0",
            .path = "/activations/conv1:0",
            .otherPaths = {"/by_number/0"},
            .role = Role::Weight,
            .elementType = ElementKind::Bfloat16,
            .storedType = "uint16",
            .otherTypes = {ElementKind::Uint16, ElementKind::Float16},
            .lossy = "large integers are rounded",
            .shape = {8, 3, 5},
            .parts = {"/activations/conv1:0/0", "/activations/conv1:0/1"},
            .batchAxis = 0,
            .batchSize = 4,
            .channelAxis = std::nullopt,
            .op = "Conv",
            .inputs = {"x", "w"},
            .layout = "NTC",
            .layoutRule = "attributes",
            .evidence = {"axis 0 is the batch"},
            .isGuess = true,
            .compression = "shuffle+gzip 4",
            .checksum = "none",
            .isBeside = true,
            .unreadable = {Unreadable::Reason::MissingFilter, "conv1: filter 32015 is missing"}};
}

inline LayoutOverride someLayoutOverride()
{
    return {.role = Role::Weight,
            .batchAxis = LayoutOverride::noAxis,
            .batchSize = 7,
            .channelAxis = 2,
            .elementType = ElementKind::Bfloat16};
}

inline MagnitudeSketch someSketch()
{
    return {.zeros = 5,
            .negative = {{.key = 3, .count = 1, .dropped = 8191}},
            .positive = {{.key = 0, .count = 127, .dropped = 128},
                         {.key = 70000, .count = std::uint64_t{1} << 40, .dropped = 0},
                         {.key = sketchKeys - 1, .count = ~std::uint64_t{0}, .dropped = 1}}};
}

inline protocol::TensorView someView()
{
    protocol::TensorView view;
    view.profile.info = someInfo();
    view.profile.moments = {someExtents(1), 1.0, 2.0, 3.0, 4.0, 5.0, std::nan("")};
    view.profile.zeroBlocks = {.runs = 2, .values = 384, .otherRuns = 1};
    view.profile.constantEnds = {.axis = 3, .values = 96};
    view.profile.firstNotFinite = {.nan = std::uint64_t{1} << 40, .infinite = std::nullopt};
    view.profile.batches = {someExtents(2), someExtents(3)};
    view.profile.channels = {someExtents(4), someExtents(5), someExtents(6)};
    view.profile.sketch = someSketch();
    view.profile.histograms = {{{"double", 4, Domain::Signed},
                                -1.0,
                                3.0,
                                {0, 1, ~std::uint64_t{0}, 5},
                                {"doubled twice"}}};
    view.profile.orders = {{{Domain::Signed, 17}, 0.1}};
    Outcome outcome;
    outcome.file = "a.h5";
    outcome.tensor = "conv1:0";
    outcome.role = Role::Activation;
    outcome.op = "Conv";
    outcome.choice = someChoice();
    outcome.histogram = HistogramSpec{.growth = "double", .bins = 1024};
    outcome.whole = someRow(0);
    outcome.channels = {someRow(1), someRow(2), someRow(3)};
    outcome.curve = {"KL divergence", "nats", {1.0, 2.0, 3.0}, {inf, 0.5, 0.5}, 1, {2},
                     {2.0, 3.0},      2};
    outcome.trace = {"squared error", "V^2", {2.0, 1.0}, {inf, 0.5}, 7, true, 1.5, 0.25};
    outcome.channelTraces = {{}, outcome.trace};
    outcome.problem = "the calibrator needs values";
    outcome.channel = 7;
    view.outcomes = {outcome};
    view.typeOffer = TypeOffer{.elementType = ElementKind::Float16, .reason = "it looks like it"};
    return view;
}

}  // namespace calibscope::test
