#include "core/protocol/wire.h"

#include "core/base/error.h"
#include "core/protocol/cbor_check.h"

#include <cstddef>
#include <string>

namespace calibscope::protocol {

std::string toFrame(const Json& message)
{
    std::string frame(lengthBytes, '\0');
    Json::to_cbor(message, frame);  // appends
    const std::size_t length = frame.size() - lengthBytes;
    if (length > frameLimit)
        throw Error(Fault::Input, "engine message: " + std::to_string(length) +
                                      " bytes are more than a message may have (" +
                                      std::to_string(frameLimit) +
                                      "); ask for fewer histograms or calibrators at once");
    for (std::size_t byte = 0; byte < lengthBytes; ++byte)
        frame[byte] = static_cast<char>((length >> (8 * byte)) & 0xffU);
    return frame;
}

Json parseCbor(std::string_view bytes)
{
    checkCbor(bytes);
    constexpr bool isStrict = true;
    constexpr bool throws = false;
    Json json = Json::from_cbor(bytes.begin(), bytes.end(), isStrict, throws);
    if (json.is_discarded())
        throw Error(Fault::Input, "engine message: it is damaged");
    return json;
}

}  // namespace calibscope::protocol
