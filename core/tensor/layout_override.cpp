// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/layout_override.h"

#include "core/base/error.h"

#include <algorithm>
#include <string_view>

namespace calibscope {

namespace {

std::optional<int> checkedAxis(const TensorInfo& tensor, int axis)
{
    if (axis == LayoutOverride::noAxis)
        return std::nullopt;
    if (axis < 0 || axis >= std::ssize(tensor.shape))
        throw Error(Fault::Usage, tensor.name + ": there is no axis " + std::to_string(axis) +
                                      "; its shape is " + shapeText(tensor.shape));
    return axis;
}

void readAs(TensorInfo& tensor, ElementKind elementType)
{
    if (elementType == tensor.elementType)
        return;
    const auto found = std::ranges::find(tensor.otherTypes, elementType);
    if (found == tensor.otherTypes.end()) {
        std::string types = elementText(tensor);
        for (const ElementKind type : tensor.otherTypes)
            types += ", " + std::string(elementText(type));
        throw Error(Fault::Usage, tensor.name + ": its elements cannot be read as " +
                                      std::string(elementText(elementType)) + ", only as " + types);
    }
    tensor.storedType = storedTypeText(tensor);
    if (tensor.elementType)
        *found = *tensor.elementType;
    else
        tensor.otherTypes.erase(found);
    tensor.elementType = elementType;
    // Another reason would have left no other types.
    tensor.unreadable = {};
    tensor.lossy.clear();
}

void setAxes(TensorInfo& tensor, const LayoutOverride& layoutOverride)
{
    if (layoutOverride.channelAxis)
        tensor.channelAxis = checkedAxis(tensor, *layoutOverride.channelAxis);
    if (layoutOverride.batchAxis)
        tensor.batchAxis = checkedAxis(tensor, *layoutOverride.batchAxis);
    else if ((tensor.role == Role::Weight || tensor.role == Role::Bias) && layoutOverride.role)
        tensor.batchAxis.reset();
    if (layoutOverride.batchSize) {
        tensor.batchSize = *layoutOverride.batchSize;
        if (!tensor.batchAxis && !tensor.shape.empty())
            tensor.batchAxis = 0;
    }
    if (!tensor.batchAxis)
        tensor.batchSize = 0;
    if (!tensor.batchAxis || tensor.batchAxis != tensor.channelAxis)
        return;
    if (layoutOverride.batchAxis && layoutOverride.channelAxis)
        throw Error(Fault::Usage, tensor.name + ": axis " + std::to_string(*tensor.batchAxis) +
                                      " cannot be both the batch axis and the channel axis");
    (layoutOverride.channelAxis ? tensor.batchAxis : tensor.channelAxis).reset();
}

}  // namespace

TensorInfo understoodAs(TensorInfo tensor, const LayoutOverride& layoutOverride)
{
    if (layoutOverride.isEmpty())
        return tensor;
    if (layoutOverride.role)
        tensor.role = *layoutOverride.role;
    setAxes(tensor, layoutOverride);
    if (layoutOverride.elementType)
        readAs(tensor, *layoutOverride.elementType);
    tensor.isGuess = false;
    return tensor;
}

bool isLike(const TensorInfo& tensor, const TensorInfo& other)
{
    return tensor.layoutRule == other.layoutRule && tensor.role == other.role &&
           tensor.shape.size() == other.shape.size() && tensor.op == other.op &&
           storedTypeText(tensor) == storedTypeText(other);
}

}  // namespace calibscope
