// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/collect/collect_slice.h"

#include "core/base/error.h"
#include "core/collect/slice_plan.h"
#include "core/collect/slice_tally.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace calibscope {

namespace {

[[noreturn]] void refuse(const TensorInfo& info, const std::string& sentence)
{
    throw Error(Fault::Usage, info.path + ": " + sentence);
}

void requireSpan(const TensorInfo& info, std::uint64_t axis, std::uint64_t first,
                 std::uint64_t count)
{
    const std::uint64_t length = info.shape[axis];
    if (count == 0 || first >= length || count > length - first)
        refuse(info, "a slice of " + std::to_string(count) + " from index " +
                         std::to_string(first) + " on does not lie in axis " +
                         std::to_string(axis) + ", which has " + std::to_string(length));
}

bool isRange(const Range& range)
{
    return range.low <= range.high;  // false for NaN
}

void requireAxes(const TensorInfo& info, const SliceQuestion& question)
{
    const std::size_t axes = info.shape.size();
    if (question.columnAxis >= axes || (question.rowAxis && *question.rowAxis >= axes) ||
        question.rowAxis == question.columnAxis)
        refuse(info, "a slice needs two of its " + std::to_string(axes) + " axes, or one");
    if (question.at.size() != axes)
        refuse(info, "a slice needs an index for each of its " + std::to_string(axes) + " axes");
    for (std::size_t axis = 0; axis < axes; ++axis)
        if (axis != question.columnAxis && question.rowAxis != axis)
            requireSpan(info, axis, question.at[axis], 1);
    requireSpan(info, question.columnAxis, question.firstColumn, question.columnCount);
    if (question.rowAxis)
        requireSpan(info, *question.rowAxis, question.firstRow, question.rowCount);
    else if (question.firstRow != 0 || question.rowCount != 1)
        refuse(info, "a slice along one axis has one row");
}

void requireAdmitted(const TensorInfo& info, const SliceQuestion& question)
{
    requireAxes(info, question);
    if (question.rowStep == 0 || question.columnStep == 0)
        refuse(info, "a cell of a slice holds at least one value");
    if (question.cellRows() > mostSliceCells / question.cellColumns())
        refuse(info, "a slice has at most " + std::to_string(mostSliceCells) + " cells");
    const std::uint64_t channels = std::max<std::uint64_t>(info.channelCount(), 1);
    const std::size_t clips = question.clips.size();
    if (clips > 1 && clips != channels)
        refuse(info, "it has " + std::to_string(channels) + " channels, not " +
                         std::to_string(clips) + " clip ranges");
    if (!std::ranges::all_of(question.clips, isRange))
        refuse(info, "a clip range has its ends in the wrong order");
    if (question.marked && !isRange(question.marked->range))
        refuse(info, "a range of values to be marked has its ends in the wrong order");
}

}  // namespace

Slice collectSlice(const ValueBoxes& boxes, const SliceQuestion& question, const Progress& progress)
{
    requireAdmitted(boxes.info, question);
    const SlicePlan plan(boxes, question);
    SliceTally tally(boxes.info, plan.question(), plan.isPart());
    std::uint64_t done = 0;
    const std::uint64_t all = plan.valuesToRead();
    plan.visit([&](std::span<const SliceBlock> blocks) {
        progress.step(done, all, "values");
        std::vector<ValueBox> asked;
        for (const SliceBlock& block : blocks)
            asked.push_back(plan.boxOf(block));
        std::span<const float> values = boxes.read(asked, progress.silent());
        for (const SliceBlock& block : blocks) {
            const std::uint64_t count = block.rows * block.columns;
            tally.add(block, values.first(count));
            values = values.subspan(count);
            done += count;
        }
    });
    Slice slice = tally.finish();
    plan.describe(slice);
    return slice;
}

}  // namespace calibscope
