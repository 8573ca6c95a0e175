// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recipes/own_files.h"

#include "core/base/digest.h"
#include "core/base/error.h"
#include "core/base/hex.h"
#include "core/recipes/make_choice.h"
#include "tests/support/catch.h"
#include "tests/support/file_bytes.h"
#include "tests/support/temporary_folder.h"

#include <filesystem>

namespace own_files_test {

using namespace calibscope;
using calibscope::test::containsText;

std::string recipeText(const std::string& id, const std::string& calibrator = "min-max")
{
    return R"({"id": ")" + id + R"(", "title": "Mine", "rules": [{"calibrator": ")" + calibrator +
           R"("}]})";
}

/// A configuration folder with one file in it.
struct Folder
{
    Folder(const std::string& place, const std::string& text)
    {
        std::filesystem::create_directories(std::filesystem::path(path()) / "recipes");
        std::filesystem::create_directories(std::filesystem::path(path()) / "presets");
        test::writeBytes(folder.file(place), text);
    }
    [[nodiscard]] std::filesystem::path path() const { return folder.path(); }
    test::TemporaryFolder folder;
};

TEST_CASE("a user's folder gives recipes and presets, sorted by file name, and other files are "
          "passed over")
{
    const Folder own("recipes/b.json", recipeText("second"));
    test::writeBytes(own.folder.file("recipes/a.json"), recipeText("first"));
    test::writeBytes(own.folder.file("recipes/notes.txt"), "not JSON");
    test::writeBytes(own.folder.file("presets/p.json"),
                     R"({"id": "p", "title": "P", "calibrator": "percentile",
                         "settings": {"alpha": 99}})");
    const std::vector<Recipe> found = ownRecipes(own.path());
    REQUIRE(found.size() == 2);
    CHECK(found[0].id == "first");
    CHECK(found[1].id == "second");
    const std::vector<Preset> foundPresets = ownPresets(own.path());
    REQUIRE(foundPresets.size() == 1);
    CHECK(foundPresets[0].settings.at("alpha") == "99");
}

TEST_CASE("a folder that is not there holds nothing")
{
    CHECK(ownRecipes("/nowhere/calibscope").empty());
    CHECK(ownPresets({}).empty());
}

TEST_CASE("an id of a published recipe or preset, or one given twice, is refused")
{
    const Folder taken("recipes/a.json", recipeText("moffett-cnn"));
    CHECK_THROWS_WITH(ownRecipes(taken.path()), containsText("recipes/a.json") &&
                                                    containsText("\"moffett-cnn\" of a published"));
    const Folder preset("presets/a.json",
                        R"({"id": "nvidia-entropy", "title": "P", "calibrator": "min-max"})");
    CHECK_THROWS_WITH(ownPresets(preset.path()), containsText("of a published preset"));
    const Folder twice("recipes/a.json", recipeText("mine"));
    test::writeBytes(twice.folder.file("recipes/b.json"), recipeText("mine"));
    CHECK_THROWS_WITH(ownRecipes(twice.path()),
                      containsText("recipes/b.json") && containsText("another file beside it"));
}

TEST_CASE("what is wrong in a user's file is told with file and member")
{
    const Folder broken("recipes/a.json", recipeText("mine", "magic"));
    CHECK_THROWS_WITH(ownRecipes(broken.path()),
                      containsText("recipes/a.json: rules[0]") && containsText("magic"));
    const Folder preset("presets/a.json",
                        R"({"id": "p", "title": "P", "calibrator": "min-max",
                            "settings": {"alpha": 1}})");
    CHECK_THROWS_WITH(ownPresets(preset.path()),
                      containsText("presets/a.json") && containsText("alpha"));
    CHECK_THROWS_WITH(recipeFromFile("/nowhere/x.json"), containsText("/nowhere/x.json"));
}

TEST_CASE("a recipe that never ends, is huge or nested without end is refused at once")
{
    CHECK_THROWS_WITH(recipeFromFile("/dev/zero"), containsText("not a regular file"));
    const Folder own("recipes/deep.json", std::string(5'000'000, '['));
    CHECK_THROWS_WITH(recipeFromFile(own.folder.file("recipes/deep.json")),
                      containsText("nested deeper than 64"));
    test::writeBytes(own.folder.file("recipes/huge.json"), std::string(17'000'000, ' '));
    CHECK_THROWS_WITH(recipeFromFile(own.folder.file("recipes/huge.json")),
                      containsText("more than 16777216 bytes"));
}

Choice programOf(const GivenSettings& given)
{
    return makeChoice("program", given, SchemeKind::Affine, Granularity::Channel);
}

TEST_CASE(
    "a choice of a program gets the file's path and content, and what it declares beside what "
    "was given")
{
    const test::TemporaryFolder folder;
    const std::string text = "# calibscope: bins=64, domain=signed\n";
    test::writeBytes(folder.file("mine.py"), text);
    const Choice choice =
        withProgramFacts(programOf({{"file", "./mine.py"}, {"bins", "32"}}), folder.path());
    CHECK(choice.settings.text("file") ==
          std::filesystem::canonical(folder.file("mine.py")).string());
    CHECK(choice.settings.text("sha256") == hexText(sha256(text)));
    CHECK(choice.settings.text("bins") == "32");
    CHECK(choice.settings.text("domain") == "signed");
    CHECK(choice.scheme.kind == SchemeKind::Affine);
    CHECK(choice.granularity == Granularity::Channel);

    // By hand the default, too, has precedence.
    const GivenSettings given{{"file", "./mine.py"}, {"bins", "2048"}};
    CHECK(withProgramFacts(programOf(given), folder.path(), given).settings.text("bins") == "2048");

    // One that has its content named is not looked at again; nor is any other calibrator.
    std::filesystem::remove(folder.file("mine.py"));
    CHECK(withProgramFacts(choice).isSameComputation(choice));
    CHECK_THROWS_WITH(withProgramFacts(programOf({{"file", "./mine.py"}}), folder.path()),
                      containsText("mine.py"));
    CHECK_THROWS_WITH(withProgramFacts(programOf({})), containsText("name it with file=NAME"));
}

TEST_CASE("presets have what their program says, and a missing one takes no other file along")
{
    const Folder own("recipes/fine.json", recipeText("fine"));
    test::writeBytes(own.folder.file("mine.py"), "# calibscope: bins=64\n");
    test::writeBytes(own.folder.file("presets/p.json"),
                     R"({"id": "p", "title": "P", "calibrator": "program",
                         "settings": {"file": "../mine.py"}})");
    test::writeBytes(own.folder.file("presets/q.json"),
                     R"({"id": "q", "title": "Q", "calibrator": "program",
                         "settings": {"file": "./gone.py"}})");
    const std::vector<Preset> found = ownPresets(own.path());
    REQUIRE(found.size() == 2);
    CHECK(found[0].settings.at("bins") == "64");
    CHECK(found[0].settings.at("sha256").size() == 64);
    CHECK(found[1].settings.at("sha256").empty());
    CHECK_THROWS_WITH(presetFromFile(own.folder.file("presets/q.json")),
                      containsText("presets/q.json") && containsText("gone.py"));
    CHECK(ownRecipes(own.path()).size() == 1);
}

}  // namespace own_files_test
