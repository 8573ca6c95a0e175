#include "core/dump/other_formats.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace calibscope {

namespace {

using namespace std::string_view_literals;

constexpr std::string_view toHdf5 = "write the arrays into an HDF5 file, with h5py: "
                                    "file.create_dataset(name, data=array) for each";
constexpr std::string_view runModel = "a model holds no activations: run it, and write its weights "
                                      "and recorded activations into an HDF5 file with h5py";
constexpr std::string_view unpack = "unpack it first";

struct Signature
{
    std::size_t offset;
    std::string_view bytes;
    std::string_view what;
    std::string_view remedy;
};

constexpr std::array signatures{
    Signature{0, "\x93NUMPY"sv, "a NumPy array (.npy)", toHdf5},
    Signature{0, "\x0e\x03\x13\x01"sv, "an HDF4 file", "convert it with h4toh5"},
    Signature{0, "CDF\x01"sv, "a classic netCDF file", "convert it with nccopy -k netCDF-4"},
    Signature{0, "CDF\x02"sv, "a classic netCDF file", "convert it with nccopy -k netCDF-4"},
    Signature{0, "GGUF"sv, "a GGUF model", runModel},
    Signature{4, "TFL3"sv, "a TensorFlow Lite model", runModel},
    Signature{8, R"({")"sv, "a safetensors file", toHdf5},
    Signature{0, "\x80\x02"sv, "a Python pickle, perhaps of PyTorch", toHdf5},
    Signature{0, "\x80\x03"sv, "a Python pickle, perhaps of PyTorch", toHdf5},
    Signature{0, "\x80\x04"sv, "a Python pickle", toHdf5},
    Signature{0, "\x80\x05"sv, "a Python pickle", toHdf5},
    Signature{0, "\x1f\x8b"sv, "compressed with gzip as a whole", unpack},
    Signature{0, "\x28\xb5\x2f\xfd"sv, "compressed with zstd as a whole", unpack},
    Signature{0,
              "\xfd"
              "7zXZ"sv,
              "compressed with xz as a whole", unpack},
    Signature{0, "BZh"sv, "compressed with bzip2 as a whole", unpack},
    Signature{257, "ustar"sv, "a tar archive", unpack},
    Signature{0, "version https://git-lfs"sv, "a Git LFS pointer, not the file itself",
              "fetch it with git lfs pull"},
};

bool hasAt(std::string_view text, std::size_t offset, std::string_view part)
{
    return text.size() >= offset && text.substr(offset).starts_with(part);
}

bool mentions(std::string_view text, std::string_view part)
{
    return text.find(part) != std::string_view::npos;
}

std::string sentence(std::string_view what, std::string_view remedy)
{
    return std::string(what) + "; " + std::string(remedy);
}

/// Zip archives differ by their members' names, of which the first stands at byte 30.
std::string zipFormat(std::string_view firstBytes, std::string_view path)
{
    if (path.ends_with(".keras") || mentions(firstBytes, "model.weights.h5"))
        return sentence("a Keras 3 archive (.keras)",
                        "unpack it (it is a zip file) and open model.weights.h5 from it, or save "
                        "with model.save_weights(\"model.weights.h5\")");
    if (mentions(firstBytes, "data.pkl") || path.ends_with(".pt") || path.ends_with(".pth"))
        return sentence("a PyTorch archive", toHdf5);
    if (mentions(firstBytes, ".npy") || path.ends_with(".npz"))
        return sentence("a NumPy archive (.npz)", toHdf5);
    return sentence("a zip archive", unpack);
}

/// Protocol buffers have no signature: an ONNX model begins with field 1 (its IR version), then the
/// name of its producer or another field of low number.
bool looksLikeOnnx(std::string_view firstBytes, std::string_view path)
{
    return hasAt(firstBytes, 0, "\x08") &&
           (path.ends_with(".onnx") || hasAt(firstBytes, 2, "\x12") ||
            hasAt(firstBytes, 2, "\x1a"));
}

bool isText(std::string_view firstBytes)
{
    return std::ranges::none_of(firstBytes, [](unsigned char byte) {
        return (byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r') || byte == 0x7f;
    });
}

}  // namespace

std::string otherFormat(std::string_view firstBytes, std::string_view path)
{
    if (firstBytes.empty())
        return sentence("an empty file", "record it again");
    if (firstBytes.starts_with("PK\x03\x04"))
        return zipFormat(firstBytes, path);
    for (const Signature& signature : signatures)
        if (hasAt(firstBytes, signature.offset, signature.bytes))
            return sentence(signature.what, signature.remedy);
    if (looksLikeOnnx(firstBytes, path))
        return sentence("an ONNX model", runModel);
    if (firstBytes.find_first_not_of('\0') == std::string_view::npos)
        return sentence("a file that begins with zero bytes",
                        "it may be a failed copy: copy it again");
    if (isText(firstBytes))
        return sentence(firstBytes.front() == '{' || firstBytes.front() == '[' ? "a JSON text"
                                                                               : "a text file",
                        toHdf5);
    return sentence("a binary file of another kind", toHdf5);
}

}  // namespace calibscope
