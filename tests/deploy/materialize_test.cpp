// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/deploy/materialize.h"

#include "core/base/error.h"
#include "core/recipes/make_choice.h"
#include "tests/support/catch.h"
#include "tests/support/h5_file.h"

#include <algorithm>
#include <filesystem>
#include <limits>

namespace materialize_test {

using namespace calibscope;
using test::containsText;

ScaleRow rowOf(double scale, const Scheme& scheme, double zeroPoint = 0.0)
{
    ScaleRow row;
    row.quantizer.scale = scale;
    row.quantizer.zeroPoint = zeroPoint;
    row.quantizer.lowLevel = scheme.lowLevel();
    row.quantizer.highLevel = scheme.highLevel();
    return row;
}

/// A decision with these scales: one for the tensor, or one for each channel.
DecidedTensor decided(const DumpFile& dump, const std::string& name,
                      const std::vector<double>& scales,
                      SchemeKind kind = SchemeKind::SymmetricRestricted,
                      const GivenSettings& given = {}, double zeroPoint = 0.0)
{
    DecidedTensor tensor{.file = dump.identity().path,
                         .info = dump.tensors()[dump.indexOf(name)],
                         .outcome = {},
                         .graphName = "/m/" + name};
    tensor.outcome.choice = makeChoice(
        "min-max", given, kind, scales.size() > 1 ? Granularity::Channel : Granularity::Tensor);
    const Scheme& scheme = tensor.outcome.choice.scheme;
    tensor.outcome.whole = rowOf(scales.front(), scheme, zeroPoint);
    if (scales.size() > 1)
        for (const double scale : scales)
            tensor.outcome.channels.push_back(rowOf(scale, scheme, zeroPoint));
    return tensor;
}

struct Result
{
    deploy::WrittenIntegers written;
    std::shared_ptr<const DumpFile> file;

    [[nodiscard]] double single(const std::string& dataset) const
    {
        return test::singleValue(file->identity().path, dataset);
    }
    [[nodiscard]] std::vector<float> values(const std::string& path) const
    {
        return readAll(file->source(file->find(path).value()));
    }
};

Result written(const test::H5File& dump, const std::vector<DecidedTensor>& tensors,
               const deploy::IntegerOptions& options = {})
{
    const std::string path = dump.folder().file("q.h5");
    const std::vector<deploy::IntegerSource> sources{
        {.dump = DumpFile::open(dump.path()), .tensors = tensors, .sha256 = "abc"}};
    Result result{.written = deploy::writeIntegers(sources, options, path), .file = nullptr};
    if (std::filesystem::exists(path))
        result.file = DumpFile::open(path);
    return result;
}

constexpr float notANumber = std::numeric_limits<float>::quiet_NaN();

TEST_CASE("integers are those of NumPy in float32, on half steps, too")
{
    // NumPy 1.24.2, with s = float32([0.3, 0.1, 0.7]) and w = float32(k * [0.3, 0.1, 0.7]) for k of
    // half steps: np.clip(np.round(w / s), -127, 127). In double 7 of these 36 are others.
    test::H5File file;
    file.write("/weights/w", {3, 3, 2, 2},
               std::vector<float>{-0x1.e13334p+5F, -0x1.32p+5F,    -0x1.8p-1F,     -0x1.ccccccp-2F,
                                  -0x1.333334p-3F, 0x1.333334p-3F, 0x1.ccccccp-2F, 0x1.8p-1F,
                                  0x1.933334p+1F,  0x1.b9999ap+1F, 0x1.2f999ap+5F, 0x1.32p+5F,
                                  -0x1.40ccccp+4F, -0x1.98p+3F,    -0x1.0p-2F,     -0x1.333334p-3F,
                                  -0x1.99999ap-5F, 0x1.99999ap-5F, 0x1.333334p-3F, 0x1.0p-2F,
                                  0x1.0cccccp+0F,  0x1.266666p+0F, 0x1.94ccccp+3F, 0x1.98p+3F,
                                  -0x1.18b334p+7F, -0x1.65p+6F,    -0x1.cp+0F,     -0x1.0cccccp+0F,
                                  -0x1.666666p-2F, 0x1.666666p-2F, 0x1.0cccccp+0F, 0x1.cp+0F,
                                  0x1.d66666p+2F,  0x1.01999ap+3F, 0x1.623334p+6F, 0x1.65p+6F});
    const auto dump = DumpFile::open(file.path());
    const Result result = written(file, {decided(*dump, "w", {0.3, 0.1, 0.7})});
    CHECK(result.written.weights == 1);
    CHECK(result.written.problems.empty());
    CHECK(result.values("/weights/w") ==
          std::vector<float>{-127, -127, -2, -1, 0, 0, 1, 2, 10, 12, 126, 127,
                             -127, -127, -2, -2, 0, 0, 2, 2, 10, 12, 126, 127,
                             -127, -127, -2, -2, 0, 0, 2, 2, 10, 12, 127, 127});
    CHECK(result.values("/scales/w") == std::vector<float>{0.3F, 0.1F, 0.7F});
    CHECK(result.values("/zero_points/w") == std::vector<float>{0, 0, 0});
    const TensorInfo& info = result.file->tensors()[result.file->find("/weights/w").value()];
    CHECK(info.channelAxis == 0);
    CHECK(info.graphName == "/m/w");
    CHECK(info.elementType == ElementKind::Int8);
    CHECK(result.file->attributes().at("format") == "calibration-quantized");
    CHECK(result.file->attributes().at("format_version") == "1");
    CHECK(result.file->attributes().at("dump_sha256") == "abc");
    CHECK_THAT(result.file->attributes().at("made_by"), containsText("calibscope "));
}

TEST_CASE("channels along any axis get their own scale")
{
    test::H5File file;
    file.write("/weights/w", {2, 3}, std::vector<float>{1, 1, 1, 2, 2, 2});
    file.attribute("/weights/w", "channel_axis", std::int64_t{1});
    const auto dump = DumpFile::open(file.path());
    const Result result = written(file, {decided(*dump, "w", {1.0, 0.5, 0.25})});
    CHECK(result.values("/weights/w") == std::vector<float>{1, 2, 4, 2, 4, 8});
}

TEST_CASE("each scheme has its own levels, fewer bits theirs within int8")
{
    test::H5File file;
    file.write("/weights/w", {2, 2}, std::vector<float>{-1000, 1000, 3, -3});
    const auto dump = DumpFile::open(file.path());
    const auto integers = [&](SchemeKind kind, const GivenSettings& given, double zero = 0.0) {
        return written(file, {decided(*dump, "w", {1.0}, kind, given, zero)}).values("/weights/w");
    };
    CHECK(integers(SchemeKind::SymmetricRestricted, {}) == std::vector<float>{-127, 127, 3, -3});
    CHECK(integers(SchemeKind::SymmetricFull, {}) == std::vector<float>{-128, 127, 3, -3});
    CHECK(integers(SchemeKind::Affine, {}, 5) == std::vector<float>{-128, 127, 8, 2});
    CHECK(integers(SchemeKind::SymmetricRestricted, {{"bits", "4"}}) ==
          std::vector<float>{-7, 7, 3, -3});
    CHECK(integers(SchemeKind::SymmetricFull, {{"bits", "4"}}) == std::vector<float>{-8, 7, 3, -3});
    // Levels from 0 to 255 are those of int8 and 128: scale (q - z) is the same.
    CHECK(integers(SchemeKind::Affine, {{"integers", "unsigned"}}, 133) ==
          std::vector<float>{-128, 127, 8, 2});
}

TEST_CASE("weights on 7 bits keep their range, for processors that add in int16")
{
    test::H5File file;
    file.write("/weights/w", {2, 1}, std::vector<float>{127, -64});
    const auto dump = DumpFile::open(file.path());
    const Result result = written(file, {decided(*dump, "w", {1.0})}, {.mostWeightLevel = 63});
    CHECK(result.single("/scales/w") == static_cast<double>(127.0F / 63.0F));
    CHECK(result.values("/weights/w") == std::vector<float>{63, -32});  // 64 63 / 127 = 31.7
}

TEST_CASE("a channel of zeros keeps scale 1 and becomes zeros; subnormal scales are right")
{
    test::H5File file;
    file.write("/weights/w", {2, 2}, std::vector<float>{0, -0.0F, 3e-40F, -3e-40F});
    const auto dump = DumpFile::open(file.path());
    const Result result = written(file, {decided(*dump, "w", {1.0, 3e-40 / 127})});
    CHECK(result.values("/weights/w") == std::vector<float>{0, 0, 127, -127});
    CHECK(result.written.problems.empty());
}

TEST_CASE("activations have scales and zero points alone, in the type of their integers")
{
    test::H5File file;
    file.write("/activations/a", {2, 2}, std::vector<float>{1, 2, 3, 4});
    file.write("/activations/b", {2, 2}, std::vector<float>{1, 2, 3, 4});
    file.write("/activations/c", {2, 2}, std::vector<float>{1, 2, 3, 4});
    const auto dump = DumpFile::open(file.path());
    const Result result = written(
        file, {decided(*dump, "a", {0.1}, SchemeKind::Affine, {}, -7),
               decided(*dump, "b", {0.1}, SchemeKind::Affine, {{"integers", "unsigned"}}, 200),
               decided(*dump, "c", {0.1}, SchemeKind::SymmetricFull, {{"bits", "16"}})});
    CHECK(result.written.activations == 3);
    CHECK(result.single("/scales/a") == static_cast<double>(0.1F));
    CHECK(result.single("/zero_points/a") == -7.0);
    CHECK(result.single("/zero_points/b") == 200.0);
    const auto typeOf = [&](const std::string& path) {
        return result.file->tensors()[result.file->find(path).value()].elementType;
    };
    CHECK(typeOf("/zero_points/a") == ElementKind::Int8);
    CHECK(typeOf("/zero_points/b") == ElementKind::Uint8);
    CHECK(typeOf("/zero_points/c") == ElementKind::Int16);
    CHECK_FALSE(result.file->find("/weights/a"));
}

TEST_CASE("what quantizes nothing is a problem of its tensor, and the others are written")
{
    test::H5File file;
    file.write("/weights/nan", {2, 1}, std::vector<float>{1, notANumber});
    file.write("/weights/inf", {2, 1},
               std::vector<float>{-std::numeric_limits<float>::infinity(), 1});
    file.write("/weights/w", {2, 1}, std::vector<float>{1, 2});
    const auto dump = DumpFile::open(file.path());
    const auto problemOf = [&](const DecidedTensor& tensor) -> std::string {
        const Result result = written(file, {tensor, decided(*dump, "inf", {1.0})});
        CHECK(result.values("/weights/inf") == std::vector<float>{-127, 1});
        CHECK_FALSE(result.file->find("/weights/" + tensor.info.name));
        CHECK_FALSE(result.file->find("/scales/" + tensor.info.name));
        return result.written.problems.size() == 1 ? result.written.problems[0] : "";
    };
    CHECK_THAT(problemOf(decided(*dump, "nan", {1.0})), containsText("/weights/nan: holds NaN"));
    CHECK_THAT(problemOf(decided(*dump, "w", {0.0})), containsText("has the scale 0 in float32"));
    CHECK_THAT(problemOf(decided(*dump, "w", {1.0, -1.0})),
               containsText("channel 1 has the scale -1"));
    CHECK_THAT(problemOf(decided(*dump, "w", {1e-50})), containsText("has the scale 0"));
    CHECK_THAT(problemOf(decided(*dump, "w", {1e50})), containsText("has the scale inf"));
    CHECK_THAT(problemOf(decided(*dump, "w", {static_cast<double>(notANumber)})),
               containsText("has the scale nan"));
    CHECK_THAT(problemOf(decided(*dump, "w", {1.0}, SchemeKind::SymmetricFull, {{"bits", "16"}})),
               containsText("has 16 bits, and int8 holds 8"));
    DecidedTensor groups = decided(*dump, "w", {1.0, 2.0});
    groups.outcome.choice.granularity = parseGranularity("g2");
    CHECK_THAT(problemOf(groups), containsText("has scales for groups, which this file does not"));
    CHECK_THAT(problemOf(decided(*dump, "w", {1.0}, SchemeKind::AffineReal)),
               containsText("a zero point that is not an integer"));
}

TEST_CASE("where nothing is left, or nothing was decided, there is no file")
{
    test::H5File file;
    file.write("/weights/nan", {1, 1}, std::vector<float>{notANumber});
    const auto dump = DumpFile::open(file.path());
    CHECK(written(file, {decided(*dump, "nan", {1.0})}).file == nullptr);
    CHECK_THROWS_WITH(written(file, {}), containsText("nothing was decided"));
}

TEST_CASE("two tensors of one name are not one in the file")
{
    test::H5File file;
    file.write("/weights/w", {1, 1}, std::vector<float>{1});
    const auto dump = DumpFile::open(file.path());
    const Result result = written(file, {decided(*dump, "w", {1.0}), decided(*dump, "w", {0.5})});
    CHECK(result.values("/weights/w") == std::vector<float>{1});
    REQUIRE(result.written.problems.size() == 1);
    CHECK_THAT(result.written.problems[0], containsText("is in the file already"));
}

TEST_CASE("a scale is raised for its layer's bias where the input has a scale, and this is noted")
{
    test::H5File file;
    file.write("/activations/x", {1, 2}, std::vector<float>{1, 2});
    file.write("/activations/y", {1, 2}, std::vector<float>{1, 2});
    file.attribute("/activations/y", "op_type", "Conv");
    file.attribute("/activations/y", "inputs", std::vector<std::string>{"x", "m/w", "m/b"});
    file.write("/weights/m.w", {2, 1}, std::vector<float>{1e-30F, 0.5F});
    file.write("/weights/m.b", {2}, std::vector<float>{-0.75F, 0.25F});
    file.attribute("/weights/m.b", "role", "bias");
    file.attribute("/", "format", "calibration-dump");
    const auto dump = DumpFile::open(file.path());
    const std::vector<double> scales{1e-32, 0.25};
    const Result raised =
        written(file, {decided(*dump, "x", {0.5}), decided(*dump, "m.w", scales)});
    CHECK(raised.values("/scales/m.w") ==
          std::vector<float>{0x1.8p-30F, 0.25F});  // 0.75 / (0.5 2^30)
    CHECK(raised.values("/weights/m.w") == std::vector<float>{0, 2});
    REQUIRE(raised.written.notes.size() == 1);
    CHECK_THAT(
        raised.written.notes[0],
        containsText("/weights/m.w: scale of channel 0 raised from 1e-32 to 1.3969839e-09 so "
                     "that the bias fits"));
    // Without a scale of the input the layer stays float, and its weight as decided.
    const Result alone = written(file, {decided(*dump, "m.w", scales)});
    CHECK(alone.values("/scales/m.w") == std::vector<float>{1e-32F, 0.25F});
    // A bias itself gets no integers.
    const Result bias = written(file, {decided(*dump, "x", {0.5}), decided(*dump, "m.b", {1.0})});
    REQUIRE(bias.written.problems.size() == 1);
    CHECK_THAT(bias.written.problems[0], containsText("is a bias"));
}

}  // namespace materialize_test
