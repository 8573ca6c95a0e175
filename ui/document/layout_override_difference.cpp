#include "ui/document/layout_override_difference.h"

namespace calibscope {

namespace {

int axisNumber(const std::optional<int>& axis)
{
    return axis.value_or(LayoutOverride::noAxis);
}

}  // namespace

LayoutOverride differenceOf(const TensorInfo& recorded, const TensorInfo& wanted)
{
    LayoutOverride said;
    if (wanted.role != recorded.role)
        said.role = wanted.role;
    if (wanted.elementType != recorded.elementType)
        said.elementType = wanted.elementType;
    if (wanted.batchAxis != recorded.batchAxis)
        said.batchAxis = axisNumber(wanted.batchAxis);
    if (wanted.channelAxis != recorded.channelAxis)
        said.channelAxis = axisNumber(wanted.channelAxis);
    // A role, or the other axis, may have moved what was not spoken of.
    const TensorInfo understood = understoodAs(recorded, said);
    if (wanted.batchAxis != understood.batchAxis)
        said.batchAxis = axisNumber(wanted.batchAxis);
    if (wanted.channelAxis != understood.channelAxis)
        said.channelAxis = axisNumber(wanted.channelAxis);
    if (wanted.batchAxis && wanted.batchSize != understoodAs(recorded, said).batchSize)
        said.batchSize = wanted.batchSize;
    return said;
}

}  // namespace calibscope
