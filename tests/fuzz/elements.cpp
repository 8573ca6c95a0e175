// SPDX-License-Identifier: GPL-3.0-or-later
// Elements of every kind and in both orders of bytes, as values: what is told to be lost is what
// was.
#include "core/dump/element_decoder.h"
#include "tests/fuzz/fuzz_bytes.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

using namespace calibscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size)
{
    fuzz::FuzzBytes input(bytes, size);
    const std::span<const ElementKind> kinds = elementKinds();
    const ElementType type{.kind = kinds[input.number() % kinds.size()],
                           .isBigEndian = (input.number() & 1U) != 0};
    const std::span<const std::byte> rest = input.restBytes();
    const std::span<const std::byte> whole = rest.first(rest.size() / type.bytes() * type.bytes());
    ElementDecoder decoder(type);
    const std::span<const float> values = decoder.decode(whole);
    if (values.size() * type.bytes() != whole.size())
        std::abort();
    std::size_t next = 0;
    for (const LostValue& lost : decoder.lost()) {
        if (lost.place < next || lost.place >= values.size() || type.loss().empty())
            std::abort();
        next = lost.place + 1;
    }
    return 0;
}
