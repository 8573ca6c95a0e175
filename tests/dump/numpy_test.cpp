// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/dump/dump_file.h"
#include "core/dump/file_check.h"
#include "tests/support/catch.h"
#include "tests/support/file_bytes.h"
#include "tests/support/npy_files.h"
#include "tests/support/temporary_folder.h"

#include <filesystem>
#include <string>
#include <vector>

namespace numpy_test {

using namespace calibscope;
using namespace calibscope::test;

using Values = std::vector<float>;

void save(const TemporaryFolder& folder, const std::string& name, const std::string& bytes)
{
    const std::filesystem::path path = folder.file(name);
    std::filesystem::create_directories(path.parent_path());
    writeBytes(path.string(), bytes);
}

std::shared_ptr<const DumpFile> opened(const std::string& bytes, const std::string& name = "a.npy",
                                       const DumpOptions& options = {})
{
    static std::vector<TemporaryFolder> folders;  // values are read after the call
    const TemporaryFolder& folder = folders.emplace_back();
    save(folder, name, bytes);
    return DumpFile::open(folder.file(name), options);
}

std::vector<std::string> pathsIn(const DumpFile& dump)
{
    std::vector<std::string> paths;
    for (const TensorInfo& info : dump.tensors())
        paths.push_back(info.path);
    return paths;
}

std::string reasonIn(const std::string& bytes, const std::string& name = "a.npy")
{
    const auto dump = opened(bytes, name);
    REQUIRE(dump->tensors().size() == 1);
    return dump->tensors()[0].unreadable.sentence;
}

const std::string sixFloats = bytesOfElements<float>({1.0F, -2.0F, 3.0F, 0.5F, 0.0F, 7.0F});

TEST_CASE("a .npy is a dump of one tensor, named after its file")
{
    for (const int version : {1, 2, 3}) {
        const auto dump = opened(npyOf("<f4", "(3, 2)", sixFloats, false, version), "conv1.npy");
        REQUIRE(pathsIn(*dump) == std::vector<std::string>{"/conv1"});
        const TensorInfo& info = dump->tensors()[0];
        CHECK(info.shape == std::vector<std::uint64_t>{3, 2});
        CHECK(info.elementType == ElementKind::Float32);
        CHECK(info.layoutRule == "numpy");
        CHECK(readAll(dump->source(0)) == Values{1.0F, -2.0F, 3.0F, 0.5F, 0.0F, 7.0F});
        CHECK(dump->warnings().empty());
    }
}

TEST_CASE("every number type is read in either byte order")
{
    struct Typed
    {
        const char* code;
        std::string stored;  ///< little-endian, of one element
        float value;
    };
    using namespace std::string_literals;
    const std::vector<Typed> types = {
        {"f8", "\0\0\0\0\0\0\x04\xc0"s, -2.5F},
        {"f4", "\0\0\x20\xc0"s, -2.5F},
        {"f2", "\0\xc1"s, -2.5F},
        {"i8", "\xfe\xff\xff\xff\xff\xff\xff\xff", -2.0F},
        {"i4", "\xfe\xff\xff\xff", -2.0F},
        {"i2", "\xfe\xff", -2.0F},
        {"i1", "\xfe", -2.0F},
        {"u8", "\x05\0\0\0\0\0\0\0"s, 5.0F},
        {"u4", "\x05\0\0\0"s, 5.0F},
        {"u2", "\x05\0"s, 5.0F},
        {"u1", "\x05", 5.0F},
        {"b1", "\x01", 1.0F},
    };
    for (const Typed& typed : types)
        for (const char order : {'<', '>'}) {
            INFO(typed.code << order);
            const std::string bytes = order == '<'
                                          ? typed.stored
                                          : std::string(typed.stored.rbegin(), typed.stored.rend());
            const auto dump = opened(npyOf(order + std::string(typed.code), "(2,)", bytes + bytes));
            CHECK(readAll(dump->source(0)) == Values{typed.value, typed.value});
        }
    CHECK(opened(npyOf("|b1", "(1,)", "\x01"))->tensors()[0].storedType == "bool");
}

TEST_CASE("an array in Fortran's order is read row by row")
{
    // numpy.asfortranarray([[1, 2, 3], [4, 5, 6]]) lies as 1 4 2 5 3 6.
    const std::string stored = bytesOfElements<float>({1, 4, 2, 5, 3, 6});
    const auto dump = opened(npyOf("<f4", "(2, 3)", stored, true));
    CHECK(readAll(dump->source(0)) == Values{1, 2, 3, 4, 5, 6});
    TensorInfo info = dump->tensors()[0];
    const ValueBoxes boxes = dump->boxes(info);
    const std::vector<ValueBox> asked = {{.start = {0, 1}, .count = {2, 2}}};
    const auto part = boxes.read(asked, {});
    CHECK(Values(part.begin(), part.end()) == Values{2, 3, 5, 6});
    info.batchAxis = 1;
    info.batchSize = 1;
    CHECK(readAll(dump->source(info)) == Values{1, 4, 2, 5, 3, 6});
    // 2 x 2 x 2 with the first index fastest: value 100 i + 10 j + k at i + 2 j + 4 k.
    const std::string cube = bytesOfElements<float>({0, 100, 10, 110, 1, 101, 11, 111});
    CHECK(readAll(opened(npyOf("<f4", "(2, 2, 2)", cube, true))->source(0)) ==
          Values{0, 1, 10, 11, 100, 101, 110, 111});
}

TEST_CASE("an array in Fortran's order is read in slabs where it takes more than the memory")
{
    constexpr std::uint64_t rows = 257;
    constexpr std::uint64_t columns = 300;
    std::vector<float> stored;
    for (std::uint64_t column = 0; column < columns; ++column)
        for (std::uint64_t row = 0; row < rows; ++row)
            stored.push_back(static_cast<float>(row * columns + column));
    const std::string bytes = npyOf("<f4", "(257, 300)", bytesOfElements(stored), true);
    const auto dump = opened(bytes, "a.npy", {.memoryBytes = 60'000});
    const Values values = readAll(dump->source(0));
    REQUIRE(values.size() == rows * columns);
    for (std::size_t index = 0; index < values.size(); ++index)
        if (values[index] != static_cast<float>(index))
            FAIL(index);
    const auto packed = opened(zipOf({{.name = "a.npy", .bytes = bytes, .isDeflated = true}}),
                               "a.npz", {.memoryBytes = 60'000});
    CHECK_THROWS_WITH(readAll(packed->source(0)),
                      containsText("in Fortran's order and packed; reading them takes 308400"));
}

TEST_CASE("what is not a tensor of numbers is listed with its reason")
{
    const std::string four(4, '\0');
    CHECK(reasonIn(npyOf("|O", "(1,)", four)) ==
          "it holds Python objects, which can run any program when they are read; only numbers "
          "are read");
    CHECK(reasonIn(npyOf("[('a', '<f4'), ('b', '<i4', (2,))]", "(1,)", four)) ==
          "it holds records of several members; only numbers are read");
    CHECK(reasonIn(npyOf("<U1", "(1,)", four)) == "it holds texts; only numbers are read");
    CHECK(reasonIn(npyOf("<c8", "(1,)", four)) ==
          "its elements are of the type <c8, which is not read");
    CHECK(reasonIn(npyOf("<f4", "()", four)) == "it is a single value, not a tensor");
    CHECK(reasonIn(npyOf("<f4", "(2, 0)", "")) == "it has no values: one of its axes has length 0");
    CHECK(reasonIn(npyOf("<f4", "(2,)", four)) ==
          "its values end behind the end of the file, which is truncated or still being written");
    CHECK_THAT(reasonIn(npyOf("<f4", "(4294967296, 4294967296)", four)),
               containsText("behind the end of the file"));
    CHECK(reasonIn(npyOf("<f4", "(1,)", four, false, 9)) ==
          "it cannot be read: is a .npy file of version 9; 1 to 3 are known");
    CHECK(reasonIn(std::string("\x93NUMPY\x02\0\0\0\0\x7f", 12)) ==
          "it cannot be read: its header has 2130706444 bytes, more than the 1048576 that are "
          "read");
    CHECK(opened(npyOf("<f4", "(1,)", four + "more"))->warnings() ==
          std::vector<std::string>{"/a: 4 bytes follow its values"});
}

TEST_CASE("bytes of ml_dtypes wait for their type")
{
    const auto dump = opened(npyOf("<V2", "(2,)", std::string("\x80\x3f\x00\xc0", 4)));
    TensorInfo info = dump->tensors()[0];
    CHECK_THAT(info.unreadable.sentence, containsText("--type bfloat16"));
    REQUIRE_FALSE(info.otherTypes.empty());
    info.elementType = ElementKind::Bfloat16;
    info.unreadable = {};
    CHECK(readAll(dump->source(info)) == Values{1.0F, -2.0F});
}

TEST_CASE("the files of a folder are tensors named by their paths, in natural order")
{
    const TemporaryFolder folder;
    const std::string one = npyOf("<f4", "(3, 2)", sixFloats);
    for (const char* name : {"block10/out.npy", "block2/out.npy", "fc.weight.npy", "notes.txt",
                             ".hidden.npy", "block2/deep/er.npy"})
        save(folder, name, one);
    const auto dump = DumpFile::open(folder.path().string());
    CHECK(pathsIn(*dump) ==
          std::vector<std::string>{"/block2/deep/er", "/block2/out", "/block10/out", "/fc.weight"});
    CHECK(dump->tensors()[3].role == Role::Weight);
    CHECK(readAll(dump->source(2)) == Values{1.0F, -2.0F, 3.0F, 0.5F, 0.0F, 7.0F});
}

TEST_CASE("numbered files of a folder are batches, and so are files of numbered folders")
{
    const auto batch = [](int number) {
        const auto value = static_cast<float>(number);
        return npyOf("<f4", "(2, 3)", bytesOfElements<float>({value, 1, 2, 3, 4, value + 0.5F}));
    };
    for (const bool isByFolder : {false, true}) {
        INFO(isByFolder);
        const TemporaryFolder folder;
        for (int number = 1; number <= 11; ++number) {
            const std::string digits = std::to_string(number);
            for (const char* tensor : {"conv1", "block/relu"})
                save(folder,
                     isByFolder ? "batch_" + digits + "/" + tensor + ".npy"
                                : std::string(tensor) + "/" + digits + ".npy",
                     batch(number));
        }
        const auto dump = DumpFile::open(folder.path().string());
        REQUIRE(pathsIn(*dump) == std::vector<std::string>{"/block/relu", "/conv1"});
        const TensorInfo& info = dump->tensors()[1];
        CHECK(info.shape == std::vector<std::uint64_t>{22, 3});
        CHECK(info.batchAxis == 0);
        CHECK(info.batchSize == 2);
        CHECK(info.batchCount() == 11);
        const Values values = readAll(dump->source(info));
        REQUIRE(values.size() == 66);
        for (std::size_t number = 0; number < 11; ++number) {
            CHECK(values[number * 6] == static_cast<float>(number + 1));
            CHECK(values[number * 6 + 5] == static_cast<float>(number + 1) + 0.5F);
        }
        CHECK(readAll(dump->source(info, 3)).size() == 18);
        const ValueBoxes boxes = dump->boxes(info);
        const std::vector<ValueBox> asked = {{.start = {19, 0}, .count = {3, 1}}};
        const auto part = boxes.read(asked, {});
        CHECK(Values(part.begin(), part.end()) == Values{3, 11, 3});
        const auto apart = DumpFile::open(folder.path().string(), {.mergeNumbered = false});
        CHECK(apart->tensors().size() == 22);
    }
}

TEST_CASE("numbered folders with a gap, other files or weights stay as they are")
{
    const std::string one = npyOf("<f4", "(3, 2)", sixFloats);
    const auto pathsOf = [&](std::initializer_list<const char*> names) {
        const TemporaryFolder folder;
        for (const char* name : names)
            save(folder, name, one);
        return pathsIn(*DumpFile::open(folder.path().string()));
    };
    using Paths = std::vector<std::string>;
    CHECK(pathsOf({"0/a.npy", "2/a.npy"}) == Paths{"/0/a", "/2/a"});
    CHECK(pathsOf({"0/a.npy", "1/b.npy"}) == Paths{"/0/a", "/1/b"});
    CHECK(pathsOf({"0/a.npy", "1/a.npy", "x.npy"}) == Paths{"/0/a", "/1/a", "/x"});
    CHECK(pathsOf({"0/fc.weight.npy", "1/fc.weight.npy"}) == Paths{"/0/fc.weight", "/1/fc.weight"});
    CHECK(pathsOf({"0/a.npy", "1/a.npy"}) == Paths{"/a"});
    // A word that counts parts of a model elsewhere: /layer1/0 would be one.
    CHECK(pathsOf({"0/layer0.npy", "0/layer1.npy", "1/layer0.npy", "1/layer1.npy"}) ==
          Paths{"/layer0", "/layer1"});
    CHECK(pathsOf({"layer1/0.npy", "layer1/1.npy"}) == Paths{"/layer1/0", "/layer1/1"});
}

TEST_CASE("batches in one folder are joined where their names say so, else there is advice")
{
    const std::string one = npyOf("<f4", "(3, 2)", sixFloats);
    const TemporaryFolder named;
    const TemporaryFolder numbered;
    for (const std::string number : {"0", "1", "2"})
        for (const std::string tensor : {"conv_1", "relu_b1"}) {
            save(named, tensor + "_batch" + number + ".npy", one);
            save(numbered, tensor + "_" + number + ".npy", one);
        }
    const auto joined = DumpFile::open(named.path().string());
    CHECK(pathsIn(*joined) == std::vector<std::string>{"/conv_1", "/relu_b1"});
    CHECK(joined->tensors().front().batchCount() == 3);
    CHECK(joined->warnings().empty());

    const auto apart = DumpFile::open(numbered.path().string());
    CHECK(apart->tensors().size() == 6);
    CHECK(apart->warnings() ==
          std::vector<std::string>{"/: the names of its files end in the numbers 0 to 2; if these "
                                   "are batches, call them conv_1.0.npy, conv_1.1.npy, ...: so "
                                   "they are joined"});
    save(numbered, "conv_1_3.npy", one);  // layers, rather
    CHECK(DumpFile::open(numbered.path().string())->warnings().empty());
    save(named, "relu_b1/batch0.npy", one);  // two of that path
    CHECK(DumpFile::open(named.path().string())->tensors().size() == 3);
}

TEST_CASE("batches alone in a folder are a tensor of the folder's name")
{
    const TemporaryFolder parent;
    const std::string one = npyOf("<f4", "(3, 2)", sixFloats);
    save(parent, "conv1/0.npy", one);
    save(parent, "conv1/1.npy", one);
    const std::string path = parent.file("conv1");
    const auto dump = DumpFile::open(path + "/");
    REQUIRE(pathsIn(*dump) == std::vector<std::string>{"/conv1"});
    CHECK(dump->tensors().front().name == "conv1");
    CHECK(dump->tensors().front().batchCount() == 2);
    save(parent, "conv1/bias.npy", one);
    CHECK(pathsIn(*DumpFile::open(path)) == std::vector<std::string>{"/0", "/1", "/bias"});
}

TEST_CASE("the identity of a folder is that of its files")
{
    const TemporaryFolder folder;
    const std::string one = npyOf("<f4", "(3, 2)", sixFloats);
    const std::string path = folder.path().string();
    save(folder, "deep/a.npy", one);
    const auto dump = DumpFile::open(path);
    const FileIdentity before = checkedIdentity(path);
    CHECK(dump->identity() == before);
    CHECK(before.bytes == one.size());
    save(folder, "notes.txt", "no file of tensors");
    CHECK(checkedIdentity(path) == before);
    save(folder, "deep/b.npy", one);
    CHECK(checkedIdentity(path).stamp != before.stamp);
    CHECK(isSameFile(checkedIdentity(path).stamp, before.stamp));
    save(folder, "deep/a.npy", one + "x");
    CHECK_THROWS_WITH(readAll(dump->source(0)), containsText("was changed since it was opened"));
    std::filesystem::remove(folder.file("deep/a.npy"));
    CHECK_THROWS_WITH(readAll(dump->source(0)), containsText("cannot be read"));
}

TEST_CASE("a link that leads out of the folder is followed only where other files are allowed")
{
    const TemporaryFolder outside;
    const TemporaryFolder folder;
    save(outside, "secret.npy", npyOf("<f4", "(3, 2)", sixFloats));
    save(folder, "a.npy", npyOf("<f4", "(3, 2)", sixFloats));
    std::filesystem::create_symlink(outside.file("secret.npy"), folder.file("b.npy"));
    std::filesystem::create_symlink(folder.file("a.npy"), folder.file("c.npy"));
    std::filesystem::create_directory_symlink(outside.path(), folder.file("d"));
    const auto dump = DumpFile::open(folder.path().string());
    REQUIRE(pathsIn(*dump) == std::vector<std::string>{"/a", "/b", "/c"});
    CHECK(dump->tensors()[1].unreadable.reason == Unreadable::Reason::OtherFile);
    CHECK_THROWS_AS(readAll(dump->source(1)), Error);
    CHECK(readAll(dump->source(2)).size() == 6);
    const auto allowed = DumpFile::open(folder.path().string(), {.allowExternal = true});
    CHECK(readAll(allowed->source(1)).size() == 6);
}

TEST_CASE("an archive holds tensors, stored or deflated, with long numbers or without")
{
    const std::string one = npyOf("<f4", "(3, 2)", sixFloats);
    for (const bool isDeflated : {false, true})
        for (const bool isZip64 : {false, true}) {
            INFO(isDeflated << isZip64);
            const auto dump =
                opened(zipOf({{.name = "w/fc.bias.npy",
                               .bytes = npyOf("<f4", "(6,)", sixFloats),
                               .isDeflated = isDeflated,
                               .isZip64 = isZip64},
                              {.name = "arr_0.npy",
                               .bytes = one,
                               .isDeflated = isDeflated,
                               .isZip64 = isZip64},
                              {.name = "readme.txt", .bytes = "text", .isZip64 = isZip64}}),
                       "a.npz");
            REQUIRE(pathsIn(*dump) == std::vector<std::string>{"/w/fc.bias", "/arr_0"});
            CHECK(dump->tensors()[0].role == Role::Bias);
            CHECK(dump->tensors()[1].checksum == "crc32 (zip)");
            CHECK(readAll(dump->source(1)) == Values{1.0F, -2.0F, 3.0F, 0.5F, 0.0F, 7.0F});
            const ValueBoxes boxes = dump->boxes(dump->tensors()[1]);
            const std::vector<ValueBox> asked = {{.start = {1, 1}, .count = {2, 1}}};
            const auto part = boxes.read(asked, {});
            CHECK(Values(part.begin(), part.end()) == Values{0.5F, 7.0F});
            REQUIRE(dump->warnings().size() == 1);
            CHECK_THAT(dump->warnings()[0], containsText("1 members are not listed"));
        }
}

TEST_CASE("members whose bytes are not what the archive says are refused")
{
    const std::string one = npyOf("<f4", "(3, 2)", sixFloats);
    const auto whyNot = [](const ZippedFile& file) {
        const auto dump = opened(zipOf({file}), "a.npz");
        if (!dump->tensors().at(0).isReadable())
            return dump->tensors()[0].unreadable.sentence;
        try {
            return "read " + std::to_string(readAll(dump->source(0)).size());
        } catch (const Error& error) {
            return std::string(error.what());
        }
    };
    const ZippedFile sound{.name = "a.npy", .bytes = one, .isDeflated = true};
    CHECK(whyNot(sound) == "read 6");
    for (const bool isDeflated : {false, true}) {
        ZippedFile flipped = sound;
        flipped.isDeflated = isDeflated;
        flipped.crcFlip = 1;
        CHECK_THAT(whyNot(flipped), containsText("checksum (CRC-32) does not fit"));
    }
    ZippedFile file = sound;
    file.statedBytes = one.size() + 4;
    CHECK_THAT(whyNot(file), containsText("damaged or end early"));
    file.statedBytes = 1'000'000;
    CHECK_THAT(whyNot(file), containsText("more than deflated bytes can"));
    file.bytes = npyOf("<f4", "(3, 2)", sixFloats + "beyond");
    file.statedBytes = one.size();
    CHECK_THAT(whyNot(file), containsText("unpacks to more bytes than the archive says"));
    file = sound;
    file.flags = 1;
    CHECK_THAT(whyNot(file), containsText("it is encrypted"));
    file = sound;
    file.method = 14;
    CHECK_THAT(whyNot(file), containsText("by method 14 of zip"));
    file = sound;
    file.bytes = "no array at all";
    CHECK_THAT(whyNot(file), containsText("is not a .npy file"));
}

TEST_CASE("an archive without the end of its list is refused")
{
    const std::string archive =
        zipOf({{.name = "a.npy", .bytes = npyOf("<f4", "(3, 2)", sixFloats)}});
    CHECK_THROWS_WITH(opened(archive.substr(0, archive.size() - 1), "a.npz"),
                      containsText("its list of members is missing"));
    std::string lying = archive;
    lying[lying.size() - 3] = '\x7f';  // the index of the list
    CHECK_THROWS_WITH(opened(lying, "a.npz"), containsText("leaves the file"));
}

TEST_CASE("a folder of RKNN's accuracy analysis has the names of its layers")
{
    const TemporaryFolder folder;
    const std::string array = npyOf("<f4", "(3, 2)", sixFloats);
    for (const char* const name :
         {"golden/npy/0.npy", "golden/npy/12.npy", "golden/npy/new.npy", "simulator/npy/12.npy"})
        save(folder, name, array);
    save(folder, "map_name_to_file.txt",
         "layer_name                     file_name\n"
         "------------------------------------------\n"
         "images                         0\n"
         "[Conv] /model/conv/Conv_output 12.npy\r\n"
         "\n"
         "alone\n");
    CHECK(pathsIn(*DumpFile::open(folder.path().string())) ==
          std::vector<std::string>{"/golden/npy/images", "/golden/npy/model/conv/Conv_output",
                                   "/golden/npy/new", "/simulator/npy/model/conv/Conv_output"});
    CHECK(pathsIn(*DumpFile::open(folder.file("golden"), {.mergeNumbered = false})) ==
          std::vector<std::string>{"/npy/images", "/npy/model/conv/Conv_output", "/npy/new"});
    CHECK(pathsIn(*DumpFile::open(folder.file("golden/npy"), {.mergeNumbered = false})) ==
          std::vector<std::string>{"/images", "/model/conv/Conv_output", "/new"});
}

}  // namespace numpy_test
