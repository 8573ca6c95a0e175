// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/codec.h"

#include "tests/protocol/some_messages.h"
#include "tests/support/catch.h"
#include "tests/support/same_outcomes.h"

#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace codec_test {

using namespace calibscope;
using namespace calibscope::protocol;
using namespace calibscope::test;

template <typename T>
T travelled(const T& message)
{
    return decode<T>(parseCbor(std::string_view(toFrame(encode(message))).substr(4)));
}

void checkSameInfo(const TensorInfo& a, const TensorInfo& b)
{
    CHECK(a.name == b.name);
    CHECK(a.path == b.path);
    CHECK(a.otherPaths == b.otherPaths);
    CHECK(a.role == b.role);
    CHECK(a.elementType == b.elementType);
    CHECK(a.shape == b.shape);
    CHECK(a.batchAxis == b.batchAxis);
    CHECK(a.batchSize == b.batchSize);
    CHECK(a.channelAxis == b.channelAxis);
    CHECK(a.op == b.op);
    CHECK(a.inputs == b.inputs);
    CHECK(a.layout == b.layout);
    CHECK(a.layoutRule == b.layoutRule);
    CHECK(a.isGuess == b.isGuess);
    CHECK(a.compression == b.compression);
    CHECK(a.checksum == b.checksum);
    CHECK(a.unreadable == b.unreadable);
}

TEST_CASE("of a tensor only what is told of it travels, so that a hundred thousand fit a message")
{
    TensorInfo info;
    info.name = "layer1999.block.conv19999";
    info.path = "/activations/" + info.name;
    info.role = Role::Activation;
    info.elementType = ElementKind::Float32;
    info.storedType = "float32";
    info.shape = {4, 3};
    info.batchAxis = 0;
    info.channelAxis = 1;
    info.op = "Conv";
    info.inputs = {"x19999"};
    info.layoutRule = "explicit-attributes";
    info.evidence = {"an activation: its path says activations (path-words)",
                     "axis 0 is the sample (shapes)",
                     "axis 1 is the channel: rank 2, samples x channels (shapes)"};
    info.isGuess = true;
    info.compression = "none";
    info.checksum = "none";
    constexpr std::size_t count = 10'000;
    DumpOpened dump;
    dump.tensors.assign(count, info);
    CHECK(10 * toFrame(encode(dump)).size() < frameLimit);
    const Json json = encode(dump).at("tensors").at(0);
    CHECK_FALSE(json.contains("geometry"));
    CHECK_FALSE(json.contains("doubts"));
    checkSameInfo(travelled(dump).tensors.back(), info);
    dump.tensors.resize(1);
    Json odd = encode(dump);
    odd["tensors"] = {"none"};
    CHECK_THROWS_AS(decode<DumpOpened>(odd), Error);
}

TEST_CASE("requests come back as they were")
{
    const OpenRequest open = travelled(OpenRequest{.path = "/d/a b.h5", .allowExternal = true});
    CHECK(open.path == "/d/a b.h5");
    CHECK(open.allowExternal);

    const ViewRequest view =
        travelled(ViewRequest{.tensor = {.file = "a.h5",
                                         .allowExternal = true,
                                         .index = 12,
                                         .layoutOverride = someLayoutOverride(),
                                         .part = {.channel = 3, .batches = 2}},
                              .histograms = {{"fixed", 99, Domain::Signed}},
                              .choices = {someChoice()},
                              .exactMetrics = false,
                              .channelMetrics = true,
                              .curves = false});
    CHECK(view.tensor.file == "a.h5");
    CHECK(view.tensor.allowExternal);
    CHECK(view.tensor.index == 12);
    CHECK(view.tensor.layoutOverride == someLayoutOverride());
    CHECK(view.histograms == std::vector<HistogramSpec>{{"fixed", 99, Domain::Signed}});
    REQUIRE(view.choices.size() == 1);
    checkSame(view.choices[0], someChoice());
    CHECK_FALSE(view.exactMetrics);
    CHECK(view.channelMetrics);
    CHECK(view.tensor.part == TensorPart{.channel = 3, .batches = 2});
    CHECK_FALSE(view.curves);
    CHECK(travelled(ViewRequest{}).tensor.part.isWhole());

    const PreviewRequest preview =
        travelled(PreviewRequest{.tensor = {.file = "a.h5",
                                            .allowExternal = true,
                                            .index = 3,
                                            .layoutOverride = someLayoutOverride()},
                                 .choice = someChoice()});
    CHECK(preview.tensor.file == "a.h5");
    CHECK(preview.tensor.allowExternal);
    CHECK(preview.tensor.index == 3);
    CHECK(preview.tensor.layoutOverride == someLayoutOverride());
    REQUIRE(preview.choice);
    checkSame(*preview.choice, someChoice());
    CHECK_FALSE(travelled(PreviewRequest{}).choice);
}

TEST_CASE("a request for a strip comes back as it was")
{
    const StripRequest strip =
        travelled(StripRequest{.tensor = {.file = "a.h5",
                                          .allowExternal = true,
                                          .index = 3,
                                          .layoutOverride = someLayoutOverride(),
                                          .part = {.batches = 4}},
                               .rows = StripRows::Batch,
                               .domain = Domain::Signed,
                               .columns = 99,
                               .range = Range{-1.0, 0.5}});
    CHECK(strip.tensor.file == "a.h5");
    CHECK(strip.tensor.allowExternal);
    CHECK(strip.tensor.index == 3);
    CHECK(strip.tensor.layoutOverride == someLayoutOverride());
    CHECK(strip.tensor.part == TensorPart{.batches = 4});
    CHECK(strip.rows == StripRows::Batch);
    CHECK(strip.domain == Domain::Signed);
    CHECK(strip.columns == 99);
    CHECK(strip.range == Range{-1.0, 0.5});
    CHECK_FALSE(travelled(StripRequest{}).range);
}

TEST_CASE("a request to compare and its answer come back as they were")
{
    const TensorRef here{
        .file = "a.h5", .allowExternal = true, .index = 3, .layoutOverride = someLayoutOverride()};
    const CompareRequest request = travelled(CompareRequest{.a = here,
                                                            .b = {.file = "b.h5", .index = 7},
                                                            .choices = {someChoice()},
                                                            .exactMetrics = false});
    CHECK(request.a.file == "a.h5");
    CHECK(request.a.allowExternal);
    CHECK(request.a.index == 3);
    CHECK(request.a.layoutOverride == someLayoutOverride());
    CHECK(request.b.file == "b.h5");
    CHECK(request.b.index == 7);
    REQUIRE(request.choices.size() == 1);
    checkSame(request.choices[0], someChoice());
    CHECK_FALSE(request.exactMetrics);

    Compared compared{.a = someExtents(1),
                      .b = someExtents(2),
                      .comparison = {},
                      .countsA = {1.0, 0.5},
                      .countsB = {0.0, 3.0}};
    compared.comparison.drift = Drift{.maxRatio = inf,
                                      .earthMover = 0.5,
                                      .earthMoverBar = 0.125,
                                      .earthMoverShare = 0.25,
                                      .klDivergence = 2.0,
                                      .klBound = {1.5, 2.5}};
    ChoiceComparison choice;
    choice.b.problem = "none";
    choice.transferred =
        TransferredScales{.metrics = {{"sqnr_db", 12.5}},
                          .bounds = {.least = {{"sqnr_db", 12.0}}, .most = {{"sqnr_db", inf}}},
                          .isExact = false};
    choice.whyNotTransferred = "why";
    compared.comparison.choices = {choice};
    const Compared same = travelled(compared);
    CHECK(same.a == someExtents(1));
    CHECK(same.b == someExtents(2));
    CHECK(same.countsA == std::vector{1.0, 0.5});
    CHECK(same.countsB == std::vector{0.0, 3.0});
    REQUIRE(same.comparison.drift);
    CHECK(same.comparison.drift->maxRatio == inf);
    CHECK(same.comparison.drift->earthMover == 0.5);
    CHECK(same.comparison.drift->earthMoverShare == 0.25);
    CHECK(same.comparison.drift->earthMoverBar == 0.125);
    CHECK(same.comparison.drift->klDivergence == 2.0);
    CHECK(same.comparison.drift->klBound == Range{1.5, 2.5});
    REQUIRE(same.comparison.choices.size() == 1);
    CHECK(same.comparison.choices[0].b.problem == "none");
    REQUIRE(same.comparison.choices[0].transferred);
    CHECK(same.comparison.choices[0].transferred->metrics == choice.transferred->metrics);
    CHECK(same.comparison.choices[0].transferred->bounds.of("sqnr_db") == Range{12.0, inf});
    CHECK_FALSE(same.comparison.choices[0].transferred->isExact);
    CHECK(same.comparison.choices[0].whyNotTransferred == "why");
}

TEST_CASE("a quantizer that rounds with its zero point is one on the other side, too")
{
    TensorView view;
    view.outcomes.emplace_back().whole.quantizer.roundsWithZeroPoint = true;
    CHECK(travelled(view).outcomes.at(0).whole.quantizer.roundsWithZeroPoint);
}

TEST_CASE("an opened dump and a glance come back as they were")
{
    const DumpOpened opened =
        travelled(DumpOpened{.identity = {"a.h5", 123, "2024", "ab12", "cd34"},
                             .attributes = {{"model", "m"}, {"source", "s"}},
                             .warnings = {"one"},
                             .rules = {{"shapes", "Shapes", 7, 3}},
                             .tensors = {someInfo(), TensorInfo{}}});
    CHECK(opened.identity == FileIdentity{"a.h5", 123, "2024", "ab12", "cd34"});
    CHECK(opened.attributes == std::map<std::string, std::string>{{"model", "m"}, {"source", "s"}});
    CHECK(opened.warnings == std::vector<std::string>{"one"});
    CHECK(opened.rules == std::vector<RuleUse>{{"shapes", "Shapes", 7, 3}});
    REQUIRE(opened.tensors.size() == 2);
    checkSameInfo(opened.tensors[0], someInfo());
    checkSameInfo(opened.tensors[1], TensorInfo{});

    const Preview preview =
        travelled(Preview{someExtents(9),
                          {1.5, 0.0},
                          inf,
                          {"odd"},
                          {{FindingKind::RoundingBound, 0.75, "rounding-bound: 75 %"}}});
    REQUIRE(preview.findings.size() == 1);
    CHECK(preview.findings[0].kind == findingKinds().back());  // no kind is refused
    CHECK(preview.findings[0].measure == 0.75);
    CHECK(preview.findings[0].finding.text == "rounding-bound: 75 %");
    CHECK(preview.extents == someExtents(9));
    CHECK(preview.sparkline == std::vector<double>{1.5, 0.0});
    CHECK(preview.sqnrDb == inf);
    CHECK(preview.notes == std::vector<std::string>{"odd"});
}

TEST_CASE("a view comes back as it was, NaN and infinities included")
{
    const TensorView before = someView();
    const TensorView after = travelled(before);
    checkSameInfo(after.profile.info, before.profile.info);
    CHECK(after.profile.moments.extents == before.profile.moments.extents);
    CHECK(after.profile.zeroBlocks == before.profile.zeroBlocks);
    CHECK(after.profile.constantEnds == before.profile.constantEnds);
    CHECK(after.profile.firstNotFinite == before.profile.firstNotFinite);
    CHECK(after.profile.moments.sum == 1.0);
    CHECK(after.profile.moments.sumSquares == 2.0);
    CHECK(after.profile.moments.mean == 3.0);
    CHECK(after.profile.moments.m2 == 4.0);
    CHECK(after.profile.moments.m3 == 5.0);
    CHECK(std::isnan(after.profile.moments.m4));
    CHECK(after.profile.batches == before.profile.batches);
    CHECK(after.profile.channels == before.profile.channels);
    CHECK(after.profile.sketch == before.profile.sketch);
    CHECK(after.profile.histograms == before.profile.histograms);
    REQUIRE(after.profile.orders.size() == 1);
    CHECK(after.profile.order({Domain::Signed, 17}) == 0.1);

    REQUIRE(after.outcomes.size() == 1);
    const Outcome& outcome = after.outcomes[0];
    CHECK(outcome.file == "a.h5");
    CHECK(outcome.tensor == "conv1:0");
    CHECK(outcome.role == Role::Activation);
    CHECK(outcome.op == "Conv");
    checkSame(outcome.choice, someChoice());
    CHECK(outcome.histogram == HistogramSpec{.growth = "double", .bins = 1024});
    checkSame(outcome.whole, someRow(0));
    REQUIRE(outcome.channels.size() == 3);
    for (std::size_t channel = 0; channel < 3; ++channel)
        checkSame(outcome.channels[channel], someRow(channel + 1));
    CHECK(outcome.curve.objective == "KL divergence");
    CHECK(outcome.curve.unit == "nats");
    CHECK(outcome.curve.threshold == std::vector<double>{1.0, 2.0, 3.0});
    CHECK(outcome.curve.value == std::vector<double>{inf, 0.5, 0.5});
    CHECK(outcome.curve.chosen == 1);
    CHECK(outcome.curve.ties == std::vector<std::size_t>{2});
    CHECK(outcome.curve.plateau == Range{2.0, 3.0});
    CHECK(outcome.curve.runnerUp == 2);
    REQUIRE(outcome.channelTraces.size() == 2);
    CHECK(outcome.channelTraces[0].scale.empty());
    CHECK_FALSE(outcome.channelTraces[0].gridScale);
    for (const Trace& trace : {outcome.trace, outcome.channelTraces[1]}) {
        CHECK(trace.objective == "squared error");
        CHECK(trace.unit == "V^2");
        CHECK(trace.scale == std::vector<double>{2.0, 1.0});
        CHECK(trace.error == std::vector<double>{inf, 0.5});
        CHECK(trace.iterations == 7);
        CHECK(trace.hasConverged);
        CHECK(trace.gridScale == 1.5);
        CHECK(trace.gridError == 0.25);
        CHECK(trace.gridRatio() == 2.0);
    }
    CHECK(outcome.problem == "the calibrator needs values");
    CHECK(outcome.channel == 7U);
    CHECK(after.typeOffer == before.typeOffer);
    CHECK_FALSE(travelled(TensorView{}).typeOffer);
}

TEST_CASE("a strip comes back as it was, the largest counts included")
{
    const Strip strip = travelled(Strip{.range = {-1.0, 2.0},
                                        .rows = 2,
                                        .columns = 3,
                                        .counts = {0, 127, 128, 16384, 1, ~std::uint64_t{0}}});
    CHECK(strip.range == Range{-1.0, 2.0});
    CHECK(strip.rows == 2);
    CHECK(strip.columns == 3);
    CHECK(strip.counts == std::vector<std::uint64_t>{0, 127, 128, 16384, 1, ~std::uint64_t{0}});
    CHECK(travelled(Strip{}).counts.empty());
    CHECK(travelled(Strip{.columns = 4}).counts.empty());
}

TEST_CASE("a strip of 6625 channels and 1024 columns fits a frame")
{
    Strip strip{.rows = 6625, .columns = 1024};
    strip.counts.assign(6625 * 1024, 1U << 20U);
    CHECK(toFrame(encode(strip)).size() < frameLimit / 2);
}

TEST_CASE("a sketch takes a few bytes for each of its bins")
{
    TensorView view;
    for (std::uint32_t key = 50000; key < 60000; ++key)
        view.profile.sketch.positive.push_back({.key = key, .count = 100, .dropped = 100 * 4096});
    const std::size_t empty = toFrame(encode(TensorView{})).size();
    CHECK(toFrame(encode(view)).size() - empty < 10000 * 6);
}

TEST_CASE("empty structs come back empty")
{
    CHECK(travelled(TensorView{}).outcomes.empty());
    CHECK(travelled(TensorView{}).profile.batches.empty());
    CHECK(travelled(DumpOpened{}).tensors.empty());
    CHECK(travelled(ViewRequest{}).choices.empty());
    CHECK_FALSE(travelled(Preview{}).sqnrDb);
}

TEST_CASE("eight calibrators on 6625 channels, with metrics, fit a frame")
{
    TensorView view = someView();
    std::vector<ScaleRow> rows;
    for (std::uint64_t channel = 0; channel < 6625; ++channel) {
        rows.push_back(someRow(channel));
        for (const char* metric : {"a", "b", "c", "d", "e", "f", "g"})
            rows.back().metrics.emplace_back(metric, 0.1);
    }
    view.outcomes[0].channels = rows;
    view.outcomes.resize(8, view.outcomes[0]);
    const std::string frame = toFrame(encode(view));
    CHECK(frame.size() < frameLimit / 2);
    CHECK(decode<TensorView>(parseCbor(std::string_view(frame).substr(4)))
              .outcomes[7]
              .channels.size() == 6625);
}

TEST_CASE("layers and what was found of them come back as they were")
{
    const TensorRef edited{.file = "a.h5", .index = 3, .layoutOverride = someLayoutOverride()};
    const ChoiceOnTensor decided{
        .path = "/x", .id = "percentile", .label = "percentile 99.9", .choice = someChoice()};
    const LayerRequest request = travelled(LayerRequest{.path = "a.h5",
                                                        .allowExternal = true,
                                                        .edited = {edited},
                                                        .layer = "y",
                                                        .decisions = {decided},
                                                        .positions = 256,
                                                        .seed = 7,
                                                        .perChannel = true});
    CHECK(request.path == "a.h5");
    CHECK(request.allowExternal);
    CHECK(request.edited == std::vector{edited});
    CHECK(request.layer == "y");
    REQUIRE(request.decisions.size() == 1);
    CHECK(request.decisions[0].path == "/x");
    CHECK(request.decisions[0].id == "percentile");
    CHECK(request.decisions[0].label == "percentile 99.9");
    CHECK(request.decisions[0].choice.isSameComputation(someChoice()));
    CHECK(request.positions == 256);
    CHECK(request.seed == 7);
    CHECK(request.perChannel);
    const LayerTrialsRequest trials = travelled(LayerTrialsRequest{request, {decided, decided}});
    CHECK(trials.layer.layer == "y");
    CHECK(trials.candidates.size() == 2);
    const EqualizationsRequest pairs =
        travelled(EqualizationsRequest{"a.h5", true, {edited}, {decided}, 64, 9});
    CHECK(pairs.positions == 64);
    CHECK(pairs.seed == 9);
    CHECK(pairs.decisions.size() == 1);
    CHECK(travelled(LayersRequest{"a.h5", true, {edited}}).edited == std::vector{edited});

    const LayerResult result{.layer = "y",
                             .path = "/y",
                             .op = "Conv",
                             .input = {.tensor = "x",
                                       .path = "/x",
                                       .candidate = "mse",
                                       .label = "mse",
                                       .decidedBy = "s"},
                             .weight = {.tensor = "w", .path = "/w", .isWeight = true},
                             .whyNot = "",
                             .outputSqnrDb = 31.5,
                             .intervalDb = 0.25,
                             .outputAcDb = -inf,
                             .inputDb = inf,
                             .weightDb = 40.0,
                             .residual = 3e-7,
                             .positions = 256,
                             .of = 10000,
                             .attributes = "pads 1",
                             .notes = {"one", "two"},
                             .biasGainDb = 0.5,
                             .medianChannelDb = 30.0,
                             .leastChannelDb = 11.0,
                             .channels = {.signal = {4.0, 1.0},
                                          .noise = {0.5, 0.25},
                                          .meanError = {0.1, -0.2},
                                          .gainDb = {1.0, inf},
                                          .isDead = {false, true}},
                             .dominant = {{.channel = 7, .absMax = 80.0, .ratio = 12.5}}};
    CHECK(travelled(result) == result);
    CHECK(travelled(LayerResult{}) == LayerResult{});
    CHECK(travelled(LayerList{{result, LayerResult{}}}).layers ==
          std::vector{result, LayerResult{}});
    const CandidateEffect effect{.candidate = "mse",
                                 .label = "mse",
                                 .isDecided = true,
                                 .outputSqnrDb = 3.0,
                                 .differenceDb = -1.0,
                                 .problem = "odd"};
    const LayerCandidates found{.decided = result,
                                .input = {effect},
                                .weight = {effect, CandidateEffect{}},
                                .bestInput = 0,
                                .bestWeight = 1,
                                .bestSqnrDb = 32.0,
                                .bestDifferenceDb = 0.5};
    CHECK(travelled(found) == found);
    const Equalization pair{.first = "y",
                            .second = "z",
                            .activation = "y",
                            .through = {"r"},
                            .whyNot = "odd",
                            .firstBeforeDb = 1.0,
                            .firstAfterDb = 2.0,
                            .secondBeforeDb = 3.0,
                            .secondAfterDb = 4.0,
                            .leastScale = 0.5,
                            .largestScale = 8.0,
                            .dominant = result.dominant,
                            .notes = {"one"}};
    CHECK(travelled(Equalizations{{pair}}).pairs == std::vector{pair});
}

TEST_CASE("channels of different number and a best candidate that is not there are refused")
{
    LayerResult result;
    result.channels = {
        .signal = {1.0}, .noise = {}, .meanError = {1.0}, .gainDb = {1.0}, .isDead = {}};
    CHECK_THROWS_WITH(travelled(result), containsText("lists of channels of different length"));
    LayerCandidates found;
    found.bestInput = 0;
    CHECK_THROWS_WITH(travelled(found), containsText("names a candidate that it does not hold"));
}

TEST_CASE("a study of samples comes back as it was")
{
    const StudyRequest request = travelled(StudyRequest{.tensor = {.file = "a.h5", .index = 2},
                                                        .choices = {someChoice()},
                                                        .withBands = false,
                                                        .parts = 3,
                                                        .seed = 9});
    CHECK(request.tensor.index == 2);
    REQUIRE(request.choices.size() == 1);
    CHECK_FALSE(request.withBands);
    CHECK(request.parts == 3);
    CHECK(request.seed == 9);

    SampleStudy study;
    study.file = "a.h5";
    study.tensor = "x";
    study.role = Role::Activation;
    study.op = "Relu";
    study.choice = someChoice();
    study.channel = 4;
    study.unit = SampleUnit::Sample;
    study.units = 16;
    study.batches = 4;
    study.samples = 16;
    study.resamples = 200;
    study.seed = 1;
    study.threshold = 2.5;
    study.scale = 0.02;
    study.sqnrDb = 30.0;
    study.hasExactSqnr = true;
    study.thresholdBand = SampleBand{.low = 2.0, .high = std::nullopt};
    study.sqnrBandDb = Range{29.0, 31.0};
    study.whyNoBand = "odd";
    study.likeness = {.correlation = 0.5, .independentUnits = 4.0};
    study.curve = {{.units = 1,
                    .threshold = 2.0,
                    .sqnrDb = 28.0,
                    .thresholdBand = SampleBand{.low = 1.0, .high = 3.0},
                    .sqnrBandDb = Range{27.0, 29.0}}};
    study.convergedWithin1 = 12;
    study.convergedWithin5 = 8;
    study.order = OrderSpread{
        .orders = 20, .thresholds = {2.0, 2.5}, .share = 0.2, .sqnrDb = Range{29.0, 30.0}};
    study.heldOut =
        HeldOut{.parts = {{.firstUnit = 4, .units = 4, .threshold = 2.2, .sqnrDb = 29.0}},
                .sqnrDb = 29.0,
                .seenSqnrDb = 30.0,
                .gapDb = 1.0};
    study.notes = {"one"};
    study.problem = "none";
    const Studied studied = travelled(Studied{{study}});
    REQUIRE(studied.studies.size() == 1);
    const SampleStudy& told = studied.studies[0];
    CHECK(told.choice.isSameComputation(study.choice));
    CHECK(told.file == study.file);
    CHECK(told.tensor == study.tensor);
    CHECK(told.likeness == study.likeness);
    CHECK(told.role == study.role);
    CHECK(told.op == study.op);
    CHECK(told.channel == study.channel);
    CHECK(told.unit == study.unit);
    CHECK(told.units == study.units);
    CHECK(told.batches == study.batches);
    CHECK(told.samples == study.samples);
    CHECK(told.resamples == study.resamples);
    CHECK(told.seed == study.seed);
    CHECK(told.threshold == study.threshold);
    CHECK(told.scale == study.scale);
    CHECK(told.sqnrDb == study.sqnrDb);
    CHECK(told.hasExactSqnr);
    CHECK(told.thresholdBand == study.thresholdBand);
    CHECK(told.sqnrBandDb == study.sqnrBandDb);
    CHECK(told.whyNoBand == study.whyNoBand);
    CHECK(told.curve == study.curve);
    CHECK(told.convergedWithin1 == study.convergedWithin1);
    CHECK(told.convergedWithin5 == study.convergedWithin5);
    CHECK(told.order == study.order);
    CHECK(told.heldOut == study.heldOut);
    CHECK(told.notes == study.notes);
    CHECK(told.problem == study.problem);
}

TEST_CASE(
    "files of a message are visited wherever they are; tensors' paths and empty texts are not")
{
    const auto filesOf = [](auto message) {
        std::vector<std::string> files;
        visitFiles(message, [&](std::string& file) { files.push_back(std::exchange(file, "-")); });
        return files;
    };
    using Files = std::vector<std::string>;
    CHECK(filesOf(CompareRequest{.a = {.file = "a"}, .b = {.file = "b"}, .choices = {}}) ==
          Files{"a", "b"});
    CHECK(filesOf(ImportRequest{.path = "t", .tensors = {{.file = "a"}, {.file = "b"}}}) ==
          Files{"t", "a", "b"});
    CHECK(filesOf(ImportRequest{.path = "t", .tensors = {}, .model = "m"}) == Files{"t", "m"});
    CHECK(filesOf(PortsRequest{.path = "a", .model = "m"}) == Files{"a", "m"});
    const ModelPorts ports{.unrecorded = {"state"}, .outputs = {"y", "stateN"}};
    CHECK(travelled(ports) == ports);
    LayerTrialsRequest trials;
    trials.layer.path = "d";
    trials.layer.decisions = {{.path = "/w"}};
    trials.layer.edited = {{.file = "e"}};
    CHECK(filesOf(trials) == Files{"d", "e"});
    Compared compared;
    compared.comparison.choices.resize(1);
    compared.comparison.choices[0].a.file = "a";
    compared.comparison.choices[0].b.file = "b";
    CHECK(filesOf(compared) == Files{"a", "b"});
    IdentifiedFile identified;
    CHECK(filesOf(identified).empty());
    identified.identity = FileIdentity{.path = "i"};
    CHECK(filesOf(identified) == Files{"i"});
    CHECK(filesOf(FolderPage{.path = "/home", .entries = {}}).empty());
}

}  // namespace codec_test
