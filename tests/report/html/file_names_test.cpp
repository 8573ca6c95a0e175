#include "core/report/html/file_names.h"

#include "tests/support/catch.h"

using namespace calibscope;

TEST_CASE("names of tensors become names that every file system takes")
{
    FileNames names;
    CHECK(names.next("layer1.0.conv2") == "layer1.0.conv2");
    CHECK(names.next("conv1/kernel:0") == "conv1_kernel_0");
    CHECK(names.next("a b[2]\"<>|*?") == "a_b_2_______");
    CHECK(names.next("../../etc/passwd") == "_.._.._etc_passwd");
    CHECK(names.next("") == "_");
    CHECK(names.next("-o") == "_-o");
    CHECK(names.next("caf\xc3\xa9\n") == "caf___");
}

TEST_CASE("every name is given once, also where case alone differs")
{
    FileNames names;
    CHECK(names.next("conv") == "conv");
    CHECK(names.next("conv") == "conv-2");
    CHECK(names.next("Conv") == "Conv-3");
    CHECK(names.next("conv-2") == "conv-2-2");
}

TEST_CASE("long names are cut and still differ")
{
    FileNames names;
    const std::string first = names.next(std::string(300, 'a') + "1");
    const std::string second = names.next(std::string(300, 'a') + "2");
    CHECK(first.size() == 100);
    CHECK(second == first + "-2");
}
