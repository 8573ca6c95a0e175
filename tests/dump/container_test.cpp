// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/container.h"

#include "core/tensor/container_kind.h"
#include "tests/support/catch.h"

#include <algorithm>

namespace container_test {

using namespace calibscope;

TEST_CASE("each container format has a kind, with a title and patterns for dialogs")
{
    CHECK(containerFormats().size() == containerKinds.size());
    for (const ContainerFormat& format : containerFormats())
        CHECK(std::ranges::count(containerKinds, format.id, &ContainerKind::id) == 1);
    CHECK(containerPatterns().starts_with("*.h5 *.hdf5 "));
    CHECK(containerTitles().starts_with("an HDF5 file"));
}

TEST_CASE("a container is recognised by its first bytes")
{
    REQUIRE(containerFormat("\x89HDF\r\n\x1a\n", "a.bin") != nullptr);
    CHECK(containerFormat("\x89HDF\r\n\x1a\n", "a.onnx")->id == "hdf5");
    CHECK(containerFormat("\x08\x07\x12", "a.bin")->id == "onnx-model");
    using namespace std::string_view_literals;
    CHECK(containerFormat("\x40\0\0\0\0\0\0\0{\"a\":"sv, "a.bin")->id == "safetensors");
    CHECK(containerFormat("\x40\0\0\0\0\0\0\1{\"a\":"sv, "a.safetensors") == nullptr);
    CHECK(containerFormat("GGUF\3\0\0\0", "a.bin")->id == "gguf");
    CHECK(containerFormat("plain text", "a.h5") == nullptr);
}

}  // namespace container_test
