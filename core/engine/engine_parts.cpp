#include "core/engine/engine_parts.h"

#include "core/dump/dump_file.h"
#include "core/dump/file_check.h"
#include "core/dump/file_sha256.h"
#include "core/engine/file_state.h"

#include <utility>

namespace calibscope::engine {

EngineParts dumpFileParts(std::uint64_t memoryBytes)
{
    const auto openFile = [memoryBytes](const std::string& path, bool allowExternal,
                                        const Progress& progress) {
        // What lies in other files may change without this one.
        const std::string state = allowExternal ? std::string() : fileState(path);
        const std::shared_ptr<const DumpFile> file = DumpFile::open(
            path, {.memoryBytes = memoryBytes, .allowExternal = allowExternal}, progress);
        FileIdentity identity = file->identity();
        identity.headerSha256 = headerSha256(path);
        return std::make_shared<const OpenDump>(
            OpenDump{.identity = std::move(identity),
                     .attributes = file->attributes(),
                     .warnings = file->warnings(),
                     .rules = file->rules(),
                     .tensors = file->tensors(),
                     .source =
                         [file](const TensorInfo& understood, std::uint64_t firstBatches) {
                             return file->source(understood, firstBatches);
                         },
                     .state = fileState(path) == state ? state : std::string()});
    };
    return {.identify = checkedIdentity, .open = openFile, .analyse = analyse, .state = fileState};
}

}  // namespace calibscope::engine
