// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/own_program.h"

#include "core/base/error.h"
#include "core/recipes/candidates.h"
#include "core/recipes/make_choice.h"
#include "tests/support/catch.h"
#include "tests/support/profiles.h"

#include <limits>

#include <nlohmann/json.hpp>

namespace own_program_test {

using namespace calibscope;
using calibscope::test::containsText;

constexpr Scheme affine{.kind = SchemeKind::Affine};
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

/// A program that answers that line, and what it was asked.
struct Answering
{
    explicit Answering(std::string line) : answer(std::move(line)) {}

    Calibration on(const std::vector<float>& values, GivenSettings given = {},
                   const Scheme& scheme = {})
    {
        given.emplace("file", "/somewhere/mine.py");
        const auto reply = [this](const ProgramQuestion& question) {
            asked.push_back(question);
            if (question.values)
                question.values([this](std::span<const float> part) {
                    taken.insert(taken.end(), part.begin(), part.end());
                });
            return answer;
        };
        const Settings settings(ownProgram().parameters, given, programId);
        TensorProfile profile = test::profileOf(values);
        const CalibratorNeeds needs =
            ownProgram().needs({.settings = settings, .scheme = scheme}, profile.extents());
        for (const HistogramSpec& spec : needs.histograms)
            profile.histograms.push_back(test::grownHistogram(values, spec));
        const ValueSource source = test::sourceInParts(values, 2);
        const Progress progress;
        const CalibratorValues held{.source = source, .memoryBytes = 0, .progress = progress};
        return calibrateByProgram({.settings = settings, .scheme = scheme, .values = &held},
                                  profile, reply);
    }
    [[nodiscard]] std::string refusal(const Scheme& scheme = {})
    {
        try {
            static_cast<void>(on({1.0F, -2.0F}, {}, scheme));
        } catch (const Error& error) {
            CHECK(error.fault() == Fault::Usage);
            return error.what();
        }
        return "it was accepted";
    }

    std::string answer;
    std::vector<ProgramQuestion> asked;
    std::vector<float> taken;
};

TEST_CASE(
    "own program: it is given the histogram and facts of the tensor, and its threshold counts")
{
    Answering program(R"({"threshold": 1.5, "note": "as I like it"})");
    const Calibration found =
        program.on({0.5F, -2.0F, 1.0F, nan}, {{"bins", "4"}, {"sha256", "abc"}});
    CHECK(found.clip.threshold == 1.5);
    CHECK(found.notes == std::vector<std::string>{"mine.py: as I like it"});
    CHECK(found.curve.threshold.empty());
    REQUIRE(program.asked.size() == 1);
    CHECK(program.asked[0].file == "/somewhere/mine.py");
    CHECK(program.asked[0].sha256 == "abc");
    CHECK_FALSE(program.asked[0].values);
    const auto asked = nlohmann::json::parse(program.asked[0].line);
    CHECK(asked["calibscope"] == 1);
    CHECK(asked["count"] == 3);
    CHECK(asked["min"] == -2.0);
    CHECK(asked["max"] == 1.0);
    CHECK(asked["levels"] == nlohmann::json({-127, 127}));
    CHECK(asked["histogram"] ==
          nlohmann::json(
              {{"domain", "magnitude"}, {"low", 0.0}, {"high", 2.0}, {"counts", {0, 1, 1, 1}}}));
    CHECK(found.histogram == HistogramSpec{.bins = 4});
}

TEST_CASE("own program: an answer with another question's id is refused")
{
    Answering program(R"({"threshold": 1.5})");
    program.on({1.0F, -2.0F});
    const unsigned id = nlohmann::json::parse(program.asked[0].line)["id"];
    program.answer = fmt::format(R"({{"id": {}, "threshold": 1.5}})", id + 1);
    CHECK(program.on({1.0F, -2.0F}).clip.threshold == 1.5);
    CHECK_THAT(program.refusal(), containsText("has the id of another question"));
}

TEST_CASE("own program: with input=values it is given all finite ones, block by block")
{
    Answering program(R"({"low": -1, "high": 0.5})");
    const Calibration found = program.on({0.5F, -2.0F, nan, 1.0F}, {{"input", "values"}}, affine);
    CHECK(program.taken == std::vector<float>{0.5F, -2.0F, 1.0F});
    CHECK(found.clip.range == Range{-1.0, 0.5});
    CHECK_FALSE(found.histogram);
    CHECK_FALSE(nlohmann::json::parse(program.asked.at(0).line).contains("histogram"));
}

TEST_CASE("own program: a range under a symmetric scheme is its wider end, a threshold under an "
          "affine one is cut at the data")
{
    CHECK(Answering(R"({"low": -1.5, "high": 1})").on({1.0F, -2.0F}).clip.threshold == 1.5);
    CHECK(Answering(R"({"threshold": 1.5})").on({1.0F, -2.0F}, {}, affine).clip.range ==
          Range{-1.5, 1.0});
    CHECK(Answering(R"({"low": 0.25, "high": 1})").on({1.0F, 0.5F}, {}, affine).clip.range ==
          Range{0.0, 1.0});
}

TEST_CASE("own program: odd tensors have the answer of all others, and nobody is asked")
{
    Answering program("never asked");
    CHECK(program.on({}).notes == std::vector<std::string>{"no finite value"});
    CHECK(program.on({nan}).notes == std::vector<std::string>{"no finite value"});
    CHECK(program.on({0.0F, -0.0F}).clip.threshold == 0.0);
    CHECK(program.on({0.0F}, {}, affine).clip.range == Range{0.0, 0.0});
    CHECK(program.asked.empty());
}

TEST_CASE("own program: where no program is run, a sentence says so")
{
    CHECK_THROWS_WITH(test::calibrated(programId, {1.0F}, {{"file", "mine.py"}}),
                      containsText("mine.py: no program of your own is run here"));
}

TEST_CASE("own program: an answer that is none is refused with its reason")
{
    const std::vector<std::pair<std::string, std::string>> wrong = {
        {"", "mine.py: its answer is not valid JSON, where NaN is no number: "},
        {"1.5", "is not an object"},
        {R"({"threshold": NaN})", "NaN is no number: {\"threshold\": NaN}"},
        {R"({"threshold": -1})", "threshold = -1"},
        {R"({"threshold": 1e39})", "threshold = 1e+39"},
        {R"({"threshold": "inf"})", "threshold = inf"},
        {R"({"threshold": "1"})", "threshold"},
        {R"({"threshold": 1, "low": 0})", "both \"threshold\" and ends"},
        {R"({"low": -1})", "has no \"high\""},
        {R"({"low": 2, "high": 1})", "low = 2 above high = 1"},
        {R"({})", "has neither"},
        {R"({"threshold": 1, "treshold": 2})", "unknown member \"treshold\""},
        {R"({"threshold": 1, "note": ")" + std::string(201, 'x') + R"("})", "note of 201 bytes"},
        {R"({"threshold": 1, "curve": {"x": [0, 1], "y": [1]}})", "2 x and 1 y"},
        {R"({"threshold": 1, "curve": {"x": [1], "y": [1]}})", "1 x and 1 y"},
        {R"({"threshold": 1, "curve": {"x": [1, 1], "y": [1, 2]}})", "do not ascend"},
        {R"({"threshold": 1, "curve": {"x": [0, 1], "y": [1, "inf"]}})", "y"},
        {std::string(100000, '['), "is not valid JSON"}};
    for (const auto& [answer, reason] : wrong) {
        INFO(answer.substr(0, 80));
        CHECK_THAT(Answering(answer).refusal(), containsText(reason));
    }
}

TEST_CASE("own program: its curve is drawn with the point that is nearest to its threshold")
{
    Answering program(R"({"threshold": 1.1, "curve":
        {"x": [0.5, 1, 2], "y": [3, 1.5, 1.505], "name": "loss", "unit": "dB"}})");
    const Curve curve = program.on({1.0F, -2.0F}).curve;
    CHECK(curve.objective == "loss");
    CHECK(curve.unit == "dB");
    CHECK(curve.threshold == std::vector<double>{0.5, 1.0, 2.0});
    CHECK(curve.chosen == 1);
    CHECK(curve.plateau == Range{1.0, 2.0});
    CHECK(curve.runnerUp == 0U);
    program.answer = R"({"low": -2, "high": 1, "curve": {"x": [-2, -1, 1], "y": [-1, 2, 3]}})";
    CHECK(program.on({1.0F, -2.0F}).curve.threshold.empty());
    const Curve both = program.on({1.0F, -2.0F}, {}, affine).curve;
    CHECK(both.objective == "objective");
    CHECK(both.chosen == 2);
    CHECK(both.chosenLow == 0U);
}

TEST_CASE("own program: its text declares how it is asked")
{
    CHECK(declaredSettings("#!/bin/sh\n# calibscope: input=values, bins = 64\r\nrest", "mine") ==
          GivenSettings{{"input", "values"}, {"bins", "64"}});
    CHECK(declaredSettings("from calibscope.program import serve\n", "mine").empty());
    CHECK(declaredSettings(std::string(70000, ' ') + "calibscope: bins=2", "mine").empty());
    CHECK_THROWS_WITH(declaredSettings("# calibscope: file=/bin/sh", "mine"),
                      containsText("mine: declares file"));
    CHECK_THROWS_WITH(declaredSettings("# calibscope: values", "mine"),
                      containsText("is not parameter=value"));
}

TEST_CASE("own program: its candidate is known by its content, and marked as nobody else's")
{
    const auto choiceOf = [](const std::string& digest) {
        return makeChoice(programId, {{"file", "/a/mine.py"}, {"sha256", digest}},
                          SchemeKind::SymmetricRestricted, Granularity::Tensor);
    };
    CHECK(choiceId(choiceOf("1")) != choiceId(choiceOf("2")));
    CHECK(shortLabel(choiceOf("1")) == "own program mine.py");
    CHECK(isCalibrator(programId));
    CHECK(std::ranges::find(calibrators(), programId, &Calibrator::id) == calibrators().end());
    CHECK_THROWS_WITH(makeChoice(programId, {{"file", "a;b"}}, SchemeKind::SymmetricRestricted,
                                 Granularity::Tensor),
                      containsText("without commas, semicolons"));
}

}  // namespace own_program_test
