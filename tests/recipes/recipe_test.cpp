// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recipes/recipe.h"

#include "core/recipes/make_choice.h"
#include "tests/support/catch.h"

namespace recipe_test {

using namespace calibscope;
using calibscope::test::containsText;

TensorInfo activation(std::string name, std::string op, std::vector<std::string> inputs = {})
{
    return {.name = std::move(name),
            .role = Role::Activation,
            .shape = {8, 40, 240},
            .batchAxis = 0,
            .channelAxis = 2,
            .op = std::move(op),
            .inputs = std::move(inputs)};
}

TensorInfo weight(std::string op, std::optional<int> channelAxis)
{
    return {.name = "w",
            .role = Role::Weight,
            .shape = {120, 360},
            .channelAxis = channelAxis,
            .op = std::move(op)};
}

std::optional<Choice> chosen(const char* id, const TensorInfo& tensor)
{
    return choose(recipe(id), tensor, Consumers({}));
}

TEST_CASE("the embedded recipes are in order, each with its statements")
{
    std::vector<std::string> ids;
    for (const Recipe& r : recipes()) {
        ids.push_back(r.id);
        CHECK_FALSE(r.source.empty());
        CHECK_FALSE(r.states.empty());
        CHECK_FALSE(r.chosen.empty());
        CHECK(r.isVariant == (r.id.ends_with("-open") || r.id.ends_with("-kl-weights") ||
                              r.id.ends_with("-search")));
    }
    CHECK(ids == std::vector<std::string>{
                     "rebellions-vision", "rebellions-language", "moffett-cnn",
                     "moffett-cnn-kl-weights", "moffett-cnn-open", "moffett-bert", "nvidia-entropy",
                     "nvidia-entropy-open", "nvidia-fractional", "nvidia-dlrm", "google-tpu",
                     "google-tpu-search", "qualcomm-mse", "qualcomm-kl", "qualcomm-percentile"});
    CHECK(allRecipes().size() == ids.size() + 1);
    CHECK_FALSE(recipe("tflite-int8").isListed);
}

TEST_CASE("activations get what the documents say")
{
    const TensorInfo conv = activation("a", "Conv");
    const Choice vision = chosen("rebellions-vision", conv).value();
    CHECK(vision.calibrator == "percentile");
    CHECK(vision.settings.number("alpha") == 99.999);
    CHECK(vision.scheme.kind == SchemeKind::SymmetricFull);
    CHECK(vision.granularity == Granularity::Tensor);
    CHECK(vision.recipe == "rebellions-vision");

    const Choice moffett = chosen("moffett-cnn", conv).value();
    CHECK(moffett.calibrator == "entropy");
    CHECK(moffett.settings.is("first-bin", "counted"));
    CHECK(moffett.settings.is("outliers-in-q", "yes"));
    CHECK(moffett.scheme.kind == SchemeKind::SymmetricRestricted);
    CHECK(chosen("moffett-cnn-open", conv)->settings.is("outliers-in-q", "no"));

    CHECK(chosen("nvidia-entropy", conv)->settings.is("first-bin", "discarded"));
    CHECK(chosen("nvidia-fractional", conv)->settings.number("fraction") == 0.999);
}

TEST_CASE("weights get one scale per output channel where the dump names the axis")
{
    for (const char* id : {"rebellions-vision", "moffett-cnn", "moffett-bert", "nvidia-entropy",
                           "nvidia-fractional"}) {
        const Choice choice = chosen(id, weight("MatMul", 1)).value();
        CHECK(choice.calibrator == "min-max");
        CHECK(choice.granularity == Granularity::Channel);
        const Choice whole = chosen(id, weight("MatMul", std::nullopt)).value();
        CHECK(whole.granularity == Granularity::Tensor);
        CHECK_THAT(whole.note, containsText("no channel axis"));
    }
}

TEST_CASE("Moffett's BERT recipe takes only what goes into or comes out of matrix products")
{
    const std::vector<TensorInfo> tensors = {
        activation("x", "Add"), activation("y", "MatMul", {"x"}), activation("z", "Relu", {"y"})};
    const Consumers consumers(tensors);
    const Recipe& bert = recipe("moffett-bert");
    CHECK(choose(bert, tensors[0], consumers).has_value());        // feeds a MatMul
    CHECK(choose(bert, tensors[1], consumers).has_value());        // is its output
    CHECK_FALSE(choose(bert, tensors[2], consumers).has_value());  // neither
    CHECK_FALSE(choose(bert, weight("Conv", 0), consumers).has_value());
}

TEST_CASE("a nested name and the same name with dots are one tensor")
{
    const std::vector<TensorInfo> tensors = {activation("enc/x", "Add"),
                                             activation("y", "MatMul", {"enc.x"})};
    CHECK(choose(recipe("moffett-bert"), tensors[0], Consumers(tensors)).has_value());
}

TEST_CASE("an unknown role follows the rules of activations, with a note")
{
    TensorInfo unknown = activation("u", "");
    unknown.role = Role::Unknown;
    const Choice choice = chosen("rebellions-vision", unknown).value();
    CHECK(choice.calibrator == "percentile");
    CHECK_THAT(choice.note, containsText("unknown role"));
}

TEST_CASE("per row needs a matrix whose channel axis is known")
{
    Choice byRow = chosen("nvidia-entropy", weight("MatMul", 1)).value();
    byRow.granularity = Granularity::Row;
    CHECK(fittedTo(byRow, weight("MatMul", 1)).granularity == Granularity::Row);
    CHECK(fittedTo(byRow, activation("a", "Conv")).granularity == Granularity::Tensor);
}

TEST_CASE("groups that do not fit become a scale for each channel, and of activations one for all")
{
    const auto fitted = [](Role role, std::vector<std::uint64_t> shape, std::optional<int> axis) {
        TensorInfo info{.name = "t", .role = role, .shape = std::move(shape)};
        info.channelAxis = axis;
        const Choice choice = fittedTo(
            makeChoice("min-max", {}, SchemeKind::SymmetricFull, parseGranularity("g32")), info);
        return choice.granularity.text() + (choice.note.empty() ? "" : ": " + choice.note);
    };
    CHECK(fitted(Role::Weight, {8, 64}, 0) == "g32");
    CHECK(fitted(Role::Weight, {8, 64, 3, 3}, 0) ==
          "channel: no whole groups of 32 along one axis: one scale per channel");
    CHECK(fitted(Role::Activation, {4, 64}, 1) ==
          "tensor: no whole groups of 32 along one axis: groups are of weights");
    CHECK_THROWS_WITH(parseGranularity("b2x2"),
                      "a candidate has no scales for tiles, b2x2; formats have");
}

TEST_CASE("a recipe file with a mistake is refused with its place")
{
    CHECK_THROWS_WITH(recipeFromJson("{", "mine.json"),
                      containsText("mine.json: is not valid JSON"));
    CHECK_THROWS_WITH(recipeFromJson(R"({"id": "a"})", "mine.json"),
                      containsText("lacks the member \"title\""));
    CHECK_THROWS_WITH(recipeFromJson(R"({"id": "a", "title": "A", "rules": []})", "mine.json"),
                      containsText("has no rules"));
    CHECK_THROWS_WITH(recipeFromJson(R"({"id": "a", "title": "A", "colour": 1})", "mine.json"),
                      containsText("unknown member \"colour\""));
    CHECK_THROWS_WITH(recipeFromJson(R"({"id": "a", "title": "A", "rules": [
                           {"calibrator": "percentile", "settings": {"alpha": 200}}]})",
                                     "mine.json"),
                      containsText("mine.json: rules[0]") && containsText("alpha=200"));
    CHECK_THROWS_WITH(recipeFromJson(R"({"id": "a", "title": "A", "rules": [
                                         {"role": "bias", "calibrator": "min-max"}]})",
                                     "mine.json"),
                      containsText("available: activation, weight, unknown"));
}

TEST_CASE("an unknown recipe is refused with the known ones")
{
    CHECK_THROWS_WITH(recipe("tensorrt"),
                      containsText("there is no recipe tensorrt") && containsText("moffett-cnn"));
}

TEST_CASE("recipes pass over integers, whatever their role")
{
    TensorInfo indices = activation("indices", "Gather");
    for (const char* type : {"int8", "uint16", "int64"}) {
        indices.elementType = elementKind(type);
        CHECK_FALSE(chosen("nvidia-entropy", indices));
    }
    indices.elementType = ElementKind::Bfloat16;
    CHECK(chosen("nvidia-entropy", indices));
}

TEST_CASE("language: outputs of softmax have a fixed scale, weights the least squared error")
{
    const Choice softmax = chosen("rebellions-language", activation("s", "Softmax")).value();
    CHECK(softmax.calibrator == "fixed");
    CHECK(softmax.settings.number("threshold") == 1.0);
    CHECK(chosen("rebellions-language", activation("a", "MatMul"))->calibrator == "percentile");
    const Choice matrix = chosen("rebellions-language", weight("MatMul", 1)).value();
    CHECK(matrix.calibrator == "l2");
    CHECK(matrix.granularity == Granularity::Channel);
    CHECK(matrix.scheme.kind == SchemeKind::SymmetricFull);
}

TEST_CASE("Google TPU: weights alone, by their largest magnitude or by the search for a bound")
{
    for (const char* id : {"google-tpu", "google-tpu-search"})
        CHECK_FALSE(chosen(id, activation("a", "Conv")));
    CHECK(chosen("google-tpu", weight("MatMul", 1))->calibrator == "min-max");
    CHECK(chosen("google-tpu-search", weight("MatMul", 1))->calibrator == "bound-search");
}

TEST_CASE("Qualcomm: affine activations by three searches, weights by their full range")
{
    const TensorInfo conv = activation("a", "Conv");
    const Choice mse = chosen("qualcomm-mse", conv).value();
    CHECK(mse.calibrator == "mse");
    CHECK(mse.settings.number("bins") == 512);
    CHECK(mse.settings.is("growth", "redistribute"));
    CHECK(mse.scheme.kind == SchemeKind::Affine);
    const Choice window = chosen("qualcomm-kl", conv).value();
    CHECK(window.calibrator == "kl-window");
    CHECK(window.settings.number("bins") == 512);
    CHECK(window.settings.is("zero-may-leave", "no"));
    CHECK(window.scheme.kind == SchemeKind::Affine);
    CHECK(chosen("qualcomm-percentile", conv)->settings.is("tails", "half"));
    const Choice lite = chosen("tflite-int8", conv).value();
    CHECK(lite.calibrator == "min-max");
    CHECK(lite.scheme.kind == SchemeKind::Affine);
    CHECK(chosen("tflite-int8", weight("MatMul", 1))->scheme.kind ==
          SchemeKind::SymmetricRestricted);
    for (const char* id : {"qualcomm-mse", "qualcomm-kl", "qualcomm-percentile"}) {
        const Choice matrix = chosen(id, weight("MatMul", 1)).value();
        CHECK(matrix.calibrator == "min-max");
        CHECK(matrix.scheme.kind == SchemeKind::SymmetricFull);
        CHECK(matrix.granularity == Granularity::Channel);
    }
}

}  // namespace recipe_test
