#include "core/dump/other_formats.h"

#include "tests/support/catch.h"

#include <string>

using namespace calibscope;
using namespace std::string_literals;

TEST_CASE("a file that is not HDF5 is called what it is")
{
    const auto says = [](const std::string& bytes, const std::string& path,
                         const std::string& what) {
        CHECK_THAT(otherFormat(bytes, path), test::containsText(what));
    };
    says("", "a.h5", "an empty file; record it again");
    says("PK\x03\x04"s + std::string(26, '\0') + "conv1.npy", "a.npz", "NumPy archive (.npz)");
    says("PK\x03\x04"s + std::string(26, '\0') + "archive/data.pkl", "a.h5", "PyTorch archive");
    says("PK\x03\x04"s + std::string(26, '\0') + "metadata.json", "m.keras", "model.weights.h5");
    says("PK\x03\x04"s + std::string(26, '\0') + "a.txt", "a.zip", "a zip archive; unpack it");
    says("\x93NUMPY\x01\0"s, "a.npy", "a NumPy array (.npy); write the arrays");
    says("\x80\x04\x95"s, "a.pkl", "a Python pickle");
    says("\x08\x07\x12\x07pytorch"s, "a.h5", "an ONNX model; a model holds no activations");
    says("\x08\x07:\x01"s, "a.onnx", "an ONNX model");
    says("\x40\0\0\0\0\0\0\0{\"a\":"s, "a.safetensors", "a safetensors file");
    says("\x1c\0\0\0TFL3"s, "a.tflite", "a TensorFlow Lite model");
    says("GGUF\x03\0\0\0"s, "a.gguf", "a GGUF model");
    says("CDF\x01\0"s, "a.nc", "classic netCDF");
    says("\x1f\x8b\x08\0"s, "a.h5.gz", "compressed with gzip as a whole; unpack it first");
    says("version https://git-lfs.github.com/spec/v1\noid sha256:0", "a.h5",
         "a Git LFS pointer, not the file itself; fetch it with git lfs pull");
    says("{\"lst\": []}", "a.json", "a JSON text");
    says("name,scale\n", "a.csv", "a text file");
    says("name,skala\xc3\xa4\n", "a.csv", "a text file");
    says(std::string(4096, '\0'), "a.h5", "begins with zero bytes");
    says("\x7f"s + "ELF\x02\x01\x01\0\0"s, "calib", "a binary file of another kind");
}

TEST_CASE("a name alone makes no format of other bytes")
{
    CHECK_THAT(otherFormat("plain text", "a.keras"), test::containsText("a text file"));
    CHECK_THAT(otherFormat("plain text", "a.onnx"), test::containsText("a text file"));
}
