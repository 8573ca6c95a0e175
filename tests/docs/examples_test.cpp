#include "tests/docs/example.h"
#include "tests/support/catch.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

using namespace calibscope::docs;
namespace fs = std::filesystem;

namespace {

/// A folder to run examples in, with the checkout's resources as the documents name them.
class Workplace
{
public:
    Workplace()
    {
        std::string pattern = (fs::temp_directory_path() / "calibscope-docs-XXXXXX").string();
        REQUIRE(mkdtemp(pattern.data()) != nullptr);
        m_folder = pattern;
        fs::create_directory_symlink(fs::path(CALIBSCOPE_SOURCE_DIR) / "resources",
                                     m_folder / "resources");
    }
    ~Workplace() { fs::remove_all(m_folder); }
    Workplace(const Workplace&) = delete;
    Workplace& operator=(const Workplace&) = delete;

    /// Both streams' lines, and after a failure "[exit code N]".
    [[nodiscard]] std::vector<std::string> run(const std::string& command) const
    {
        const std::string script = "cd '" + m_folder.string() + "' && export PATH='" +
                                   CALIBSCOPE_PROGRAM_DIR + "':\"$PATH\" && { " + command +
                                   "\n} 2>&1 </dev/null";
        FILE* pipe = popen(script.c_str(), "r");
        REQUIRE(pipe != nullptr);
        std::string output;
        for (int letter = std::fgetc(pipe); letter != EOF; letter = std::fgetc(pipe))
            output += static_cast<char>(letter);
        const int status = pclose(pipe);
        auto lines = linesOf(output);
        if (status != 0)
            lines.push_back("[exit code " + std::to_string(WEXITSTATUS(status)) + "]");
        return lines;
    }

private:
    fs::path m_folder;
};

std::string textOf(const fs::path& file)
{
    std::ifstream stream(file);
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
}

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

}  // namespace

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

TEST_CASE("the page of algorithms is what calib describe writes")
{
    const fs::path page = fs::path(CALIBSCOPE_SOURCE_DIR) / "resources/docs/algorithms.md";
    const auto written = Workplace().run("calib describe");
    const auto kept = linesOf(textOf(page));
    const auto differing = std::ranges::mismatch(kept, written).in1 - kept.begin();
    INFO("from line " << differing + 1 << "; run: calib describe -o resources/docs/algorithms.md");
    CHECK((kept == written));
}
