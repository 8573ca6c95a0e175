#include "core/tensor/understanding.h"

#include "core/base/error.h"

#include <algorithm>
#include <string_view>

namespace calibscope {

namespace {

std::optional<int> checkedAxis(const TensorInfo& tensor, int axis)
{
    if (axis == Understanding::noAxis)
        return std::nullopt;
    if (axis < 0 || axis >= std::ssize(tensor.shape))
        throw Error(Fault::Usage, tensor.name + ": there is no axis " + std::to_string(axis) +
                                      "; its shape is " + shapeText(tensor.shape));
    return axis;
}

void readAs(TensorInfo& tensor, const std::string& elementType)
{
    if (elementType == tensor.elementType)
        return;
    const auto found = std::ranges::find(tensor.otherTypes, elementType);
    if (found == tensor.otherTypes.end()) {
        std::string types = tensor.elementType;
        for (const std::string& type : tensor.otherTypes)
            types += ", " + type;
        throw Error(Fault::Usage, tensor.name + ": its elements cannot be read as " + elementType +
                                      ", only as " + types);
    }
    if (tensor.storedType.empty())
        tensor.storedType = tensor.elementType;
    std::swap(*found, tensor.elementType);
    // Another reason would have left no other types.
    tensor.unreadable.clear();
    tensor.lossy.clear();
}

void setAxes(TensorInfo& tensor, const Understanding& understanding)
{
    if (understanding.channelAxis)
        tensor.channelAxis = checkedAxis(tensor, *understanding.channelAxis);
    if (understanding.batchAxis)
        tensor.batchAxis = checkedAxis(tensor, *understanding.batchAxis);
    else if (tensor.role == Role::Weight && understanding.role)
        tensor.batchAxis.reset();
    if (understanding.batchSize) {
        tensor.batchSize = *understanding.batchSize;
        if (!tensor.batchAxis && !tensor.shape.empty())
            tensor.batchAxis = 0;
    }
    if (!tensor.batchAxis)
        tensor.batchSize = 0;
    if (!tensor.batchAxis || tensor.batchAxis != tensor.channelAxis)
        return;
    if (understanding.batchAxis && understanding.channelAxis)
        throw Error(Fault::Usage, tensor.name + ": axis " + std::to_string(*tensor.batchAxis) +
                                      " cannot be both the batch axis and the channel axis");
    (understanding.channelAxis ? tensor.batchAxis : tensor.channelAxis).reset();
}

}  // namespace

TensorInfo understoodAs(TensorInfo tensor, const Understanding& understanding)
{
    if (understanding.isEmpty())
        return tensor;
    if (understanding.role)
        tensor.role = *understanding.role;
    setAxes(tensor, understanding);
    if (understanding.elementType)
        readAs(tensor, *understanding.elementType);
    tensor.isGuess = false;
    return tensor;
}

bool isLike(const TensorInfo& tensor, const TensorInfo& other)
{
    const auto stored = [](const TensorInfo& info) {
        return info.storedType.empty() ? info.elementType : info.storedType;
    };
    return tensor.layoutRule == other.layoutRule && tensor.role == other.role &&
           tensor.shape.size() == other.shape.size() && tensor.op == other.op &&
           stored(tensor) == stored(other);
}

}  // namespace calibscope
