#pragma once

#include "core/protocol/envelope.h"

#include <mutex>
#include <string_view>

namespace calibscope::engine {

/// Writes messages to a descriptor, whole ones, from any thread. A client that does not read makes
/// it wait: so nothing piles up in memory.
class FrameWriter
{
public:
    explicit FrameWriter(int descriptor) : m_descriptor(descriptor) {}

    void writePreamble();
    /// A reply that is too large for a frame is replaced by its failure. False where nobody reads
    /// any more.
    bool write(protocol::ToClient message);

private:
    bool writeAll(std::string_view bytes);

    int m_descriptor;
    std::mutex m_mutex;
};

}  // namespace calibscope::engine
