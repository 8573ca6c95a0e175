// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/methods.h"
#include "tests/support/temporary_folder.h"

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>

namespace calibscope::test {

/// The bundled sample in a folder of its own, an hour old, and how often values of it are read.
struct CountedSample
{
    CountedSample()
    {
        std::filesystem::copy_file(CALIBSCOPE_SOURCE_DIR "/resources/sample/sample.h5", path);
        makeOld();
    }

    void makeOld(int seconds = 3600) const
    {
        std::filesystem::last_write_time(path, std::filesystem::file_time_type::clock::now() -
                                                   std::chrono::seconds(seconds));
    }

    [[nodiscard]] engine::EngineParts parts()
    {
        engine::EngineParts parts = engine::dumpFileParts(memoryBytes);
        parts.open = [this, open = parts.open](const std::string& file, bool allowExternal,
                                               const Progress& progress) {
            engine::OpenDump dump = *open(file, allowExternal, progress);
            dump.source = [this, source = dump.source](const TensorInfo& info,
                                                       std::uint64_t batches) {
                ValueSource counted = source(info, batches);
                counted.visit = [this, visit = counted.visit](const BlockVisitor& visitor,
                                                              const Progress& ofVisit) {
                    ++passes;
                    visit(visitor, ofVisit);
                };
                return counted;
            };
            return std::make_shared<const engine::OpenDump>(std::move(dump));
        };
        return parts;
    }

    [[nodiscard]] engine::CacheOptions cache(const std::string& version = "1") const
    {
        return {.folder = folder.path() / "cache", .version = version};
    }
    [[nodiscard]] engine::Methods methods() { return {parts(), memoryBytes}; }
    [[nodiscard]] engine::Methods cachingMethods(const std::string& version = "1")
    {
        return {parts(), memoryBytes, cache(version)};
    }

    static constexpr std::uint64_t memoryBytes = std::uint64_t{64} << 20;
    TemporaryFolder folder;
    std::string path = folder.file("sample.h5");
    int passes = 0;
};

}  // namespace calibscope::test
