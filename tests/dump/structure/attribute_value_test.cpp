// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/dump/structure/check_structure.h"
#include "tests/support/catch.h"
#include "tests/support/h5py.h"

#include <cstdint>
#include <set>
#include <string>
#include <variant>
#include <vector>

namespace attribute_value_test {

using namespace calibscope;
using Numbers = std::vector<std::int64_t>;
using Texts = std::vector<std::string>;

const std::vector<std::string> versions = {"earliest", "v110"};

/// What the structure tells of a file with `f` open for writing in the lines of Python.
structure::PlainDatasets plainIn(const std::string& lines, const std::string& version)
{
    const test::TemporaryFolder folder;
    test::runH5py(folder, "with h5py.File('a.h5', 'w', libver=('" + version +
                              "', 'v110')) as f:\n" + lines);
    return structure::checkStructure(folder.file("a.h5")).plain;
}

/// The attributes of a dataset that Python gives them; the structure must tell all.
Attributes attributesBy(const std::string& lines, const std::string& version)
{
    const structure::PlainDatasets found = plainIn(
        "    a = f.create_dataset('a', data=np.ones((2, 3), 'f4')).attrs\n" + lines, version);
    REQUIRE(found.size() == 1);
    CHECK(found.begin()->second.shape == std::vector<std::uint64_t>{2, 3});
    return found.begin()->second.attributes;
}

TEST_CASE("attributes have the values that Python gave them")
{
    if (!test::withoutH5py().empty()) {
        WARN(test::withoutH5py());
        return;
    }
    for (const std::string& version : versions) {
        INFO(version);
        CHECK(attributesBy("    a['int8'] = np.int8(-7)\n"
                           "    a['uint16'] = np.uint16(65535)\n"
                           "    a['int64'] = np.int64(-2**63)\n"
                           "    a['beyond'] = np.uint64(2**63)\n"
                           "    a['whole'] = np.array([3], 'i4')\n"
                           "    a['list'] = np.array([1, -2, 3], 'i2')\n"
                           "    a['float32'] = np.float32(-1.25)\n"
                           "    a['float64'] = 0.1\n"
                           "    a['floats'] = np.array([0.5, 1.5])\n",
                           version) == Attributes{{"int8", std::int64_t{-7}},
                                                  {"uint16", std::int64_t{65535}},
                                                  {"int64", INT64_MIN},
                                                  {"beyond", INT64_MAX},  // as the library clips it
                                                  {"whole", std::int64_t{3}},
                                                  {"list", Numbers{1, -2, 3}},
                                                  {"float32", -1.25},
                                                  {"float64", 0.1},
                                                  {"floats", std::monostate()}});
        CHECK(attributesBy("    a['text'] = 'K\\u00e4se'\n"
                           "    a['none'] = ''\n"
                           "    a['fixed'] = np.bytes_(b'abc')\n"
                           "    a['texts'] = ['a', '', 'bc']\n"
                           "    a['fixed texts'] = np.array([b'ab ', b'c'], 'S4')\n",
                           version) == Attributes{{"text", std::string("K\xc3\xa4se")},
                                                  {"none", std::string()},
                                                  {"fixed", std::string("abc")},
                                                  {"texts", Texts{"a", "", "bc"}},
                                                  {"fixed texts", Texts{"ab ", "c"}}});
        CHECK(
            attributesBy("    for i in range(20):\n        a[f'k{i}'] = i\n", version).at("k19") ==
            AttributeValue(std::int64_t{19}));
    }
}

TEST_CASE("with an attribute of another kind the library is asked")
{
    if (!test::withoutH5py().empty()) {
        WARN(test::withoutH5py());
        return;
    }
    const std::string begin =
        "    a = f.create_dataset('a', data=np.ones(3, 'f4')).attrs\n    a['b'] = ";
    CHECK(plainIn(begin + "1\n", "earliest").size() == 1);
    for (const char* value :
         {"np.float16(1)", "np.array(1, '>i4')", "np.array(1, '>f4')", "True", "h5py.Empty('f')",
          "np.array([], 'i4')", "f.ref", "np.array((1, 2), dtype='i4,i4')"}) {
        INFO(value);
        CHECK(plainIn(begin + value + "\n", "earliest").empty());
    }
}

TEST_CASE("only numbers that lie in one piece as they are need no library")
{
    if (!test::withoutH5py().empty()) {
        WARN(test::withoutH5py());
        return;
    }
    for (const std::string& version : versions)
        for (const char* unusual :
             {"f.create_dataset('a', data=np.ones(4, 'f4'), chunks=(2,))",
              "f.create_dataset('a', data=np.ones(4, 'f4'), compression='gzip')",
              "f.create_dataset('a', data=np.ones(4, 'f4'), fillvalue=2)",
              "f.create_dataset('a', shape=(4,), dtype='f4')",
              "f.create_dataset('a', shape=(0, 4), dtype='f4')", "f.create_dataset('a', data=1.5)",
              "f.create_dataset('a', data=[True, False])", "f.create_dataset('a', data=['x', 'y'])",
              "f.create_dataset('a', data=np.ones(4, 'i4,f4'))",
              "f['t'] = np.dtype('f4'); f.create_dataset('a', data=np.ones(4, 'f4'), dtype=f['t'])",
              "f.create_dataset('a', (4,), 'f4', external=[('raw', 0, 16)])"}) {
            INFO(version << ": " << unusual);
            CHECK(plainIn(std::string("    ") + unusual + "\n", version).empty());
        }
}

}  // namespace attribute_value_test
