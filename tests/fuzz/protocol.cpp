// SPDX-License-Identifier: GPL-3.0-or-later
// The protocol's readers on both sides: a stream of frames, envelopes, messages; profiles as the
// cache keeps them.
#include "core/engine/result_cache.h"
#include "core/protocol/codec.h"
#include "core/protocol/envelope.h"
#include "core/protocol/frame_reader.h"
#include "tests/fuzz/fuzz_bytes.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

using namespace calibscope;

namespace {

template <typename Message>
void decodeAs(const protocol::Json& json)
{
    try {
        const auto message = protocol::decode<Message>(json);
        static_cast<void>(protocol::encode(message));
    } catch (const Error&) {
    }
}

void decodeAll(const std::string& cbor)
{
    const protocol::Json json = protocol::parseCbor(cbor);
    static_cast<void>(protocol::idOf(json));
    try {
        static_cast<void>(protocol::toEngineFromJson(json));
    } catch (const Error&) {
    }
    try {
        static_cast<void>(protocol::toClientFromJson(json));
    } catch (const Error&) {
    }
    decodeAs<protocol::OpenRequest>(json);
    decodeAs<protocol::DumpOpened>(json);
    decodeAs<protocol::ViewRequest>(json);
    decodeAs<protocol::TensorView>(json);
    decodeAs<protocol::PreviewRequest>(json);
    decodeAs<protocol::Preview>(json);
    decodeAs<protocol::Hello>(json);
    decodeAs<protocol::FolderRequest>(json);
    decodeAs<protocol::FolderPage>(json);
    decodeAs<protocol::IdentifiedFile>(json);
    decodeAs<protocol::DigestedFile>(json);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size)
{
    fuzz::FuzzBytes input(bytes, size);
    const unsigned kind = input.number() % 4U;
    try {
        if (kind == 0) {
            static_cast<void>(engine::profileFrom(input.rest()));
        } else if (kind == 1) {
            decodeAll(std::string(input.rest()));
        } else {
            protocol::FrameReader reader(kind == 2 ? protocol::FrameReader::Start::AtFrame
                                                   : protocol::FrameReader::Start::AtPreamble);
            reader.feed(input.rest());
            while (const std::optional<std::string> frame = reader.next())
                decodeAll(*frame);
        }
    } catch (const Error&) {
    }
    return 0;
}
