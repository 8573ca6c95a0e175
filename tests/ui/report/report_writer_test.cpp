// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/report_writer.h"

#include "core/base/error.h"
#include "core/base/progress.h"

#include "tests/support/catch.h"
#include "tests/support/file_bytes.h"
#include "tests/support/pdf_without_time.h"
#include "tests/support/temporary_folder.h"
#include "tests/ui/report/answering_engine.h"

#include <QHash>
#include <QRegularExpression>

#include <filesystem>
#include <map>
#include <set>

namespace report_writer_test {

using namespace calibscope;
using namespace calibscope::test;
namespace fs = std::filesystem;

/// Every file of a folder with its bytes, by its place in it.
std::map<std::string, std::string> contents(const fs::path& folder)
{
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (entry.is_regular_file())
            files[fs::relative(entry.path(), folder).string()] = readBytes(entry.path().string());
    return files;
}

std::set<std::string> names(const std::map<std::string, std::string>& files)
{
    std::set<std::string> found;
    for (const auto& [name, bytes] : files)
        found.insert(name);
    return found;
}

struct Written
{
    report::Report report;
    std::map<std::string, std::string> files;
    std::vector<std::uint64_t> viewed;
};

Written write(ReportOptions options)
{
    const TemporaryFolder place;
    AnsweringEngine engine;
    EngineCalls calls(engine);
    options.folder = place.file("report");
    Written written;
    written.report = ReportWriter(calls, options).write();
    written.files = contents(options.folder);
    written.viewed = engine.viewed;
    return written;
}

TEST_CASE("a report has a page and pictures for each readable tensor, and the tables")
{
    const Written written = write({.files = {"a.h5"}, .recipes = {"moffett-cnn"}});
    CHECK(names(written.files) ==
          std::set<std::string>{
              "channels.csv", "index.html", "png/first-curve.png", "png/first-histogram.png",
              "png/second-curve.png", "png/second-histogram.png", "png/w-channels.png",
              "png/w-histogram.png", "ranking.html", "scales.csv", "scales.json", "summary.json",
              "tensor/first.html", "tensor/second.html", "tensor/w.html"});
    for (const auto& [name, bytes] : written.files)
        if (name.ends_with(".png"))
            CHECK(bytes.starts_with("\x89PNG"));
    CHECK_THAT(written.files.at("tensor/first.html"),
               containsText("href=\"../png/first-curve.png\""));
    CHECK_THAT(written.files.at("tensor/first.html"), containsText("data-series=\"entropy"));
}

TEST_CASE("each recipe has its row in scales.csv, in their order")
{
    const Written written =
        write({.files = {"a.h5"}, .recipes = {"nvidia-fractional", "moffett-cnn"}});
    const std::string& csv = written.files.at("scales.csv");
    const std::size_t fractional = csv.find("a.h5,first,activation,,,nvidia-fractional,,min-max");
    const std::size_t entropy = csv.find("a.h5,first,activation,,,moffett-cnn,,entropy");
    CHECK(csv.starts_with("file,tensor,role,op,channel,recipe"));
    CHECK(fractional < entropy);
    CHECK(entropy != std::string::npos);
    CHECK_THAT(csv, containsText("a.h5,w,weight,,*,moffett-cnn"));
}

TEST_CASE("remedies that are ticked are in improvements.csv and on the front page")
{
    const LayerImprovement layer{
        .decided = {.layer = "y"},
        .rows = {{.remedy = "decided"},
                 {.remedy = "channels", .gainDb = 9.0},
                 {.remedy = "bias", .gainDb = 0.5, .isChosen = true, .changes = "moved"}}};
    const Written written = write({.files = {"a.h5"},
                                   .recipes = {"moffett-cnn"},
                                   .improvements = {{.dump = "a.h5", .layers = {layer}}},
                                   .ladders = {{{.step = "+ bias", .note = "kept"}}}});
    const std::string& csv = written.files.at("improvements.csv");
    CHECK(csv.starts_with("layer,op,input,weight,remedy"));
    CHECK_THAT(csv, containsText("bias") && containsText("moved") && !containsText("channels"));
    CHECK_THAT(written.files.at("ladder.csv"), containsText("+ bias") && containsText("kept"));
    CHECK_THAT(written.files.at("index.html"), containsText("<h2>Improvements</h2>"));
}

TEST_CASE("the same files and options give the same bytes, but for time and id of a PDF")
{
    ReportOptions options{.files = {"a.h5"}, .recipes = {"moffett-cnn"}};
    options.formats = {report::formats().begin(), report::formats().end()};
    const auto filesOf = [&options] {
        QHashSeed::setDeterministicGlobalSeed();  // as the program does
        std::map<std::string, std::string> files = write(options).files;
        std::string& pdf = files.at("report.pdf");
        REQUIRE(pdf.find("/CreationDate (D:20") != std::string::npos);
        pdf = withoutTimeAndId(pdf);
        return files;
    };
    const std::map<std::string, std::string> first = filesOf();
    const std::map<std::string, std::string> second = filesOf();
    CHECK(names(first) == names(second));
    for (const auto& [name, bytes] : first) {
        INFO(name);
        CHECK((bytes == second.at(name)));  // without telling them
    }
}

TEST_CASE("tensors that can't be read and files that can't be opened are told in the report")
{
    const Written written = write({.files = {"a.h5", "gone.h5"}, .recipes = {"moffett-cnn"}});
    CHECK_FALSE(written.report.isComplete());
    REQUIRE(written.report.lines.size() == 5);
    CHECK(written.report.lines[2].problem == "The engine ended by signal 11.");
    CHECK(written.report.lines[4].problem == "its filter 32015 is missing");
    CHECK(written.report.sources[1].problem == "gone.h5: no such file");
    CHECK_THAT(written.files.at("index.html"), containsText("filter 32015"));
    CHECK_THAT(written.files.at("summary.json"), containsText("gone.h5: no such file"));
    CHECK(written.viewed == std::vector<std::uint64_t>{0, 1, 2, 3});
}

TEST_CASE("pictures can be had of the worst tensors alone")
{
    const Written written =
        write({.files = {"a.h5"}, .recipes = {"moffett-cnn"}, .worstPictures = 1});
    std::set<std::string> pictures = names(written.files);
    std::erase_if(pictures, [](const std::string& name) { return !name.ends_with(".png"); });
    CHECK(pictures == std::set<std::string>{"png/second-curve.png", "png/second-histogram.png"});
    CHECK_THAT(written.files.at("tensor/second.html"), containsText("second-histogram.png"));
    CHECK(written.files.at("tensor/first.html").find("data-numbers=\"") == std::string::npos);
    CHECK_THAT(written.files.at("tensor/second.html"), containsText("data-numbers=\""));
}

TEST_CASE("offenders of a gate are told with value and tensor")
{
    const Written written = write(
        {.files = {"a.h5"}, .recipes = {"moffett-cnn"}, .gates = {"sqnr<20"}, .worstPictures = 0});
    REQUIRE(written.report.offences.size() == 1);
    CHECK(written.report.lines[written.report.offences[0].line].info.name == "second");
    CHECK(written.report.offences[0].value == 15.0);
    CHECK_THAT(written.files.at("index.html"), containsText("Failed gates"));
}

TEST_CASE("an unknown recipe and a gate that is none are refused before anything is made")
{
    const TemporaryFolder place;
    AnsweringEngine engine;
    EngineCalls calls(engine);
    ReportOptions options{.files = {"a.h5"}, .folder = place.file("report"), .recipes = {"magic"}};
    CHECK_THROWS_WITH(ReportWriter(calls, options).write(), containsText("no recipe magic"));
    options.recipes = {};
    options.gates = {"sqnr"};
    CHECK_THROWS_WITH(ReportWriter(calls, options).write(), containsText("METRIC<NUMBER"));
    CHECK(fs::is_empty(place.path()));
}

TEST_CASE("a report that is stopped leaves nothing")
{
    const TemporaryFolder place;
    AnsweringEngine engine;
    EngineCalls calls(engine);
    const ReportOptions options{.files = {"a.h5"}, .folder = place.file("report")};
    ReportWriter writer(calls, options,
                        [&calls](std::size_t done, std::size_t, const std::string&) {
                            if (done == 1)
                                calls.stop();
                        });
    CHECK_THROWS_AS(writer.write(), Cancelled);
    CHECK(engine.viewed.size() == 1);
    CHECK(fs::is_empty(place.path()));
}

TEST_CASE("formats and contents that were not asked for are left out")
{
    ReportOptions options{.files = {"a.h5"}, .recipes = {"moffett-cnn"}};
    options.formats = {report::Format::Csv};
    options.contents = {report::Content::Summary};
    CHECK(names(write(options).files) == std::set<std::string>{"scales.csv", "summary.json"});

    options.formats = {report::Format::Html, report::Format::Svg};
    const Written summary = write(options);
    CHECK(names(summary.files) == std::set<std::string>{"index.html", "summary.json"});
    CHECK(summary.files.at("index.html").find("<h2>Methods") == std::string::npos);
    CHECK(summary.files.at("index.html").find("href=\"tensor/") == std::string::npos);

    options.contents = {report::Content::Tensors};
    const Written tensors = write(options);
    CHECK_THAT(tensors.files.at("tensor/first.html"), containsText("../svg/first-curve.svg"));
    CHECK_THAT(tensors.files.at("svg/first-curve.svg"), containsText("<svg"));
}

TEST_CASE("presets and calibrators stand beside recipes, and are of no recipe in the tables")
{
    ReportOptions options{.files = {"a.h5"}, .recipes = {"moffett-cnn"}};
    options.presets = {"nvidia-fractional"};
    options.calibrators = {"percentile:alpha=99.5"};
    const Written written = write(options);
    REQUIRE(written.report.recipes.size() == 3);
    CHECK_THAT(written.files.at("scales.csv"),
               containsText("a.h5,first,activation,,,,nvidia-fractional,min-max"));
    CHECK_THAT(written.files.at("scales.csv"),
               containsText("a.h5,first,activation,,,,,percentile,alpha=99.5"));
    CHECK_THAT(written.files.at("index.html"), containsText("percentile 99.5"));
}

TEST_CASE("a report may be of some tensors alone: by name, glob or filter")
{
    ReportOptions options{.files = {"a.h5"}, .recipes = {"moffett-cnn"}};
    options.tensors = {"f*", "w"};
    const Written named = write(options);
    CHECK(named.viewed == std::vector<std::uint64_t>{0, 3});
    options.filter = "kind:weight";
    CHECK(write(options).viewed == std::vector<std::uint64_t>{3});

    options.tensors = {};
    options.filter = "sqnr<20 -is:unreadable";
    CHECK(write(options).viewed == std::vector<std::uint64_t>{1});

    options.filter = "sqnr<";
    CHECK_THROWS_WITH(write(options), containsText("--filter sqnr<"));
    options.filter = "";
    options.tensors = {"nothing"};
    CHECK_THROWS_WITH(write(options), containsText("nothing"));
}

TEST_CASE("a report's filter knows gains and what can't be read, and refuses words of the window")
{
    ReportOptions options{.files = {"a.h5"}, .recipes = {"moffett-cnn", "rebellions-vision"}};
    options.formats = {report::Format::Csv};
    const auto reported = [&](const char* filter) {
        options.filter = filter;
        std::set<std::string> all;
        for (const report::TensorLine& line : write(options).report.lines)
            all.insert(line.info.name);
        return all;
    };
    CHECK(reported("gain>1 -third") == std::set<std::string>{"second"});
    CHECK(reported("gain<1 -third") == std::set<std::string>{"first", "w"});
    CHECK(reported("is:unreadable") == std::set<std::string>{"odd"});
    for (const char* filter : {"is:pinned", "decided:yes", "accepted<30"}) {
        options.filter = filter;
        CHECK_THROWS_WITH(write(options), containsText("is known in the window alone"));
    }
}

TEST_CASE("bars of SQNR are graded by the limits that were set")
{
    ReportOptions options{.files = {"a.h5"}, .recipes = {"moffett-cnn"}};
    options.formats = {report::Format::Html};
    CHECK_THAT(write(options).files.at("index.html"), containsText("sqnr bad\">15.0"));
    options.limits = {.poor = 10.0, .good = 12.0};
    CHECK_THAT(write(options).files.at("index.html"), containsText("sqnr good\">15.0"));
}

TEST_CASE("a PDF has a page for each tensor")
{
    ReportOptions options{.files = {"a.h5"}, .recipes = {"moffett-cnn"}};
    options.formats = {report::Format::Pdf};
    const Written written = write(options);
    CHECK(names(written.files) == std::set<std::string>{"report.pdf", "summary.json"});
    const QByteArray pdf = QByteArray::fromStdString(written.files.at("report.pdf"));
    CHECK(pdf.startsWith("%PDF-"));
    constexpr int others = 3;  // summary, ranking, methods; each begins a page, as tensors do
    constexpr int tensors = 3;
    CHECK(pdf.count("/Type /Page\n") >= others + tensors);
}

TEST_CASE("pages of a dark report are dark")
{
    ReportOptions options{.files = {"a.h5"}, .recipes = {"moffett-cnn"}};
    const Written light = write(options);
    options.isDark = true;
    const Written dark = write(options);
    for (const char* page : {"index.html", "ranking.html", "tensor/first.html"}) {
        CHECK_THAT(dark.files.at(page), containsText("class=\"dark\""));
        CHECK(light.files.at(page).find("class=\"dark\"") == std::string::npos);
    }
    CHECK(dark.files.at("png/first-curve.png") != light.files.at("png/first-curve.png"));
}

TEST_CASE("pictures have the pixels and the lines below that were asked for")
{
    ReportOptions options{.files = {"a.h5"}, .recipes = {"moffett-cnn"}, .worstPictures = 1};
    const auto histogram = [&options] {
        return QImage::fromData(
            QByteArray::fromStdString(write(options).files.at("png/second-histogram.png")));
    };
    const QImage twice = histogram();
    CHECK(twice.width() == 2000);
    options.pictureScale = 1;
    CHECK(histogram().width() == 1000);
    options.hasFooters = false;
    CHECK(histogram().height() < twice.height() / 2);
}

}  // namespace report_writer_test
