// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/samples/arranged_calibration.h"

#include "core/collect/at_once.h"
#include "core/recipes/scale_rows.h"
#include "core/samples/arrangement.h"
#include "core/samples/growth_counts.h"
#include "core/samples/ordered_ends.h"
#include "core/samples/unit_runs.h"
#include "core/tensor/value_source.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace calibscope::samples {

namespace {

/// All values of a tensor by unit, in memory.
class ArrangedValues
{
public:
    explicit ArrangedValues(const TensorInfo& info) : m_info(info) {}

    /// The values of one unit after another, in order.
    void add(std::size_t unit, std::span<const float> values);

    /// Those of one unit; none of one that has none.
    [[nodiscard]] std::span<const float> of(std::uint32_t unit) const;
    /// A source of the arranged units, one block for each. It refers to this object and to the
    /// arrangement.
    [[nodiscard]] ValueSource source(const Arrangement& arrangement) const;

private:
    struct Part
    {
        std::size_t first = 0;
        std::size_t count = 0;
    };
    void visit(const Arrangement& arrangement, const BlockVisitor& visitor,
               const Progress& progress) const;

    TensorInfo m_info;
    std::vector<float> m_values;
    std::vector<Part> m_units;
};

void ArrangedValues::add(std::size_t unit, std::span<const float> values)
{
    if (m_units.empty())
        m_values.reserve(m_info.valueCount());
    if (unit >= m_units.size())
        m_units.resize(unit + 1, {.first = m_values.size()});
    m_units[unit].count += values.size();
    m_values.insert(m_values.end(), values.begin(), values.end());
}

std::span<const float> ArrangedValues::of(std::uint32_t unit) const
{
    if (unit >= m_units.size())
        return {};
    return std::span(m_values).subspan(m_units[unit].first, m_units[unit].count);
}

void ArrangedValues::visit(const Arrangement& arrangement, const BlockVisitor& visitor,
                           const Progress& progress) const
{
    std::uint64_t index = 0;
    std::uint64_t batch = 0;
    for (std::size_t place = 0; place < arrangement.units.size(); ++place) {
        if (place > 0 && arrangement.batches[place] != arrangement.batches[place - 1])
            ++batch;
        const std::span<const float> values = of(arrangement.units[place]);
        visitor({.values = values, .firstIndex = index, .batch = batch});
        index += values.size();
        progress.step(place + 1, arrangement.units.size(), "values");
    }
}

ValueSource ArrangedValues::source(const Arrangement& arrangement) const
{
    std::uint64_t values = 0;
    for (const std::uint32_t unit : arrangement.units)
        values += of(unit).size();
    TensorInfo info = m_info;
    if (!info.shape.empty())
        info.shape.front() = values / std::max<std::uint64_t>(m_info.valuesPerSample(), 1);
    return {.info = std::move(info),
            .visit =
                [this, &arrangement](const BlockVisitor& visitor, const Progress& progress) {
                    visit(arrangement, visitor, progress);
                },
            .isInMemory = true};
}

// Shares of the memory.
constexpr std::uint64_t valuesShare = 3;      ///< for values and order statistics, each
constexpr std::uint64_t unitsShare = 8;       ///< for arrangements that are counted by one pass
constexpr std::uint64_t countsShare = 4;      ///< for their counts
constexpr std::uint64_t mostCountsShare = 2;  ///< for counts of one alone

constexpr std::size_t mostInGroup = 256;  ///< arrangements that are counted by one pass
// Arrangements that are worked on between two steps of the progress.
constexpr std::size_t fewAtOnce = 4;  ///< where values are searched
constexpr std::size_t manyAtOnce = 32;
constexpr std::size_t worthThreads = std::size_t{1} << 20;

/// One arrangement and what its choices need.
struct PlannedArrangement
{
    std::size_t index = 0;
    Arrangement arrangement;
    ArrangedExtents extents;
    std::vector<HistogramSpec> specs = {};
    std::vector<GrowthCounts::Plan> plans = {};  ///< by spec; empty: counted from the values
    std::vector<OrderRequest> orders = {};
};

template <typename Value>
void appendNew(std::vector<Value>& values, const std::vector<Value>& more)
{
    for (const Value& value : more)
        if (std::ranges::find(values, value) == values.end())
            values.push_back(value);
}

class ArrangedCalibration
{
public:
    ArrangedCalibration(const ArrangedQuestion& question, const ValueSource& source,
                        const UnitFacts& facts, std::uint64_t memoryBytes, const Progress& progress)
        : m_question(question),
          m_source(source),
          m_facts(facts),
          m_memoryBytes(memoryBytes),
          m_progress(progress),
          m_fits(source.info.valueCount() * sizeof(float) <= memoryBytes / valuesShare),
          m_found(question.choices.size()),
          m_counts(facts.extents)
    {
        for (const Extents& extents : facts.extents)
            m_whole += extents;
        for (ArrangedAnswers& answers : m_found)
            answers.answers.resize(question.arrangements);
    }

    std::vector<ArrangedAnswers> run()
    {
        lookAtNeeds();
        askForOrders();
        for (std::size_t first = 0; first < m_question.arrangements;) {
            const std::vector<PlannedArrangement> group = plannedFrom(first);
            collect();
            answer(group);
            m_counts.clear();
            first += group.size();
        }
        return std::move(m_found);
    }

private:
    [[nodiscard]] bool isAsked(std::size_t choice, std::size_t arrangement) const
    {
        return m_found[choice].problem.empty() && m_question.isAsked(choice, arrangement);
    }

    /// Calls `use(needs)` with what a choice needs for data of these extents; what it can't do is
    /// its problem.
    template <typename Use>
    void withNeeds(std::size_t choice, const Extents& extents, const Use& use)
    {
        try {
            use(needsOf(m_question.choices[choice], extents));
        } catch (const std::exception& error) {
            m_found[choice].problem = error.what();
        }
    }
    /// The same of all choices that are asked for an arrangement.
    template <typename Use>
    void forEachNeed(std::size_t arrangement, const Extents& extents, const Use& use)
    {
        for (std::size_t choice = 0; choice < m_found.size(); ++choice)
            if (isAsked(choice, arrangement))
                withNeeds(choice, extents, use);
    }
    /// Gives that problem to all choices for which `isAffected(needs)`.
    template <typename IsAffected>
    void refuse(const std::string& problem, const IsAffected& isAffected)
    {
        for (std::size_t choice = 0; choice < m_found.size(); ++choice)
            if (m_found[choice].problem.empty())
                withNeeds(choice, m_whole, [&](const CalibratorNeeds& needs) {
                    if (isAffected(needs))
                        m_found[choice].problem = problem;
                });
    }

    /// Whether values are held, and histograms counted from them: of units that are smaller than
    /// their tables of counts.
    void lookAtNeeds()
    {
        if (!m_fits)
            refuse("its calibrator needs all values for each resample, and they do not fit into "
                   "memory",
                   [](const CalibratorNeeds& needs) { return needs.values; });
        std::uint64_t mostBins = 0;
        for (std::size_t choice = 0; choice < m_found.size(); ++choice)
            if (m_found[choice].problem.empty())
                withNeeds(choice, m_whole, [&](const CalibratorNeeds& needs) {
                    m_searchesValues = m_searchesValues || needs.values;
                    for (const HistogramSpec& spec : needs.histograms)
                        mostBins = std::max(mostBins, static_cast<std::uint64_t>(spec.bins));
                });
        m_countsValues = m_fits && m_whole.finite < mostBins * m_facts.count();
    }

    void askForOrders()
    {
        for (std::size_t index = 0; index < m_question.arrangements; ++index) {
            Extents whole;
            for (const std::uint32_t unit : m_question.arranged(index).units)
                whole += m_facts.extents[unit];
            forEachNeed(index, whole, [&](const CalibratorNeeds& needs) {
                for (const OrderRequest& order : needs.orders)
                    m_ends.ask(order, whole.finite);
            });
            m_progress.step(0, m_question.arrangements, "resamples");
        }
        if (m_ends.bytes(m_facts.extents) <= m_memoryBytes / valuesShare)
            return;
        refuse("its percentile lies so far from the end that too many values would have to be held",
               [](const CalibratorNeeds& needs) { return !needs.orders.empty(); });
        m_ends = {};
    }

    /// As many arrangements as there is memory for counts, at least one.
    [[nodiscard]] std::vector<PlannedArrangement> plannedFrom(std::size_t first)
    {
        std::vector<PlannedArrangement> group;
        std::uint64_t groupBytes = 0;
        const std::size_t end = std::min(first + mostInGroup, m_question.arrangements);
        for (std::size_t index = first; index < end; ++index) {
            if (!group.empty() && (m_counts.bytes() > m_memoryBytes / countsShare ||
                                   groupBytes > m_memoryBytes / unitsShare))
                break;
            Arrangement arrangement = m_question.arranged(index);
            ArrangedExtents extents(arrangement, m_facts.extents);
            PlannedArrangement planned{.index = index,
                                       .arrangement = std::move(arrangement),
                                       .extents = std::move(extents)};
            forEachNeed(index, planned.extents.whole, [&](const CalibratorNeeds& needs) {
                appendNew(planned.specs, needs.histograms);
                appendNew(planned.orders, needs.orders);
            });
            if (!planCounts(planned, group.empty()))
                break;
            groupBytes +=
                planned.arrangement.units.size() * (sizeof(Extents) + sizeof(std::uint64_t));
            group.push_back(std::move(planned));
            m_progress.step(index, m_question.arrangements, "resamples");
        }
        return group;
    }

    /// False where there is no room for them beside those of others.
    [[nodiscard]] bool planCounts(PlannedArrangement& planned, bool isAlone)
    {
        if (m_countsValues)
            return true;
        for (const HistogramSpec& spec : planned.specs) {
            std::optional<GrowthCounts::Plan> plan = m_counts.plan(
                spec, planned.arrangement, planned.extents, m_memoryBytes / mostCountsShare);
            if (!plan)
                return isAlone && doWithoutCounts(planned);
            planned.plans.push_back(std::move(*plan));
        }
        return true;
    }
    /// Where not even one arrangement's counts have room. True: so it goes.
    bool doWithoutCounts(PlannedArrangement& planned)
    {
        m_counts.clear();
        planned.plans.clear();
        m_countsValues = m_fits;
        if (!m_fits) {
            refuse("its histograms take too many bins for so many units",
                   [](const CalibratorNeeds& needs) { return !needs.histograms.empty(); });
            planned.specs.clear();
        }
        return true;
    }

    /// One pass for all that is not there yet.
    void collect()
    {
        const bool needsEnds = !m_hasEnds && m_ends.isAsked();
        const bool needsValues = !m_values && (m_searchesValues || m_countsValues);
        if (needsValues)
            m_values.emplace(m_source.info);
        if (needsEnds || needsValues || !m_counts.isEmpty())
            m_source.visit(
                [&](const Block& block) {
                    forEachUnitRun(m_source.info, m_facts.unit, block,
                                   [&](std::size_t unit, std::span<const float> values) {
                                       if (needsEnds)
                                           m_ends.add(unit, values);
                                       if (needsValues)
                                           m_values->add(unit, values);
                                       m_counts.add(unit, values);
                                   });
                },
                m_progress);
        m_counts.finish();
        if (needsEnds)
            m_ends.finish();
        m_hasEnds = true;
    }

    void answer(const std::vector<PlannedArrangement>& group)
    {
        const std::size_t most = m_searchesValues ? fewAtOnce : manyAtOnce;
        for (std::size_t first = 0; first < group.size(); first += most) {
            const std::size_t count = std::min(most, group.size() - first);
            std::vector<std::vector<std::string>> problems(
                count, std::vector<std::string>(m_found.size()));
            atOnce(count, worthThreads,
                   [&](std::size_t index) { answerOne(group[first + index], problems[index]); });
            for (const std::vector<std::string>& ofOne : problems)
                for (std::size_t choice = 0; choice < m_found.size(); ++choice)
                    if (m_found[choice].problem.empty())
                        m_found[choice].problem = ofOne[choice];
            m_progress.step(group[first].index + count, m_question.arrangements, "resamples");
        }
    }

    [[nodiscard]] Histogram histogramOf(const PlannedArrangement& planned, std::size_t spec) const
    {
        if (!planned.plans.empty())
            return m_counts.histogram(planned.specs[spec], planned.arrangement, planned.extents,
                                      planned.plans[spec]);
        return replayedHistogram(planned.specs[spec], planned.arrangement, planned.extents,
                                 [&](std::size_t, std::uint32_t unit, Histogram& histogram) {
                                     histogram.add(m_values->of(unit));
                                 });
    }

    [[nodiscard]] TensorProfile profileOf(const PlannedArrangement& planned) const
    {
        TensorProfile profile;
        profile.info = m_source.info;
        profile.moments.extents = planned.extents.whole;
        profile.batches = planned.extents.batches;
        const std::vector<std::uint32_t> weights = planned.arrangement.weights(m_facts.count());
        const std::uint64_t finite = planned.extents.whole.finite;
        for (const OrderRequest& order : planned.orders)
            if (order.rank < finite)
                profile.orders.push_back(
                    {.request = order, .value = m_ends.valueOf(order, finite, weights)});
        for (std::size_t spec = 0; spec < planned.specs.size(); ++spec)
            profile.histograms.push_back(histogramOf(planned, spec));
        return profile;
    }

    void answerOne(const PlannedArrangement& planned, std::vector<std::string>& problems)
    {
        const TensorProfile profile = profileOf(planned);
        const Progress silent = m_progress.silent();
        const ValueSource source = m_values ? m_values->source(planned.arrangement) : m_source;
        const CalibratorValues values{
            .source = source, .memoryBytes = m_memoryBytes / valuesShare, .progress = silent};
        for (std::size_t choice = 0; choice < m_found.size(); ++choice) {
            if (!isAsked(choice, planned.index))
                continue;
            try {
                const ScaleRow row = calibrateProfile(m_question.choices[choice], profile,
                                                      m_values ? &values : nullptr)
                                         .row;
                m_found[choice].answers[planned.index] = {
                    .threshold =
                        row.clip.range ? row.clip.range->width() : row.clip.threshold.value_or(0.0),
                    .quantizer = row.quantizer};
            } catch (const std::exception& error) {
                problems[choice] = error.what();
            }
        }
    }

    const ArrangedQuestion& m_question;
    const ValueSource& m_source;
    const UnitFacts& m_facts;
    std::uint64_t m_memoryBytes;
    const Progress& m_progress;
    bool m_fits;  ///< all values fit their share of the memory
    Extents m_whole;
    std::vector<ArrangedAnswers> m_found;
    GrowthCounts m_counts;
    OrderedEnds m_ends;
    std::optional<ArrangedValues> m_values;
    bool m_searchesValues = false;
    bool m_countsValues = false;
    bool m_hasEnds = false;
};

}  // namespace

std::string whyNotArranged(const Choice& choice)
{
    if (choice.granularity != Granularity::Tensor)
        return "scales per channel or row are not studied: look at one channel by itself";
    if (!choice.rangeFrom.empty())
        return "it takes the range of " + choice.rangeFrom.front().tensor +
               (choice.rangeFrom.size() > 1 ? " and others" : "") + ": study that";
    return {};
}

std::vector<ArrangedAnswers>
calibrateArrangements(const ArrangedQuestion& question, const ValueSource& source,
                      const UnitFacts& facts, std::uint64_t memoryBytes, const Progress& progress)
{
    return ArrangedCalibration(question, source, facts, memoryBytes, progress).run();
}

}  // namespace calibscope::samples
