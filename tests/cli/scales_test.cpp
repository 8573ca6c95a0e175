#include "tests/support/catch.h"
#include "tests/support/file_bytes.h"
#include "tests/support/h5_file.h"
#include "tests/support/run_program.h"

#include <string>
#include <vector>

using namespace calibscope;
using test::containsText;
using test::ProgramRun;
using test::runProgram;

namespace {

const std::string sample = CALIBSCOPE_SOURCE_DIR "/resources/sample/sample.h5";

ProgramRun scales(std::vector<std::string> arguments)
{
    arguments.insert(arguments.begin(), "scales");
    return runProgram("calib", arguments);
}

/// An activation of 4 samples in batches of 2, and a weight of two channels.
test::H5File small()
{
    test::H5File file;
    file.write("/activations/a", {4, 2}, std::vector<float>{1, -2, 3, 0, 12.7F, 1, 1, 1});
    file.attribute("/activations/a", "batch_size", std::int64_t{2});
    file.write("/weights/w", {2, 2}, std::vector<float>{1.27F, -1, 0.5F, 25.4F});
    file.attribute("/weights/w", "channel_axis", std::int64_t{0});
    return file;
}

}  // namespace

TEST_CASE("scales: without a choice every published recipe has its row")
{
    const ProgramRun run = scales({sample, "--tensor", "swish_13.tmp_0", "--columns", "recipe"});
    CHECK(run.exitCode == 0);
    CHECK(run.output == "recipe\nrebellions-vision\nrebellions-language\nmoffett-cnn\nnvidia-"
                        "entropy\nnvidia-fractional\n"
                        "qualcomm-mse\nqualcomm-kl\nqualcomm-percentile\n");
}

TEST_CASE("scales: a fixed threshold, a preset and a recipe beside each other")
{
    const test::H5File file = small();
    const ProgramRun run =
        scales({file.path(), "--tensor", "a", "--recipe", "nvidia-fractional", "--preset",
                "rebellions-fixed", "--calibrator", "fixed:threshold=254,bits=8", "--columns",
                "recipe,preset,calibrator,threshold,scale"});
    CHECK(run.exitCode == 0);
    CHECK_THAT(run.output, containsText("nvidia-fractional,,min-max,12.687"));
    CHECK_THAT(run.output, containsText(",rebellions-fixed,fixed,1,0.007874015748031496\n"));
    CHECK_THAT(run.output, containsText(",,fixed,254,2\n"));
}

TEST_CASE("scales: rows of channels follow the row for all, in JSON they are arrays")
{
    const test::H5File file = small();
    const std::vector<std::string> choice = {file.path(),   "--role", "weight", "--recipe",
                                             "moffett-cnn", "--rows", "channel"};
    std::vector<std::string> csv = choice;
    csv.insert(csv.end(), {"--columns", "channel,threshold"});
    CHECK(scales(csv).output == "channel,threshold\n*,25.399999618530273\n0,1.2699999809265137\n"
                                "1,25.399999618530273\n");
    std::vector<std::string> json = choice;
    json.insert(json.end(), {"--format", "json"});
    CHECK_THAT(scales(json).output,
               containsText("\"threshold\":[1.2699999809265137,25.399999618530273]"));
}

TEST_CASE("scales: options override what a choice says")
{
    const test::H5File file = small();
    const std::string columns = "scheme,bits,low,high,scale";
    const ProgramRun run =
        scales({file.path(), "--tensor", "a", "--calibrator", "min-max", "--scheme", "affine",
                "--bits", "4", "--batches", "1", "--columns", columns});
    CHECK(run.output == columns + "\naffine,4,-2,3,0.3333333333333333\n");
}

TEST_CASE("scales: what can't be read costs exit code 3, counters and texts beside do not")
{
    test::H5File file;
    file.write("/a", {2}, std::vector<float>{1.0F, 2.0F});
    file.writeBytes("/step", {}, std::string(8, '\0'),
                    {.kind = test::RawType::Kind::Signed, .bytes = 8});
    file.writeScalar("/logit_scale", 4.6);
    file.writeTexts("/names", {"a"});
    const std::vector<std::string> minMax = {"--calibrator", "min-max", "--columns", "tensor"};
    std::vector<std::string> arguments = {file.path()};
    arguments.insert(arguments.end(), minMax.begin(), minMax.end());
    CHECK(scales(arguments).exitCode == 0);
    arguments.insert(arguments.end(), {"--tensor", "*"});
    const ProgramRun asked = scales(arguments);
    CHECK(asked.exitCode == 3);
    CHECK(asked.output == "tensor\na\n");
    CHECK_THAT(asked.errors, containsText("/step: it is a single value, not a tensor"));
}

TEST_CASE("scales: a missing file costs exit code 3 after the others were written")
{
    const test::H5File file = small();
    const ProgramRun run = scales({"/nowhere/x.h5", file.path(), "--tensor", "a", "--calibrator",
                                   "min-max", "--columns", "tensor,threshold"});
    CHECK(run.exitCode == 3);
    CHECK(run.output == "tensor,threshold\na,12.699999809265137\n");
    CHECK_THAT(run.errors, containsText("/nowhere/x.h5"));
}

TEST_CASE("scales: estimated errors say so and are near the exact ones, the scale is the same")
{
    const std::vector<std::string> arguments{
        sample,       "--tensor",  "swish_13.tmp_0",     "--calibrator",
        "percentile", "--columns", "scale,sqnr_db,notes"};
    std::vector<std::string> further = arguments;
    further.emplace_back("--estimate");
    const std::string exact = scales(arguments).output;
    const std::string estimate = scales(further).output;
    CHECK_THAT(exact, !containsText("metrics estimated"));
    CHECK_THAT(estimate, containsText("metrics estimated"));
    const auto cell = [](const std::string& table, std::size_t column) {
        std::size_t begin = table.find('\n') + 1;
        for (; column > 0; --column)
            begin = table.find(',', begin) + 1;
        return table.substr(begin, table.find(',', begin) - begin);
    };
    CHECK(cell(estimate, 0) == cell(exact, 0));
    CHECK(std::stod(cell(estimate, 1)) == test::Approx(std::stod(cell(exact, 1))).margin(0.05));
    CHECK(scales({sample, "--estimate", "--exact"}).exitCode == 2);
}

TEST_CASE("scales: wrong names and values are found before a file is opened")
{
    for (const std::vector<std::string>& wrong :
         std::vector<std::vector<std::string>>{{"--recipe", "none"},
                                               {"--preset", "none"},
                                               {"--calibrator", "none"},
                                               {"--calibrator", "percentile:alpha=101"},
                                               {"--calibrator", "percentile:beta=1"},
                                               {"--scheme", "none"},
                                               {"--granularity", "none"},
                                               {"--bits", "1"},
                                               {"--columns", "none"}}) {
        std::vector<std::string> arguments = {"/nowhere/x.h5"};
        arguments.insert(arguments.end(), wrong.begin(), wrong.end());
        const ProgramRun run = scales(arguments);
        INFO(wrong[0] + " " + wrong[1]);
        CHECK(run.exitCode == 2);
        CHECK(run.output.empty());
        CHECK(run.errors.find("No such file") == std::string::npos);
    }
}

TEST_CASE("scales: a recipe of the user's own")
{
    const test::H5File file = small();
    const std::string recipePath = file.path() + ".json";
    test::writeBytes(recipePath, R"({"id": "mine", "title": "Mine", "rules": [
        {"name": "a", "calibrator": "percentile", "settings": {"alpha": 50}}]})");
    const ProgramRun run =
        scales({file.path(), "--recipe-file", recipePath, "--columns", "tensor,recipe,threshold"});
    CHECK(run.exitCode == 0);
    CHECK(run.output == "tensor,recipe,threshold\na,mine,1\n");
}
