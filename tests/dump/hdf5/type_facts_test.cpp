// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/tensor/layout_override.h"
#include "tests/support/catch.h"
#include "tests/support/dump_values.h"
#include "tests/support/h5_file.h"
#include "tests/support/h5py.h"

#include <limits>
#include <string>
#include <vector>

namespace type_facts_test {

using namespace calibscope;
using test::RawType;

constexpr RawType bfloat16{
    .kind = RawType::Kind::Float, .bytes = 2, .exponentBits = 8, .bias = 127};

RawType float8(unsigned exponentBits, unsigned bias)
{
    return {.kind = RawType::Kind::Float, .exponentBits = exponentBits, .bias = bias};
}

/// Three words of bfloat16, little endian: 1.0, -2.5, 3e38 to its nearest.
const std::string threeWords{"\x80\x3f\x20\xc0\x62\x7f", 6};
const std::vector<float> threeValues{1.0F, -2.5F, 0x1.c4p+127F};

TensorInfo readAs(const TensorInfo& info, const std::string& type)
{
    return understoodAs(info, {.elementType = elementKind(type)});
}

TEST_CASE("floats are told apart by their fields, whatever the file calls them")
{
    struct Case
    {
        RawType type;
        std::string bytes;
        std::string text;
        float value;
    };
    for (const Case& known :
         std::vector<Case>{{bfloat16, "\x80\x3f", "bfloat16", 1.0F},
                           {float8(4, 7), "\x7e", "float8_e4m3fn", 448.0F},
                           {float8(5, 15), "\x7b", "float8_e5m2", 57344.0F},
                           {float8(4, 8), "\x7f", "float8_e4m3fnuz", 240.0F},
                           {float8(5, 16), "\x7f", "float8_e5m2fnuz", 57344.0F},
                           {float8(4, 11), "\x7f", "float8_e4m3b11fnuz", 30.0F}}) {
        test::H5File file;
        file.writeBytes("/a", {1}, known.bytes, known.type);
        const TensorInfo info = test::listed(file.path(), "/a");
        CHECK(elementText(info) == known.text);
        CHECK(info.storedType.empty());
        CHECK(info.lossy.empty());
        CHECK(info.unreadable.empty());
        CHECK(test::valuesIn(file.path(), "/a") == std::vector<float>{known.value});
    }
}

TEST_CASE("the byte order of a float is that of its type")
{
    test::H5File file;
    RawType big = bfloat16;
    big.isBigEndian = true;
    file.writeBytes("/a", {2}, {"\x3f\x80\xc0\x20", 4}, big);
    CHECK(test::valuesIn(file.path(), "/a") == std::vector<float>{1.0F, -2.5F});
}

TEST_CASE("E4M3 is the finite-only form unless an attribute or the user says otherwise")
{
    test::H5File file;
    file.writeBytes("/a", {1}, "\x78", float8(4, 7));
    file.writeBytes("/b", {1}, "\x78", float8(4, 7));
    file.attribute("/b", "dtype", std::string("float8_e4m3"));
    CHECK(test::valuesIn(file.path(), "/a") == std::vector<float>{256.0F});
    CHECK(test::valuesIn(file.path(), "/b") ==
          std::vector<float>{std::numeric_limits<float>::infinity()});
    const auto dump = DumpFile::open(file.path());
    CHECK(test::valuesOf(dump->source(readAs(dump->tensors()[0], "float8_e4m3"))) ==
          std::vector<float>{std::numeric_limits<float>::infinity()});
    CHECK(test::valuesOf(dump->source(readAs(dump->tensors()[1], "float8_e4m3fn"))) ==
          std::vector<float>{256.0F});
}

TEST_CASE("floats of unusual fields are listed with the reason")
{
    test::H5File file;
    file.writeBytes("/tf32", {1}, std::string(4, '\0'),
                    {.kind = RawType::Kind::Float, .bytes = 4, .exponentBits = 11, .bias = 1023});
    const TensorInfo info = test::listed(file.path(), "/tf32");
    CHECK(info.elementType == ElementKind::Float32);
    CHECK(info.unreadable ==
          "its elements are floats of an unusual kind, of 4 bytes with 11 bits of exponent and 20 "
          "of mantissa; write it as float32 or float16");
}

TEST_CASE("words with an attribute that says bfloat16 are bfloat16")
{
    for (const RawType::Kind kind :
         {RawType::Kind::Unsigned, RawType::Kind::Signed, RawType::Kind::Opaque}) {
        test::H5File file;
        file.writeBytes("/a", {3}, threeWords, {.kind = kind, .bytes = 2});
        file.attribute("/a", "dtype", std::string("bfloat16"));
        const TensorInfo info = test::listed(file.path(), "/a");
        CHECK(info.elementType == ElementKind::Bfloat16);
        CHECK_FALSE(info.storedType.empty());
        CHECK(info.evidence.front() == "attribute dtype says that its elements are bfloat16");
        CHECK(test::valuesIn(file.path(), "/a") == threeValues);
    }
}

TEST_CASE("words without an attribute are integers, and can be read as what they may be")
{
    test::H5File file;
    RawType big{.kind = RawType::Kind::Unsigned, .bytes = 2, .isBigEndian = true};
    file.writeBytes("/words", {3}, threeWords, {.kind = RawType::Kind::Unsigned, .bytes = 2});
    file.writeBytes("/big", {2}, {"\x3f\x80\xc0\x20", 4}, big);
    file.writeBytes("/bytes", {2}, "\x38\xb8", {.kind = RawType::Kind::Signed, .bytes = 1});
    const auto dump = DumpFile::open(file.path());
    const TensorInfo words = dump->tensors().at(dump->indexOf("/words"));
    CHECK(words.elementType == ElementKind::Uint16);
    CHECK(words.otherTypes ==
          std::vector<ElementKind>{ElementKind::Bfloat16, ElementKind::Float16});
    CHECK(test::valuesOf(dump->source(words)) == std::vector<float>{16256.0F, 49184.0F, 32610.0F});
    CHECK(test::valuesOf(dump->source(readAs(words, "bfloat16"))) == threeValues);
    const TensorInfo bigWords = dump->tensors().at(dump->indexOf("/big"));
    CHECK(test::valuesOf(dump->source(readAs(bigWords, "bfloat16"))) ==
          std::vector<float>{1.0F, -2.5F});
    const TensorInfo bytes = dump->tensors().at(dump->indexOf("/bytes"));
    CHECK(bytes.otherTypes ==
          std::vector<ElementKind>{ElementKind::Float8E4m3fn, ElementKind::Float8E5m2});
    CHECK(test::valuesOf(dump->source(bytes)) == std::vector<float>{56.0F, -72.0F});
    CHECK(test::valuesOf(dump->source(readAs(bytes, "float8_e4m3fn"))) ==
          std::vector<float>{1.0F, -1.0F});
}

TEST_CASE("opaque elements without an attribute wait for someone to say what they are")
{
    test::H5File file;
    file.writeBytes("/two", {3}, threeWords, {.kind = RawType::Kind::Opaque, .bytes = 2});
    file.writeBytes("/one", {2}, "\x38\xb8", {.kind = RawType::Kind::Opaque, .bytes = 1});
    file.writeBytes("/three", {1}, "abc", {.kind = RawType::Kind::Opaque, .bytes = 3});
    const auto dump = DumpFile::open(file.path());
    const TensorInfo two = dump->tensors().at(dump->indexOf("/two"));
    CHECK(two.unreadable ==
          "its elements are 2 opaque bytes, and no attribute says what they mean; if they are "
          "bfloat16, read them as that (--type bfloat16)");
    CHECK(two.otherTypes == std::vector<ElementKind>{ElementKind::Bfloat16, ElementKind::Float16});
    CHECK_THROWS_AS(test::valuesOf(dump->source(two)), Error);
    CHECK(test::valuesOf(dump->source(readAs(two, "bfloat16"))) == threeValues);
    const TensorInfo one = dump->tensors().at(dump->indexOf("/one"));
    CHECK_THAT(one.unreadable.sentence, test::containsText("(--type float8_e4m3fn)"));
    CHECK(test::valuesOf(dump->source(readAs(one, "float8_e4m3fn"))) ==
          std::vector<float>{1.0F, -1.0F});
    const TensorInfo three = dump->tensors().at(dump->indexOf("/three"));
    CHECK(three.otherTypes.empty());
    CHECK_THAT(three.unreadable.sentence, test::containsText("bytes of unknown meaning"));
}

TEST_CASE("no other type is offered for what could not be read under it either")
{
    test::H5File file;
    file.writeBytes("/empty", {0, 2}, "", {.kind = RawType::Kind::Opaque, .bytes = 2});
    file.writeBytes("/missing", {2}, "\x38\xb8", {.kind = RawType::Kind::Unsigned, .bytes = 1},
                    {.chunk = {2}, .unknownFilter = 511});
    for (const std::string path : {"/empty", "/missing"}) {
        const TensorInfo info = test::listed(file.path(), path);
        CHECK_FALSE(info.isReadable());
        CHECK(info.otherTypes.empty());
    }
    CHECK_THAT(test::listed(file.path(), "/empty").unreadable.sentence,
               test::containsText("one of its axes has length 0"));
}

TEST_CASE("integers with a quantizer's attributes are read as they are, and that is said")
{
    test::H5File file;
    file.writeBytes("/a", {2}, "\x80\x7f", {.kind = RawType::Kind::Signed, .bytes = 1});
    file.attribute("/a", "scale", 0.05);
    file.attribute("/a", "zero_point", std::int64_t{3});
    const auto dump = DumpFile::open(file.path());
    CHECK(test::valuesOf(dump->source(0)) == std::vector<float>{-128.0F, 127.0F});
    CHECK(dump->tensors()[0].otherTypes.empty());
    CHECK(dump->warnings() ==
          std::vector<std::string>{"/a: it holds already quantized integers (attributes: scale, "
                                   "zero_point), which are read as they are, not scaled back"});
}

TEST_CASE("what float32 can't hold is told before anything is read")
{
    test::H5File file;
    file.writeBytes("/double", {1}, std::string(8, '\0'),
                    {.kind = RawType::Kind::Float, .bytes = 8, .exponentBits = 11, .bias = 1023});
    file.writeBytes("/long", {1}, std::string(8, '\0'),
                    {.kind = RawType::Kind::Signed, .bytes = 8});
    file.writeBytes("/short", {1}, std::string(2, '\0'),
                    {.kind = RawType::Kind::Signed, .bytes = 2});
    CHECK_THAT(test::listed(file.path(), "/double").lossy, test::containsText("rounded"));
    CHECK(test::listed(file.path(), "/long").lossy ==
          "whole numbers beyond 16777216 are rounded to the nearest float32");
    CHECK(test::listed(file.path(), "/short").lossy.empty());
}

TEST_CASE("what h5py writes for NumPy's numbers and booleans is read as such")
{
    if (const std::string missing = test::withoutH5py(); !missing.empty()) {
        WARN(missing);
        return;
    }
    test::H5File file;
    test::runH5py(file.folder(), R"(
types = ['i1', 'i2', 'i4', 'i8', 'u1', 'u2', 'u4', 'u8', 'f2', 'f4', 'f8']
with h5py.File('dump.h5', 'w') as f:
    for order in '<>':
        for name in types:
            f[order + name] = np.array([[1, 2], [3, 100]], dtype=order + name)
    f['bools'] = np.array([True, False])
    brains = np.array([1, -2.5, 3], dtype='<f4').view('<u2')[1::2]
    f['brains'] = brains.view('V2')
    f['brains'].attrs['dtype'] = 'bfloat16'
    f['flagged'] = brains
    f['flagged'].attrs['bfloat16'] = True
    f['named'] = brains
    f['named'].attrs['dtype'] = np.bytes_('uint16')
    f['named'].attrs['torch_dtype'] = 'torch.bfloat16'
)");
    const auto dump = DumpFile::open(file.path());
    std::size_t numbers = 0;
    for (const TensorInfo& info : dump->tensors())
        if (info.shape.size() == 2) {
            CHECK(test::valuesOf(dump->source(info)) ==
                  std::vector<float>{1.0F, 2.0F, 3.0F, 100.0F});
            ++numbers;
        }
    CHECK(numbers == 22);
    CHECK(elementText(test::listed(file.path(), "/bools")) == "bool");
    CHECK_THAT(test::listed(file.path(), "/bools").unreadable.sentence,
               test::containsText("booleans"));
    for (const std::string path : {"/brains", "/flagged", "/named"})
        CHECK(test::valuesIn(file.path(), path) == std::vector<float>{1.0F, -2.5F, 3.0F});
}

}  // namespace type_facts_test
