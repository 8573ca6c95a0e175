// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/docs/example.h"
#include "tests/docs/workplace.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace examples_test {

using namespace calibscope::docs;
namespace fs = std::filesystem;

std::vector<fs::path> documents()
{
    const fs::path root = CALIBSCOPE_SOURCE_DIR;
    std::vector<fs::path> files = {root / "README.md"};
    for (const auto& entry : fs::recursive_directory_iterator(root / "resources" / "docs")) {
        if (entry.path().extension() == ".md")
            files.push_back(entry.path());
    }
    return files;
}

std::string joined(const std::vector<std::string>& lines)
{
    std::string text;
    for (const std::string& line : lines)
        text += "  " + line + "\n";
    return text;
}

TEST_CASE("every example of the documents prints what the document shows")
{
    const Workplace workplace;
    int count = 0;
    for (const fs::path& document : documents()) {
        for (const Example& example : parseExamples(textOf(document))) {
            ++count;
            const auto actual = workplace.run(example.command);
            INFO(document.string() << ":" << example.line << ": " << example.command << "\nshown:\n"
                                   << joined(example.output) << "printed:\n"
                                   << joined(actual));
            CHECK(isAsShown(example.output, actual));
        }
    }
    CHECK(count > 0);
}

TEST_CASE("every link of the documents to a file leads to one")
{
    for (const fs::path& document : documents()) {
        const std::string text = textOf(document);
        for (auto at = text.find("]("); at != std::string::npos; at = text.find("](", at + 2)) {
            const auto end = text.find(')', at);
            const std::string link = text.substr(at + 2, end - at - 2);
            if (link.starts_with("http") || link.starts_with("#"))
                continue;
            INFO(document.string() << " links to " << link);
            CHECK(fs::exists(document.parent_path() / link.substr(0, link.find('#'))));
        }
    }
}

TEST_CASE("every file and folder of the tree that a document names is there")
{
    const fs::path root = CALIBSCOPE_SOURCE_DIR;
    std::set<std::string> tests;
    for (const auto& entry : fs::recursive_directory_iterator(root / "tests"))
        tests.insert(entry.path().filename().string());
    const std::regex pattern(
        "`((app|core|resources|tests|ui)/[\\w./-]*|[a-z0-9_]+_test\\.cpp)[` ]");
    int count = 0;
    for (const fs::path& document : documents()) {
        const std::string text = textOf(document);
        for (std::sregex_iterator match(text.begin(), text.end(), pattern), end; match != end;
             ++match, ++count) {
            fs::path name = (*match)[1].str();
            INFO(document.string() << " names " << name.string());
            if (name.string().find("your") != std::string::npos)  // the reader's own file
                name = name.parent_path();
            const fs::path inTests = root / "tests" / name;
            CHECK((fs::exists(root / name) || fs::exists(inTests) ||
                   fs::exists(inTests.string() + "_test.cpp") || tests.contains(name.string())));
        }
    }
    CHECK(count > 150);
}

TEST_CASE("the contributor's page names the folders of which lists are made")
{
    const fs::path root = CALIBSCOPE_SOURCE_DIR;
    const auto rows = [](const std::string& text, const std::regex& pattern) {
        std::set<std::set<std::string>> found;  // folder, type, namespace
        for (std::sregex_iterator match(text.begin(), text.end(), pattern), end; match != end;
             ++match)
            found.insert({(*match)[1].str(), (*match)[2].str(), (*match)[3].str()});
        return found;
    };
    const auto named = rows(textOf(root / "resources/docs/adding-an-algorithm.md"),
                            std::regex("\\| `core/([a-z/]+)/` \\| `(\\w+)::`.*\\| `(\\w+)` \\|"));
    const auto listed = rows(textOf(root / "core/CMakeLists.txt"),
                             std::regex("calibscope_list_folder\\(\\S+?/(\\S+) (\\w+) (\\w+)"));
    CHECK(listed.size() >= 5);
    CHECK((named == listed));
}

TEST_CASE("the page of algorithms is what calib describe writes")
{
    const fs::path page = fs::path(CALIBSCOPE_SOURCE_DIR) / "resources/docs/algorithms.md";
    const auto written = Workplace().run("calib describe");
    const auto kept = linesOf(textOf(page));
    const auto differing = std::ranges::mismatch(kept, written).in1 - kept.begin();
    INFO("from line " << differing + 1 << "; run: calib describe -o resources/docs/algorithms.md");
    CHECK((kept == written));
}

}  // namespace examples_test
