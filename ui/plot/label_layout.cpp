#include "ui/plot/label_layout.h"

#include <algorithm>

namespace calibscope {

namespace {

struct Box
{
    double line = 0.0;
    Range span;  ///< of the label along x
    bool isRightOfLine = false;
    int row = -1;  ///< not placed yet
};

bool overlap(const Range& one, const Range& other)
{
    return one.low < other.high && other.low < one.high;
}

bool isCrossed(const Box& label, double line)
{
    constexpr double touching = 1e-6;  // rounding of an edge that lies on the line
    return line > label.span.low + touching && line < label.span.high - touching;
}

Range keptInside(Range span, const Range& bounds)
{
    const double shift = std::max(bounds.low - span.low, std::min(bounds.high - span.high, 0.0));
    return {span.low + shift, span.high + shift};
}

Box boxOf(const LineLabel& label, bool isRightOfLine, const Range& bounds)
{
    const double low = isRightOfLine ? label.line : label.line - label.width;
    return {label.line, keptInside({low, low + label.width}, bounds), isRightOfLine, -1};
}

/// Left of the line but where the room is too small, and where the label and one that had to go to
/// the right would cover each other's lines: those cross whatever their rows.
std::vector<Box> chooseSides(std::span<const LineLabel> labels, const Range& bounds)
{
    std::vector<Box> boxes;
    for (const LineLabel& label : labels)
        boxes.push_back(boxOf(label, label.line - label.width < bounds.low, bounds));
    for (bool hasChanged = true; hasChanged;) {
        hasChanged = false;
        for (std::size_t index = 0; index < boxes.size(); ++index) {
            const bool isTangled = std::ranges::any_of(boxes, [&](const Box& other) {
                return other.isRightOfLine && isCrossed(boxes[index], other.line) &&
                       isCrossed(other, boxes[index].line);
            });
            const bool fits = labels[index].line + labels[index].width <= bounds.high;
            if (!boxes[index].isRightOfLine && isTangled && fits) {
                boxes[index] = boxOf(labels[index], true, bounds);
                hasChanged = true;
            }
        }
    }
    return boxes;
}

bool fitsInRow(const Box& label, int row, std::span<const Box> boxes, bool mayCross)
{
    return std::ranges::none_of(boxes, [&](const Box& other) {
        if (other.row < 0)
            return false;
        if (other.row == row && overlap(label.span, other.span))
            return true;
        if (mayCross)
            return false;
        return (other.row >= row && isCrossed(label, other.line)) ||
               (other.row <= row && isCrossed(other, label.line));
    });
}

int freeRow(const Box& label, std::span<const Box> boxes)
{
    const int rows = static_cast<int>(boxes.size());
    for (const bool mayCross : {false, true})
        for (int row = 0; row < rows; ++row)
            if (fitsInRow(label, row, boxes, mayCross))
                return row;
    return rows - 1;  // n labels never fill n rows: not reached
}

/// The label with the fewest unplaced lines under it: once those have their rows, it goes above
/// them. Requires one that is not placed.
Box& nextToPlace(std::vector<Box>& boxes)
{
    const auto waitsFor = [&](const Box& box) {
        return std::ranges::count_if(boxes, [&](const Box& other) {
            return other.row < 0 && &other != &box && isCrossed(box, other.line);
        });
    };
    Box* next = nullptr;
    for (Box& box : boxes)
        if (box.row < 0 && (!next || waitsFor(box) < waitsFor(*next)))
            next = &box;
    return *next;
}

}  // namespace

std::vector<PlacedLabel> staggerLabels(std::span<const LineLabel> labels, const Range& bounds)
{
    std::vector<Box> boxes = chooseSides(labels, bounds);
    for (std::size_t placed = 0; placed < boxes.size(); ++placed) {
        Box& next = nextToPlace(boxes);
        next.row = freeRow(next, boxes);
    }
    std::vector<PlacedLabel> places;
    for (const Box& box : boxes)
        places.push_back({box.span.low, box.row});
    return places;
}

int rowCount(std::span<const PlacedLabel> places)
{
    int rows = 0;
    for (const PlacedLabel& place : places)
        rows = std::max(rows, place.row + 1);
    return rows;
}

std::vector<bool> withoutOverlaps(std::span<const double> centres, std::span<const double> sizes,
                                  std::span<const std::size_t> priority, double gap)
{
    std::vector<bool> stays(centres.size(), false);
    const auto spanOf = [&](std::size_t label) {
        return Range{centres[label] - sizes[label] / 2.0 - gap / 2.0,
                     centres[label] + sizes[label] / 2.0 + gap / 2.0};
    };
    for (const std::size_t label : priority) {
        bool isFree = true;
        for (std::size_t other = 0; other < stays.size() && isFree; ++other)
            isFree = !stays[other] || !overlap(spanOf(label), spanOf(other));
        stays[label] = isFree;
    }
    return stays;
}

}  // namespace calibscope
