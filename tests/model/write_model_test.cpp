// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/write_model.h"

#include "core/base/error.h"
#include "core/model/model_file.h"
#include "tests/support/catch.h"
#include "tests/support/file_bytes.h"
#include "tests/support/onnx_model.h"
#include "tests/support/small_files.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <filesystem>
#include <numeric>

namespace write_model_test {

using namespace calibscope;
using namespace calibscope::model;
using namespace calibscope::test;
namespace fs = std::filesystem;

std::vector<float> counting(std::size_t count)
{
    std::vector<float> values(count);
    std::iota(values.begin(), values.end(), 0.0F);
    return values;
}

/// y = x + large + small, where `large` has 4000 bytes.
::onnx::ModelProto twoWeights()
{
    ::onnx::ModelProto model = emptyModel(13);
    ::onnx::GraphProto& graph = *model.mutable_graph();
    addInput(graph, "x", {1000});
    addInitializer(graph, floatTensor("large", {1000}, counting(1000)));
    addInitializer(graph, floatTensor("small", {1}, {0.5F}));
    addNode(graph, "Sum", {"x", "large", "small"}, {"y"});
    addOutput(graph, "y", {1000});
    return model;
}

/// The same with `large` behind the first eight bytes of a file.
std::string savedOutside(const TemporaryFolder& folder)
{
    ::onnx::ModelProto model = twoWeights();
    ::onnx::TensorProto& large = *model.mutable_graph()->mutable_initializer(0);
    const std::vector<float> values = counting(1000);
    std::string bytes(8, 'x');
    bytes.append(reinterpret_cast<const char*>(values.data()), 4000);
    std::ofstream(folder.file("weights.bin"), std::ios::binary) << bytes;
    large.clear_float_data();
    setExternal(large, {{"location", "weights.bin"}, {"offset", "8"}, {"length", "4000"}});
    return saved(model, folder.file("m.onnx"));
}

std::vector<float> valuesIn(const std::string& path, const std::string& name)
{
    const auto file = ModelFile::read(path);
    const auto found = std::ranges::find(file->tensors(), name, &GraphTensor::name);
    return file->values(static_cast<std::size_t>(found - file->tensors().begin()));
}

std::vector<std::string> filesIn(const TemporaryFolder& folder)
{
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder.path()))
        names.push_back(entry.path().filename().string());
    std::ranges::sort(names);
    return names;
}

std::string failure(const ::onnx::ModelProto& model, const std::string& path,
                    const std::string& source, Fault fault)
{
    try {
        static_cast<void>(writeModel(model, path, source));
    } catch (const Error& error) {
        CHECK(error.fault() == fault);
        return error.what();
    }
    return {};
}

TEST_CASE("data in another file is taken inside: the model can be copied alone")
{
    const TemporaryFolder folder;
    const std::string source = savedOutside(folder);
    const std::string out = folder.file("out.onnx");
    const WrittenModel written = writeModel(ModelFile::read(source)->proto(), out, source);
    CHECK(written.data.empty());
    CHECK(written.bytes == fs::file_size(out));
    fs::remove(folder.file("weights.bin"));
    CHECK(valuesIn(out, "large") == counting(1000));
    CHECK(filesIn(folder) == std::vector<std::string>{"m.onnx", "out.onnx"});
}

TEST_CASE("above the threshold initializers of a KiB and more go into a file of data, by pages")
{
    const TemporaryFolder folder;
    const bool isOutside = GENERATE(false, true);
    const std::string source =
        isOutside ? savedOutside(folder) : saved(twoWeights(), folder.file("m.onnx"));
    ::onnx::ModelProto model = ModelFile::read(source)->proto();
    addInitializer(*model.mutable_graph(), floatTensor("second", {500}, counting(500)));
    const std::string out = folder.file("out.onnx");

    const WrittenModel written = writeModel(model, out, source, {.mostInside = 3000});

    CHECK(written.data == out + ".data");
    CHECK(fs::file_size(written.data) == 4096 + 2000);
    CHECK(written.bytes == fs::file_size(out) + fs::file_size(written.data));
    CHECK(fs::file_size(out) < 1000);
    CHECK(valuesIn(out, "large") == counting(1000));
    CHECK(valuesIn(out, "second") == counting(500));
    CHECK(valuesIn(out, "small") == std::vector<float>{0.5F});
    // With one byte more allowed all would be inside.
    ::onnx::ModelProto again = ModelFile::read(out)->proto();
    CHECK(writeModel(again, folder.file("b.onnx"), out, {.mostInside = 1U << 20U}).data.empty());
    CHECK(valuesIn(folder.file("b.onnx"), "second") == counting(500));
}

TEST_CASE("a model is never changed in place, by whatever name")
{
    const TemporaryFolder folder;
    const std::string source = savedOutside(folder);
    const std::string before = readBytes(source);
    const ::onnx::ModelProto model = ModelFile::read(source)->proto();
    fs::create_symlink(source, folder.file("link.onnx"));
    fs::create_hard_link(source, folder.file("hard.onnx"));
    fs::create_symlink("weights.bin", folder.file("w.onnx"));
    fs::create_hard_link(folder.file("weights.bin"), folder.file("x.onnx.data"));
    for (const char* name : {"m.onnx", "link.onnx", "hard.onnx"})
        CHECK_THAT(failure(model, folder.file(name), source, Fault::Usage),
                   containsText("it is the model that is read"));
    for (const char* name : {"weights.bin", "w.onnx", "x.onnx"})
        CHECK_THAT(failure(model, folder.file(name), source, Fault::Usage),
                   containsText("it is data of the model that is read"));
    CHECK(readBytes(source) == before);
    CHECK(valuesIn(source, "large") == counting(1000));
}

TEST_CASE("what would be no valid model is not written")
{
    const TemporaryFolder folder;
    const std::string source = saved(twoWeights(), folder.file("m.onnx"));
    ::onnx::ModelProto model = twoWeights();
    model.mutable_graph()->mutable_node(0)->set_input(1, "gone");
    const std::string out = folder.file("out.onnx");
    CHECK_THAT(failure(model, out, source, Fault::Output),
               containsText("no valid model: node make_y (Sum) takes gone"));
    CHECK(filesIn(folder) == std::vector<std::string>{"m.onnx"});
}

TEST_CASE("nothing is half-written where a disk is full or data can't be read")
{
    const TemporaryFolder folder;
    const std::string source = savedOutside(folder);
    const ::onnx::ModelProto model = ModelFile::read(source)->proto();
    const std::string out = folder.file("out.onnx");
    std::ofstream(out) << "former";
    {
        const SmallFiles limit(1000);
        CHECK_THAT(failure(model, out, source, Fault::Output),
                   containsText("could not be written"));
        CHECK_THROWS_AS(writeModel(model, out, source, {.mostInside = 100}), Error);
    }
    fs::resize_file(folder.file("weights.bin"), 4007);
    CHECK_THAT(failure(model, out, source, Fault::Input), containsText("ends behind the end"));
    CHECK(readBytes(out) == "former");
    CHECK(filesIn(folder) == std::vector<std::string>{"m.onnx", "out.onnx", "weights.bin"});
    CHECK_THAT(failure(model, folder.file("no/such/folder/o.onnx"), source, Fault::Input),
               containsText("ends behind"));
}

TEST_CASE("what is there is replaced, a link's target too")
{
    const TemporaryFolder folder;
    const std::string source = saved(twoWeights(), folder.file("m.onnx"));
    fs::create_directory(folder.file("sub"));
    std::ofstream(folder.file("sub/real.onnx")) << "former";
    std::ofstream(folder.file("sub/real.onnx.data")) << "former";
    fs::create_symlink("sub/real.onnx", folder.file("out.onnx"));
    static_cast<void>(
        writeModel(twoWeights(), folder.file("out.onnx"), source, {.mostInside = 100}));
    CHECK(fs::is_symlink(folder.file("out.onnx")));
    // The data lies beside the model, where it looks for it.
    CHECK(valuesIn(folder.file("sub/real.onnx"), "large") == counting(1000));
}

}  // namespace write_model_test
