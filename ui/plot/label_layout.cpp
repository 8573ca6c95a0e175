// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/label_layout.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace calibscope {

namespace {

constexpr double leaderGap = 6.0;  // between the leader lines of a group
constexpr double groupGap = 10.0;  // between groups
constexpr double nearLine = 60.0;  // a label so near to its line needs no further row

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
    for (std::size_t place = 0; place < chosen.size(); ++place) {
        const LineLabel& label = labels[chosen[place]];
        const double shift = static_cast<double>(place) * leaderGap;
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
    for (std::size_t place = 0; place < groups.size(); ++place) {
        Cluster last{place, groups[place].wanted, 1.0, groups[place].width};
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
        for (std::size_t place = clusters[cluster].first; place < end; ++place) {
            groups[place].left = left;
            left += groups[place].width;
        }
    }
}

/// Returns how far the leader line that is moved the most is moved.
double placeGroup(const Group& group, std::span<const LineLabel> labels, bool isMirrored,
                  std::vector<PlacedLabel>& places)
{
    const std::size_t count = group.labels.size();
    double move = 0.0;
    for (std::size_t place = 0; place < count; ++place) {
        const LineLabel& label = labels[group.labels[place]];
        const double left = group.left + static_cast<double>(place) * leaderGap;
        const double right = group.left + group.width - groupGap -
                             static_cast<double>(count - 1 - place) * leaderGap;
        PlacedLabel& placed = places[group.labels[place]];
        placed = isMirrored ? PlacedLabel{right - label.width, right, static_cast<int>(place)}
                            : PlacedLabel{left, left, static_cast<int>(count - 1 - place)};
        move = std::max(move, std::abs(placed.leader - label.line));
    }
    return move;
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
    std::optional<std::vector<PlacedLabel>> nearest;
    double leastMove = 0.0;
    if (labels.empty())
        nearest.emplace();
    for (std::size_t rows = 1; rows <= most && !(nearest && leastMove <= nearLine); ++rows) {
        std::vector<Group> groups;
        double width = -groupGap;
        for (std::size_t first = 0; first < order.size(); first += rows) {
            groups.push_back(groupOf(
                labels, std::span(order).subspan(first, std::min(rows, order.size() - first))));
            width += groups.back().width;
        }
        if (width > bounds.width())
            continue;
        spreadGroups(groups, {bounds.low, bounds.high + groupGap});
        std::vector<PlacedLabel> places(labels.size());
        double move = 0.0;
        for (const Group& group : groups) {
            const double plain = placeGroup(group, labels, false, places);
            const double mirrored = placeGroup(group, labels, true, places);
            move = std::max(move,
                            mirrored < plain ? mirrored : placeGroup(group, labels, false, places));
        }
        if (nearest && move >= leastMove)
            continue;
        nearest = std::move(places);
        leastMove = move;
    }
    return nearest;
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
