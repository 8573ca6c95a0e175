// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/python/python_snippet.h"

#include "core/base/error.h"
#include "core/recipes/make_choice.h"
#include "core/recipes/preset.h"
#include "core/recipes/recipe.h"
#include "tests/support/catch.h"

#include <stdexcept>
#include <string>

namespace python_snippet_test {

using namespace calibscope;
using test::containsText;

/// An activation of 8 samples in batches of 2, its samples along axis 1 and channels along axis 0.
TensorInfo someTensor()
{
    return {.name = "x",
            .path = "/activations/x",
            .role = Role::Activation,
            .elementType = ElementKind::Float32,
            .shape = {3, 8, 4},
            .batchAxis = 1,
            .batchSize = 2,
            .channelAxis = 0};
}

SnippetRequest requestOf(const Choice& choice)
{
    return {.file = "dump.h5", .tensor = someTensor(), .choice = choice};
}

Choice choiceOf(const std::string& calibrator, const GivenSettings& given = {},
                SchemeKind scheme = SchemeKind::SymmetricRestricted,
                Granularity granularity = Granularity::Tensor)
{
    return makeChoice(calibrator, given, scheme, granularity);
}

TEST_CASE("a snippet says at its top what it is of, and names the file")
{
    SnippetRequest request = requestOf(choiceOf("percentile", {{"alpha", "99.9"}}));
    request.choice.recipe = "my-recipe";
    const PythonSnippet snippet = pythonSnippet(request);
    CHECK(snippet.problem.empty());
    CHECK(snippet.text.starts_with("# Calibscope "));
    CHECK_THAT(snippet.text,
               containsText(": scale of \"/activations/x\"\n# Recipe \"my-recipe\"\n"
                            "# Calibrator percentile, scheme symmetric-restricted, per "
                            "tensor\n# alpha=99.9;estimator=linear;"));
    CHECK_THAT(snippet.text, containsText("\nFILE = \"dump.h5\"\n"));
    CHECK_THAT(snippet.text,
               containsText("return percentile(x, alpha=99.9, method=\"linear\"), ([], [])\n"));
}

TEST_CASE("a snippet holds only the functions that it calls")
{
    const std::string text = pythonSnippet(requestOf(choiceOf("min-max"))).text;
    CHECK_THAT(text, containsText("def min_max(x, fraction, least=0.0):"));
    CHECK_THAT(text, containsText("def symmetric("));
    CHECK_THAT(text, !containsText("def affine("));
    CHECK_THAT(text, !containsText("def entropy("));
    CHECK_THAT(text, !containsText("def channel("));
}

TEST_CASE("imports stand once and in front, however many functions want them")
{
    const std::string text = pythonSnippet(requestOf(choiceOf("l2"))).text;
    CHECK_THAT(text, containsText("\nfrom types import SimpleNamespace\nimport math\n\nimport "
                                  "h5py\nimport numpy as np\n\n\ndef "));
    CHECK(text.find("import math") == text.rfind("import math"));
}

TEST_CASE("a tensor is read with its batches, and channels count with the batch axis in front")
{
    SnippetRequest request =
        requestOf(choiceOf("min-max", {}, SchemeKind::SymmetricFull, Granularity::Channel));
    CHECK_THAT(pythonSnippet(request).text,
               containsText("batches = read(FILE, [\"/activations/x\"], batch_axis=1, "
                            "batch_size=2)\nfor index in range(3):\n    one = channel(batches, "
                            "axis=1, index=index)\n"));
    request.choice.granularity = Granularity::Tensor;
    request.part = {.channel = 2, .batches = 1};
    CHECK_THAT(pythonSnippet(request).text,
               containsText("batches = channel(read(FILE, [\"/activations/x\"], batch_axis=1, "
                            "batch_size=2, batches=1), axis=1, index=2)\n"));
}

TEST_CASE("numbered parts follow each other, and small floats are decoded from their bits")
{
    SnippetRequest request{.subject = SnippetSubject::Statistics, .file = "d.h5"};
    request.tensor = {
        .path = "/x", .elementType = ElementKind::Bfloat16, .storedType = "uint16", .shape = {4}};
    request.tensor.parts = {"/x/0", "/x/1"};
    CHECK_THAT(pythonSnippet(request).text,
               containsText("read(FILE, [\"/x/0\", \"/x/1\"], decode=bfloat16)\n"));
    request.tensor.elementType = ElementKind::Float8E5m2;
    CHECK_THAT(pythonSnippet(request).text, containsText("float8(stored, 5, 15, \"ieee\")"));
}

TEST_CASE("names stay inside their comment and literal, whatever they hold")
{
    SnippetRequest request = requestOf(choiceOf("min-max"));
    request.tensor.path = "/a\"\nimport os  # \\";
    request.file = "a\xff";
    const std::string text = pythonSnippet(request).text;
    CHECK_THAT(text, containsText("scale of \"/a\\\"\\nimport os  # \\\\\"\n"));
    CHECK_THAT(text, !containsText("\nimport os"));
    CHECK_THAT(text, containsText("FILE = b\"\\x61\\xff\"\n"));
}

TEST_CASE("every choice of a published recipe has a snippet")
{
    for (const Recipe& recipe : recipes())
        for (const RecipeRule& rule : recipe.rules)
            for (const SnippetSubject subject : {SnippetSubject::Scale, SnippetSubject::Metrics}) {
                SnippetRequest request = requestOf(rule.choice);
                request.subject = subject;
                INFO(recipe.id << ": " << rule.choice.calibrator);
                CHECK(pythonSnippet(request).problem.empty());
                CHECK_FALSE(pythonSnippet(request).text.empty());
            }
}

TEST_CASE("what copies another tool's rounding has no snippet, and a sentence says why")
{
    const auto problem = [](const std::string& presetId) {
        return pythonSnippet(
            requestOf(makeChoice(preset(presetId), {}, SchemeKind::Affine, Granularity::Tensor)));
    };
    CHECK(problem("glow-512-asymmetric-kl").text.empty());
    CHECK_THAT(problem("glow-512-asymmetric-kl").problem,
               containsText("no Python for zero-point=from-nearer-end"));
    CHECK_THAT(problem("praxis-p4-8bit").problem,
               containsText("no Python for bound-search under arithmetic other than double"));
    CHECK_THAT(problem("pytorch-quantization-entropy").problem,
               containsText("no Python for the growth rule as-needed"));
}

TEST_CASE("there is a curve where a calibrator searches one, for a tensor as a whole")
{
    SnippetRequest request = requestOf(choiceOf("entropy"));
    request.subject = SnippetSubject::Curve;
    CHECK_THAT(pythonSnippet(request).text, containsText("print(\"threshold value\")"));
    request.choice.granularity = Granularity::Channel;
    CHECK_THAT(pythonSnippet(request).problem, containsText("there is no curve"));
    request.choice = choiceOf("min-max");
    CHECK_THAT(pythonSnippet(request).problem, containsText("there is no curve"));
}

TEST_CASE("a propagated range is computed from the tensors that it comes from")
{
    SnippetRequest request = requestOf(choiceOf("min-max"));
    const Choice own = choiceOf("min-max", {{"fraction", "0.5"}});
    request.choice.rangeFrom = {{.tensor = "y",
                                 .path = "/activations/y",
                                 .calibrator = own.calibrator,
                                 .settings = own.settings,
                                 .scheme = own.scheme}};
    CHECK_THROWS_AS(pythonSnippet(request), std::invalid_argument);
    request.rangeTensors = {
        {.path = "/activations/y", .elementType = ElementKind::Float32, .shape = {4}}};
    const std::string text = pythonSnippet(request).text;
    CHECK_THAT(text, containsText("def calibrate_0(batches):"));
    CHECK_THAT(text, containsText("return min_max(x, fraction=0.5), ([], [])\n"));
    CHECK_THAT(text, containsText("calibrate_0(read(FILE, [\"/activations/y\"]))[0],\n"));
}

TEST_CASE("an unknown subject is refused with the known ones")
{
    CHECK(parseSnippetSubject("curve") == SnippetSubject::Curve);
    CHECK_THROWS_WITH(parseSnippetSubject("plot"),
                      "there is no snippet of plot; available: statistics, histogram, scale, "
                      "metrics, curve, block");
}

}  // namespace python_snippet_test
