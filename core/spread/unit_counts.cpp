// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/spread/unit_counts.h"

#include "core/base/error.h"
#include "core/protocol/arrays.h"
#include "core/protocol/wire.h"
#include "core/spread/profile_fields.h"

#include <algorithm>
#include <utility>

namespace calibscope::spread {

namespace {

using protocol::Json;
using protocol::Where;

constexpr int countsFormat = 1;

/// The counts other than 0, each after its distance from the one before.
std::vector<std::uint64_t> sparse(std::span<const std::uint64_t> counts)
{
    std::vector<std::uint64_t> numbers;
    std::size_t next = 0;
    for (std::size_t place = 0; place < counts.size(); ++place)
        if (counts[place] > 0) {
            numbers.insert(numbers.end(), {place - next, counts[place]});
            next = place + 1;
        }
    return numbers;
}

/// Calls add(place, count) for each of them.
template <typename Add>
void forEachCount(const Json& json, std::size_t places, const Where& where, const Add& add)
{
    const std::vector<std::uint64_t> numbers = protocol::readPacked(json, where);
    if (numbers.size() % 2 != 0)
        where.fail("holds a count that is not whole");
    std::size_t next = 0;
    for (std::size_t at = 0; at < numbers.size(); at += 2) {
        if (numbers[at] >= places - next)
            where.fail("holds a count at a place that there is not");
        next += numbers[at];
        add(next, numbers[at + 1]);
        ++next;
    }
}

}  // namespace

UnitCounts::UnitCounts(const TensorProfile& profile, const CalibratorNeeds& needs)
{
    std::vector<HistogramSpec> specs;
    for (const HistogramSpec& spec : needs.histograms) {
        if (std::ranges::find(specs, spec) != specs.end())
            continue;
        specs.push_back(spec);
        OfHistogram histogram{.epochs = growthEpochs(spec, profile.batches, profile.extents()),
                              .counted = {}};
        histogram.counted.resize(histogram.epochs.size());
        m_histograms.push_back(std::move(histogram));
    }
    std::vector<OrderRequest> requests;
    for (const OrderRequest& request : needs.orders) {
        if (request.rank >= profile.extents().finite ||
            std::ranges::find(requests, request) != requests.end())
            continue;
        requests.push_back(request);
        if (const auto counter = OrderCounter::of(request, profile.sketch))
            m_orders.push_back(*counter);
        else
            m_known.push_back({.request = request, .value = 0.0});
    }
}

Histogram& UnitCounts::countedIn(OfHistogram& histogram, std::size_t epoch)
{
    if (histogram.counted[epoch].counts.empty())
        histogram.counted[epoch] = histogram.epochs[epoch].bins;
    return histogram.counted[epoch];
}

void UnitCounts::add(std::size_t part, std::uint64_t batch, std::span<const float> values)
{
    if (part == 0)
        m_values += values.size();
    if (part < m_histograms.size())
        countedIn(m_histograms[part], epochOf(m_histograms[part].epochs, batch)).add(values);
    else
        m_orders[part - m_histograms.size()].add(values);
}

std::string UnitCounts::bytes() const
{
    Json histograms = Json::array();
    for (const OfHistogram& histogram : m_histograms) {
        Json epochs = Json::array();
        for (std::size_t epoch = 0; epoch < histogram.counted.size(); ++epoch) {
            const Histogram& counted = histogram.counted[epoch];
            if (!counted.counts.empty())
                epochs.push_back({{"epoch", epoch},
                                  {"counts", protocol::writePacked(sparse(counted.counts))},
                                  {"left_out", counted.leftOut}});
        }
        histograms.push_back(std::move(epochs));
    }
    Json orders = Json::array();
    for (const OrderCounter& order : m_orders)
        orders.push_back(protocol::writePacked(sparse(order.counts())));
    const Json json = {{"format", countsFormat},
                       {"values", m_values},
                       {"histograms", std::move(histograms)},
                       {"orders", std::move(orders)}};
    std::string bytes;
    Json::to_cbor(json, bytes);
    return bytes;
}

void UnitCounts::addBytes(std::string_view bytes, const std::string& where)
{
    const Where place{nullptr, "counts"};
    readKept(Kept::Step, where, [&] {
        const Json json = protocol::parseCbor(bytes);
        const Json& histograms = json.at("histograms");
        const Json& orders = json.at("orders");
        if (json.at("format").get<int>() != countsFormat ||
            histograms.size() != m_histograms.size() || orders.size() != m_orders.size())
            place.fail("are of another tensor or of other needs");
        m_values += json.at("values").get<std::uint64_t>();
        for (std::size_t index = 0; index < m_histograms.size(); ++index)
            for (const Json& counted : histograms[index]) {
                const auto epoch = counted.at("epoch").get<std::size_t>();
                if (epoch >= m_histograms[index].epochs.size())
                    place.fail("are of an epoch that there is not");
                Histogram& own = countedIn(m_histograms[index], epoch);
                forEachCount(
                    counted.at("counts"), own.counts.size(), place,
                    [&](std::size_t bin, std::uint64_t count) { own.counts[bin] += count; });
                own.leftOut += counted.at("left_out").get<std::uint64_t>();
            }
        for (std::size_t index = 0; index < m_orders.size(); ++index)
            forEachCount(orders[index], m_orders[index].counts().size(), place,
                         [&](std::size_t pattern, std::uint64_t count) {
                             m_orders[index].addCount(pattern, count);
                         });
    });
}

void UnitCounts::finish(TensorProfile& profile, const std::string& where) const
{
    const auto fail = [&] {
        throw Error(Fault::Input,
                    "{}: the counts of some of its parts are missing or of other values; run the "
                    "step counts again",
                    where);
    };
    if (parts() > 0 && m_values != profile.extents().values())
        fail();
    for (const OfHistogram& histogram : m_histograms) {
        std::vector<EpochCounts> counts;
        for (std::size_t epoch = 0; epoch < histogram.epochs.size(); ++epoch) {
            const Histogram& counted = histogram.counted[epoch].counts.empty()
                                           ? histogram.epochs[epoch].bins
                                           : histogram.counted[epoch];
            counts.push_back({.counts = counted.counts, .leftOut = counted.leftOut});
        }
        Histogram whole =
            histogramOfEpochs(histogram.epochs, counts, profile.batches, profile.extents());
        if (whole.total() + whole.leftOut != profile.extents().finite)
            fail();
        profile.histograms.push_back(std::move(whole));
    }
    profile.orders.insert(profile.orders.end(), m_known.begin(), m_known.end());
    for (const OrderCounter& order : m_orders)
        profile.orders.push_back(order.statistic());
}

}  // namespace calibscope::spread
