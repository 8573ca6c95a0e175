// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/spread/ranks.h"

#include "core/base/error.h"

namespace calibscope::spread {

namespace {

constexpr std::size_t lengthBytes = 8;

}  // namespace

std::string packed(std::span<const std::string> texts)
{
    std::string bytes;
    for (const std::string& text : texts) {
        for (std::size_t byte = 0; byte < lengthBytes; ++byte)
            bytes += static_cast<char>(static_cast<std::uint64_t>(text.size()) >> (8 * byte));
        bytes += text;
    }
    return bytes;
}

std::vector<std::string> unpacked(std::string_view bytes)
{
    const auto fail = [] { throw Error(Fault::Input, "a message of another rank is damaged"); };
    std::vector<std::string> texts;
    while (!bytes.empty()) {
        if (bytes.size() < lengthBytes)
            fail();
        std::uint64_t length = 0;
        for (std::size_t byte = lengthBytes; byte-- > 0;)
            length = (length << 8U) | static_cast<unsigned char>(bytes[byte]);
        bytes.remove_prefix(lengthBytes);
        if (length > bytes.size())
            fail();
        texts.emplace_back(bytes.substr(0, length));
        bytes.remove_prefix(length);
    }
    return texts;
}

}  // namespace calibscope::spread
