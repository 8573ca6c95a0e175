#include "core/protocol/codec.h"

#include "core/protocol/codec/comparison_fields.h"
#include "core/protocol/codec/message_fields.h"
#include "core/protocol/codec/table.h"

namespace calibscope::protocol {

template <Message T>
Json encode(const T& message)
{
    return write(message);
}

template <Message T>
T decode(const Json& json)
{
    T message;
    read(json, message, Where{nullptr, "content"});
    return message;
}

template Json encode(const OpenRequest&);
template Json encode(const DumpOpened&);
template Json encode(const ViewRequest&);
template Json encode(const TensorView&);
template Json encode(const PreviewRequest&);
template Json encode(const Preview&);
template Json encode(const StripRequest&);
template Json encode(const Strip&);
template Json encode(const CompareRequest&);
template Json encode(const Compared&);

template OpenRequest decode(const Json&);
template DumpOpened decode(const Json&);
template ViewRequest decode(const Json&);
template TensorView decode(const Json&);
template PreviewRequest decode(const Json&);
template Preview decode(const Json&);
template StripRequest decode(const Json&);
template Strip decode(const Json&);
template CompareRequest decode(const Json&);
template Compared decode(const Json&);

}  // namespace calibscope::protocol
