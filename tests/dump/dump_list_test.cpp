// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/digest.h"
#include "core/base/error.h"
#include "core/base/folder_files.h"
#include "core/dump/dump_file.h"
#include "core/dump/file_check.h"
#include "tests/support/catch.h"
#include "tests/support/dump_values.h"
#include "tests/support/file_bytes.h"
#include "tests/support/h5_file.h"
#include "tests/support/npy_files.h"
#include "tests/support/temporary_folder.h"

#include <cstdlib>
#include <filesystem>

namespace dump_list_test {

using namespace calibscope;
using namespace calibscope::test;

constexpr std::size_t perSample = 6 * 10;

/// Samples of a recording: sample s, value v is 1000 s + v.
std::vector<float> samplesFrom(std::size_t first, std::size_t count)
{
    std::vector<float> values;
    for (std::size_t sample = first; sample < first + count; ++sample)
        for (std::size_t value = 0; value < perSample; ++value)
            values.push_back(static_cast<float>(1000 * sample + value));
    return values;
}

std::string arrayOf(std::size_t first, std::size_t count, const std::string& rest = "6, 10")
{
    return npyOf("<f4", "(" + std::to_string(count) + ", " + rest + ")",
                 bytesOfElements(samplesFrom(first, count)));
}

/// An archive, a folder, a safetensors file and an HDF5 file with 8 + 4 + 4 + 8 samples of conv1.
struct FourKinds
{
    explicit FourKinds(const std::vector<float>& secondWeight = weight())
    {
        writeBytes(folder.file("p1.npz"), zipOf({{.name = "conv1.npy", .bytes = arrayOf(0, 8)}}));
        std::filesystem::create_directory(folder.file("p2"));
        writeBytes(folder.file("p2/conv1.npy"), arrayOf(8, 4));
        const std::string header =
            R"({"conv1":{"dtype":"F32","shape":[4,6,10],"data_offsets":[0,960]},)"
            R"("fc.weight":{"dtype":"F32","shape":[2,3],"data_offsets":[960,984]}})";
        writeBytes(folder.file("p3.safetensors"), littleEndian(header.size(), 8) + header +
                                                      bytesOfElements(samplesFrom(12, 4)) +
                                                      bytesOfElements(weight()));
        H5File file;
        file.write("/conv1", {8, 6, 10}, samplesFrom(16, 8));
        file.write("/fc.weight", {2, 3}, secondWeight);
        std::filesystem::copy_file(file.path(), folder.file("p4.h5"));
        list("p4.h5\n# a comment\n\np2\r\np1.npz\np3.safetensors\n");
    }

    static std::vector<float> weight() { return {1.0F, -2.0F, 3.0F, -4.0F, 5.0F, -6.0F}; }

    void list(const std::string& text) const { writeBytes(path(), text); }
    [[nodiscard]] std::string path() const { return folder.file("run.dumplist"); }

    TemporaryFolder folder;
};

std::string refusalOf(const std::string& path, const DumpOptions& options = {})
{
    try {
        static_cast<void>(DumpFile::open(path, options));
    } catch (const Error& error) {
        return error.what();
    }
    return "opened";
}

TEST_CASE("dumps of four kinds are one, in the order of their names")
{
    const FourKinds recording;
    const auto dump = DumpFile::open(recording.path());
    REQUIRE(dump->tensors().size() == 2);
    const TensorInfo& conv = dump->tensors()[0];
    CHECK(conv.shape == std::vector<std::uint64_t>{24, 6, 10});
    CHECK(conv.batchCount() == 3);  // as long as those of the first
    CHECK(valuesOf(dump->source(0)) == samplesFrom(0, 24));
    CHECK(dump->source(conv, 1).info.sampleCount() == 8);
    CHECK(valuesOf(dump->source(conv, 2)) == samplesFrom(0, 16));
    TensorInfo byTwo = conv;
    byTwo.batchSize = 5;
    const std::vector<SeenBlock> blocks = blocksOf(dump->source(byTwo));
    CHECK(blocks.back().batch == 4);
    CHECK(dump->tensors()[1].role == Role::Weight);
    CHECK(valuesOf(dump->source(1)) == FourKinds::weight());
    CHECK_THAT(conv.evidence.back(), containsText("the batches of 4 dumps, in the order of their "
                                                  "names"));
    ValueBoxes boxes = dump->boxes(conv);
    const std::vector<ValueBox> asked{{{7, 5, 9}, {10, 1, 1}}};
    std::vector<float> expected;
    for (std::size_t sample = 7; sample < 17; ++sample)
        expected.push_back(samplesFrom(sample, 1).back());
    const std::span<const float> read = boxes.read(asked, {});
    CHECK(std::vector<float>(read.begin(), read.end()) == expected);
}

TEST_CASE("what several dumps hold without batches must be the same in all")
{
    std::vector<float> other = FourKinds::weight();
    other[3] = 7.0F;
    const FourKinds recording(other);
    const auto dump = DumpFile::open(recording.path());
    CHECK_THROWS_WITH(valuesOf(dump->source(1)), recording.folder.file("p4.h5") +
                                                     ":/fc.weight: its values are others than in " +
                                                     recording.folder.file("p3.safetensors") +
                                                     "; leave one of the files out");
    CHECK(valuesOf(dump->source(0)) == samplesFrom(0, 24));
}

TEST_CASE("a tensor that can't be joined says why, the others can be read")
{
    const FourKinds recording;
    writeBytes(recording.folder.file("p2/conv1.npy"), arrayOf(8, 4, "10, 6"));
    const auto dump = DumpFile::open(recording.path());
    CHECK_THAT(dump->tensors()[0].unreadable.sentence,
               containsText("p2:/conv1: its shape is 4 x 10 x 6, not 8 x 6 x 10 as in"));
    CHECK_THROWS_WITH(valuesOf(dump->source(0)), containsText("its shape is 4 x 10 x 6"));
    CHECK(valuesOf(dump->source(1)) == FourKinds::weight());
}

TEST_CASE("what can't be a part of a list is refused with the reason")
{
    const FourKinds recording;
    const auto refusal = [&](const std::string& text) {
        recording.list(text);
        return refusalOf(recording.path());
    };
    CHECK_THAT(refusal("# nothing\n"), containsText("names no dumps"));
    CHECK_THAT(refusal("p1.npz\ngone.npz\n"), containsText("gone.npz: No such file"));
    CHECK_THAT(refusal("p1.npz\n./p1.npz\n"), containsText("is the same dump as"));
    CHECK_THAT(refusal("p1.npz\nother.dumplist\n"), containsText("names another list"));
    CHECK_THAT(refusal(std::string("p1.npz\0x\n", 9)), containsText("it is not text"));
    CHECK_THAT(refusal(std::string(300, '\n') + std::string("p1.npz\n") +
                       [] {
                           std::string many;
                           for (int place = 0; place < 256; ++place)
                               many += "p" + std::to_string(place) + ".npy\n";
                           return many;
                       }()),
               containsText("more than 256 dumps"));
    writeBytes(recording.folder.file("text.npz"), "no archive");
    CHECK_THAT(refusal("p1.npz\ntext.npz\n"), containsText("text.npz: is not an HDF5 file"));
}

TEST_CASE("dumps outside of the list's folder are read where the user allows it")
{
    const FourKinds recording;
    const TemporaryFolder elsewhere;
    const std::string list = elsewhere.file("run.dumplist");
    writeBytes(list, recording.folder.file("p1.npz") + "\n");
    CHECK_THAT(refusalOf(list), containsText("lies outside of the list's folder"));
    CHECK(refusalOf(list, {.allowExternal = true}) == "opened");
    // The window's own lists name what the user has chosen.
    ::setenv("XDG_DATA_HOME", elsewhere.path().c_str(), 1);
    std::filesystem::create_directories(userListsFolder());
    const std::string own = userListsFolder() + "/run.dumplist";
    std::filesystem::rename(list, own);
    CHECK(refusalOf(own) == "opened");
    ::unsetenv("XDG_DATA_HOME");
    CHECK_THAT(refusalOf(own), containsText("lies outside of the list's folder"));
}

TEST_CASE("a list is another one when one of its dumps is")
{
    const FourKinds recording;
    const FileIdentity before = checkedIdentity(recording.path());
    const std::string header = headerSha256(recording.path());
    CHECK(checkedIdentity(recording.path()) == before);
    writeBytes(recording.folder.file("p2/conv1.npy"), arrayOf(8, 5));
    const FileIdentity after = checkedIdentity(recording.path());
    CHECK(after.stamp != before.stamp);
    CHECK(after.bytes == before.bytes + perSample * sizeof(float));
    CHECK(headerSha256(recording.path()) != header);

    // Of a copy, and by another path, it is the same.
    const std::string whole = fileSha256(recording.path());
    const TemporaryFolder elsewhere;
    std::filesystem::copy(recording.folder.path(), elsewhere.path(),
                          std::filesystem::copy_options::recursive |
                              std::filesystem::copy_options::overwrite_existing);
    CHECK(fileSha256(elsewhere.file("run.dumplist")) == whole);
    CHECK(headerSha256(elsewhere.file("run.dumplist")) == headerSha256(recording.path()));
    CHECK(fileSha256(elsewhere.file("p2/../run.dumplist")) == whole);
}

}  // namespace dump_list_test
