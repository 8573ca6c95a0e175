#include "ui/plot/zoom_range.h"

#include <algorithm>
#include <cmath>

namespace calibscope {

namespace {

constexpr double leastShare = 1e-6;

double placeOf(ScaleKind kind, double value)
{
    return kind == ScaleKind::Log ? std::log10(value) : value;
}

double valueAt(ScaleKind kind, double place)
{
    return kind == ScaleKind::Log ? std::pow(10.0, place) : place;
}

Range placesOf(ScaleKind kind, const Range& values)
{
    return {placeOf(kind, values.low), placeOf(kind, values.high)};
}

/// Values of places inside `full`; an end of `full` is that very number.
Range valuesInside(ScaleKind kind, const Range& places, const Range& full)
{
    const Range ends = placesOf(kind, full);
    const double width = places.width();
    if (width >= ends.width())
        return full;
    const double low = std::clamp(places.low, ends.low, ends.high - width);
    return {low <= ends.low ? full.low : valueAt(kind, low),
            low >= ends.high - width ? full.high : valueAt(kind, low + width)};
}

}  // namespace

Range zoomedRange(ScaleKind kind, const Range& shown, const Range& full, double centre,
                  double factor)
{
    const Range places = placesOf(kind, shown);
    const double fullWidth = placesOf(kind, full).width();
    const double width = std::clamp(places.width() * factor, fullWidth * leastShare, fullWidth);
    const double middle = placeOf(kind, centre);
    const double low = middle - (middle - places.low) / places.width() * width;
    return valuesInside(kind, {low, low + width}, full);
}

Range movedRange(ScaleKind kind, const Range& shown, const Range& full, double share)
{
    const Range places = placesOf(kind, shown);
    const double distance = share * places.width();
    return valuesInside(kind, {places.low + distance, places.high + distance}, full);
}

Range rangeInside(ScaleKind kind, const Range& range, const Range& full)
{
    if (full.contains(range.low) && full.contains(range.high))
        return range;
    return valuesInside(kind, placesOf(kind, range), full);
}

}  // namespace calibscope
