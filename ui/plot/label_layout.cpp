// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/label_layout.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace calibscope {

namespace {

constexpr double leaderGap = 6.0;  // between the leader lines of a group
constexpr double groupGap = 10.0;  // between groups
constexpr double nearLine = 40.0;  // a label so near to its line needs no further row

bool overlap(const Range& one, const Range& other)
{
    return one.low < other.high && other.low < one.high;
}

/// Labels one below the other, the one of the leftmost line on top.
struct Group
{
    std::span<const std::size_t> labels;
    double width = 0.0;   ///< with the gap behind it
    double wanted = 0.0;  ///< left end where the leader lines would be as straight as can be
    double left = 0.0;
};

Group groupOf(std::span<const LineLabel> labels, std::span<const std::size_t> chosen)
{
    Group group{.labels = chosen};
    for (std::size_t index = 0; index < chosen.size(); ++index) {
        const LineLabel& label = labels[chosen[index]];
        const double shift = static_cast<double>(index) * leaderGap;
        group.width = std::max(group.width, label.width);
        group.wanted += (label.line - shift) / static_cast<double>(chosen.size());
    }
    group.width += static_cast<double>(chosen.size() - 1) * leaderGap + groupGap;
    return group;
}

/// Groups that pushed one another: they stand close together.
struct Cluster
{
    std::size_t first = 0;
    double sum = 0.0;  ///< of the left ends that the groups want the cluster to have
    double count = 0.0;
    double width = 0.0;

    [[nodiscard]] double left(const Range& bounds) const
    {
        return std::clamp(sum / count, bounds.low, std::max(bounds.low, bounds.high - width));
    }
};

/// Gives each group its left end: none overlaps another, and the squares of what they are moved by
/// add up to the least (pool adjacent violators).
void spreadGroups(std::vector<Group>& groups, const Range& bounds)
{
    std::vector<Cluster> clusters;
    for (std::size_t index = 0; index < groups.size(); ++index) {
        Cluster last{index, groups[index].wanted, 1.0, groups[index].width};
        while (!clusters.empty() &&
               clusters.back().left(bounds) + clusters.back().width > last.left(bounds)) {
            const Cluster& before = clusters.back();
            last = {before.first, before.sum + last.sum - last.count * before.width,
                    before.count + last.count, before.width + last.width};
            clusters.pop_back();
        }
        clusters.push_back(last);
    }
    for (std::size_t cluster = 0; cluster < clusters.size(); ++cluster) {
        const std::size_t end =
            cluster + 1 < clusters.size() ? clusters[cluster + 1].first : groups.size();
        double left = clusters[cluster].left(bounds);
        for (std::size_t index = clusters[cluster].first; index < end; ++index) {
            groups[index].left = left;
            left += groups[index].width;
        }
    }
}

/// Returns the sum of the squares of what the leader lines are moved by.
double alignGroup(const Group& group, std::span<const LineLabel> labels, bool isMirrored,
                  std::vector<PlacedLabel>& places)
{
    const std::size_t count = group.labels.size();
    double squares = 0.0;
    for (std::size_t index = 0; index < count; ++index) {
        const LineLabel& label = labels[group.labels[index]];
        const double left = group.left + static_cast<double>(index) * leaderGap;
        const double right = group.left + group.width - groupGap -
                             static_cast<double>(count - 1 - index) * leaderGap;
        PlacedLabel& placed = places[group.labels[index]];
        placed = isMirrored ? PlacedLabel{right - label.width, right, static_cast<int>(index)}
                            : PlacedLabel{left, left, static_cast<int>(count - 1 - index)};
        squares += (placed.leader - label.line) * (placed.leader - label.line);
    }
    return squares;
}

/// Labels placed in groups.
struct Placing
{
    std::vector<std::size_t> sizes;  ///< of the groups, from the left
    std::vector<PlacedLabel> places;
    double excess = 0.0;   ///< width that the bounds do not have
    double squares = 0.0;  ///< of what the leader lines are moved by, added up

    [[nodiscard]] bool isBetterThan(const Placing& other) const
    {
        return std::pair(excess, squares) < std::pair(other.excess, other.squares);
    }
};

/// `order`: the labels by their lines, from the left.
Placing placingOf(std::vector<std::size_t> sizes, std::span<const LineLabel> labels,
                  std::span<const std::size_t> order, const Range& bounds)
{
    Placing placing{.sizes = std::move(sizes), .places = std::vector<PlacedLabel>(labels.size())};
    std::vector<Group> groups;
    double width = -groupGap;
    for (const std::size_t size : placing.sizes) {
        groups.push_back(groupOf(labels, order.first(size)));
        order = order.subspan(size);
        width += groups.back().width;
    }
    placing.excess = std::max(width - bounds.width(), 0.0);
    spreadGroups(groups, {bounds.low, bounds.high + groupGap});
    for (const Group& group : groups) {
        const double mirrored = alignGroup(group, labels, true, placing.places);
        const double plain = alignGroup(group, labels, false, placing.places);
        placing.squares +=
            mirrored < plain ? alignGroup(group, labels, true, placing.places) : plain;
    }
    return placing;
}

/// From each label alone on, the two neighbouring groups become one that leave the least moved, as
/// long as there are such of at most `rows` labels: the best on the way.
Placing bestPlacing(std::span<const LineLabel> labels, std::span<const std::size_t> order,
                    const Range& bounds, std::size_t rows)
{
    Placing now = placingOf(std::vector<std::size_t>(labels.size(), 1), labels, order, bounds);
    Placing best = now;
    for (bool isJoined = true; isJoined;) {
        isJoined = false;
        Placing next;
        for (std::size_t left = 0; left + 1 < now.sizes.size(); ++left) {
            std::vector<std::size_t> sizes = now.sizes;
            sizes[left] += sizes[left + 1];
            if (sizes[left] > rows)
                continue;
            sizes.erase(sizes.begin() + static_cast<std::ptrdiff_t>(left) + 1);
            Placing tried = placingOf(std::move(sizes), labels, order, bounds);
            if (!isJoined || tried.isBetterThan(next))
                next = std::move(tried);
            isJoined = true;
        }
        if (isJoined)
            now = std::move(next);
        if (now.isBetterThan(best))
            best = now;
    }
    return best;
}

/// Whether two labels overlap, or the leader line of one crosses the other, which is below it.
bool areInTheWay(std::span<const LineLabel> labels, std::span<const PlacedLabel> places,
                 std::size_t one, std::size_t other)
{
    const Range under{places[other].left, places[other].left + labels[other].width};
    if (places[one].row == places[other].row)
        return overlap({places[one].left, places[one].left + labels[one].width}, under);
    return places[one].row > places[other].row && places[one].leader > under.low &&
           places[one].leader < under.high;
}

/// Where every label stands at its line and has its row: labels to the right of their lines, from
/// some line on to the left of them. The rows are from the lowest up; nothing where they are more
/// than `most`, or a label would leave the bounds.
std::optional<std::vector<PlacedLabel>> straightPlaces(std::span<const LineLabel> labels,
                                                       std::span<const std::size_t> order,
                                                       std::size_t mirroredFrom,
                                                       const Range& bounds, int most)
{
    if (most < 1)
        return std::nullopt;
    std::vector<PlacedLabel> places(labels.size());
    for (std::size_t index = 0; index < order.size(); ++index) {
        const LineLabel& label = labels[order[index]];
        const double left = index < mirroredFrom ? label.line : label.line - label.width;
        if (left < bounds.low || left + label.width > bounds.high)
            return std::nullopt;
        places[order[index]] = {.left = left, .leader = label.line, .row = 0};
    }
    // A label is above all whose lines it covers, and of two that overlap without that the one
    // whose line is to the right.
    const auto isAbove = [&](std::size_t upper, std::size_t lower) {
        const auto end = [&](std::size_t label) {
            return places[label].left + labels[label].width;
        };
        const auto covers = [&](std::size_t label, std::size_t other) {
            return places[other].leader >= places[label].left &&
                   places[other].leader <= end(label) + groupGap;
        };
        const bool isUpperAtRight =
            std::pair(labels[upper].line, upper) > std::pair(labels[lower].line, lower);
        if (covers(upper, lower))
            return !covers(lower, upper) || isUpperAtRight;
        const bool areApart = places[upper].left >= end(lower) + groupGap ||
                              places[lower].left >= end(upper) + groupGap;
        return !areApart && !covers(lower, upper) && isUpperAtRight;
    };
    for (bool isRaised = true; isRaised;) {
        isRaised = false;
        for (const std::size_t upper : order)
            for (const std::size_t lower : order)
                if (upper != lower && places[upper].row <= places[lower].row &&
                    isAbove(upper, lower)) {
                    places[upper].row = places[lower].row + 1;
                    isRaised = true;
                    if (places[upper].row >= most)
                        return std::nullopt;
                }
    }
    for (const std::size_t one : order)
        for (const std::size_t other : order)
            if (one != other && areInTheWay(labels, places, one, other))
                return std::nullopt;  // one of either kind, each over the other's line
    return places;
}

/// The same with the labels turned that leave the fewest rows.
std::optional<std::vector<PlacedLabel>> straightPlaces(std::span<const LineLabel> labels,
                                                       std::span<const std::size_t> order,
                                                       const Range& bounds, int most)
{
    std::optional<std::vector<PlacedLabel>> lowest;
    for (std::size_t mirrored = 0; mirrored <= order.size(); ++mirrored)
        if (auto places = straightPlaces(labels, order, order.size() - mirrored, bounds,
                                         lowest ? rowCount(*lowest) - 1 : most))
            lowest = std::move(places);
    return lowest;
}

/// Whether no label needs a further row.
bool areNear(std::span<const LineLabel> labels, std::span<const PlacedLabel> places)
{
    for (std::size_t label = 0; label < labels.size(); ++label)
        if (std::abs(places[label].leader - labels[label].line) > nearLine)
            return false;
    return true;
}

}  // namespace

std::optional<std::vector<PlacedLabel>> placeInBand(std::span<const LineLabel> labels,
                                                    const Range& bounds, int mostRows)
{
    std::vector<std::size_t> order(labels.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t label) { return labels[label].line; });
    const std::size_t most =
        std::min(static_cast<std::size_t>(std::max(mostRows, 0)), labels.size());
    if (labels.empty())
        return std::vector<PlacedLabel>();
    std::optional<Placing> nearest;
    for (std::size_t rows = 1; rows <= most; ++rows) {
        Placing placing = bestPlacing(labels, order, bounds, rows);
        if (placing.excess > 0.0 || (nearest && !placing.isBetterThan(*nearest)))
            continue;
        nearest = std::move(placing);
        if (areNear(labels, nearest->places))
            break;
    }
    const bool isNear = nearest && areNear(labels, nearest->places);
    const int fewest = isNear ? rowCount(nearest->places) : mostRows;
    if (auto straight = straightPlaces(labels, order, bounds, fewest))
        return straight;
    return nearest ? std::optional(std::move(nearest->places)) : std::nullopt;
}

int rowCount(std::span<const PlacedLabel> places)
{
    int rows = 0;
    for (const PlacedLabel& index : places)
        rows = std::max(rows, index.row + 1);
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
