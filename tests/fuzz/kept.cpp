// SPDX-License-Identifier: GPL-3.0-or-later
// The files of the cache, with the digest at their end mended by half: what is behind it is read as
// a profile and as an answer.
#include "core/base/digest.h"
#include "core/engine/cache_files.h"
#include "core/engine/result_cache.h"
#include "tests/fuzz/fuzz_bytes.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

using namespace calibscope;

namespace {

namespace fs = std::filesystem;

constexpr std::size_t digestBytes = 32;

/// A folder of its own that is removed at the end, with a file for one key.
class KeptFolder
{
public:
    KeptFolder() : m_folder(fs::temp_directory_path() / "calibscope-kept-XXXXXX")
    {
        std::string name = m_folder.string();
        if (::mkdtemp(name.data()) == nullptr)
            std::abort();
        m_folder = name;
        m_files.emplace(engine::CacheOptions{.folder = m_folder, .version = "fuzzed"});
        m_files->keep("key", "content");
        m_file = fs::directory_iterator(m_folder)->path();
    }
    KeptFolder(const KeptFolder&) = delete;
    KeptFolder& operator=(const KeptFolder&) = delete;
    ~KeptFolder()
    {
        std::error_code ignored;
        fs::remove_all(m_folder, ignored);
    }

    std::optional<std::string> find(const std::string& bytes)
    {
        std::ofstream(m_file, std::ios::binary) << bytes;
        return m_files->find("key");
    }

private:
    fs::path m_folder;
    fs::path m_file;
    std::optional<engine::CacheFiles> m_files;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size)
{
    static KeptFolder kept;
    fuzz::FuzzBytes input(bytes, size);
    const bool isMended = (input.number() & 1U) != 0;
    std::string file(input.rest());
    if (isMended && file.size() >= digestBytes) {
        file.resize(file.size() - digestBytes);
        file += sha256(file);
    }
    if (const std::optional<std::string> content = kept.find(file))
        static_cast<void>(engine::profileFrom(*content));
    return 0;
}
