#include "core/protocol/wire.h"

#include "core/base/error.h"
#include "core/protocol/bounded_dom.h"

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
    BoundedDom dom;
    if (!Json::sax_parse(bytes.begin(), bytes.end(), &dom, Json::input_format_t::cbor))
        throw Error(Fault::Input, "engine message: " + dom.problem());
    return dom.take();
}

}  // namespace calibscope::protocol
