#include "core/samples/arranged_calibration.h"

#include "core/collect/at_once.h"
#include "core/recipes/scale_rows.h"
#include "core/samples/arranged_values.h"
#include "core/samples/growth_counts.h"
#include "core/samples/ordered_ends.h"
#include "core/samples/unit_runs.h"

#include <algorithm>
#include <exception>
#include <optional>
#include <utility>

namespace calibscope::samples {

namespace {

constexpr std::uint64_t memoryShare = 3;        ///< of the memory, for values that are held
constexpr std::uint64_t countsShare = 4;        ///< likewise, for counts
constexpr std::size_t arrangementsAtOnce = 32;  ///< between two steps of the progress
constexpr std::size_t worthThreads = std::size_t{1} << 20;

/// One arrangement and what its choices need.
struct PlannedArrangement
{
    std::size_t index = 0;
    ArrangedExtents extents;
    std::vector<HistogramSpec> specs;
    std::vector<GrowthCounts::Plan> plans;  ///< by spec
    std::vector<OrderRequest> orders;
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
          m_found(question.choices.size()),
          m_counts(facts.extents)
    {
        for (ArrangedAnswers& answers : m_found)
            answers.answers.resize(question.arrangements.size());
    }

    std::vector<ArrangedAnswers> run()
    {
        refuseWhatIsTooLarge();
        askForOrders();
        for (std::size_t first = 0; first < m_question.arrangements.size();) {
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

    /// Calls `use(needs)` with what each choice needs for an arrangement; what a choice can't do is
    /// its problem.
    template <typename Use>
    void forEachNeed(std::size_t arrangement, const Extents& extents, const Use& use)
    {
        for (std::size_t choice = 0; choice < m_found.size(); ++choice) {
            if (!isAsked(choice, arrangement))
                continue;
            try {
                use(needsOf(m_question.choices[choice], extents));
            } catch (const std::exception& error) {
                m_found[choice].problem = error.what();
            }
        }
    }

    void refuseWhatIsTooLarge()
    {
        Extents whole;
        for (const Extents& extents : m_facts.extents)
            whole += extents;
        const bool fits = m_source.info.valueCount() * sizeof(float) <= m_memoryBytes / memoryShare;
        for (std::size_t choice = 0; choice < m_found.size(); ++choice) {
            try {
                const bool needsAll = needsOf(m_question.choices[choice], whole).values;
                m_needsValues = m_needsValues || (needsAll && fits);
                if (needsAll && !fits)
                    m_found[choice].problem =
                        "its calibrator needs all values for each resample, and they do not fit "
                        "into memory";
            } catch (const std::exception& error) {
                m_found[choice].problem = error.what();
            }
        }
    }

    /// Order statistics far from both ends need all values, too.
    void askForOrders()
    {
        for (std::size_t index = 0; index < m_question.arrangements.size(); ++index) {
            const ArrangedExtents extents(m_question.arrangements[index], m_facts.extents);
            forEachNeed(index, extents.whole, [&](const CalibratorNeeds& needs) {
                for (const OrderRequest& order : needs.orders)
                    m_ends.ask(order, extents.whole.finite);
            });
        }
        constexpr std::uint64_t entryBytes = 8;
        if (!m_ends.needsAll() ||
            m_source.info.valueCount() * entryBytes <= m_memoryBytes / memoryShare)
            return;
        Extents whole;
        for (const Extents& extents : m_facts.extents)
            whole += extents;
        for (std::size_t choice = 0; choice < m_found.size(); ++choice)
            if (m_found[choice].problem.empty() &&
                !needsOf(m_question.choices[choice], whole).orders.empty())
                m_found[choice].problem = "its percentile lies so far from the end that all values "
                                          "are needed, and they do not fit into memory";
        m_ends = {};
    }

    /// As many arrangements as there is memory for counts, at least one.
    [[nodiscard]] std::vector<PlannedArrangement> plannedFrom(std::size_t first)
    {
        std::vector<PlannedArrangement> group;
        for (std::size_t index = first; index < m_question.arrangements.size(); ++index) {
            if (!group.empty() && m_counts.bytes() > m_memoryBytes / countsShare)
                break;
            const Arrangement& arrangement = m_question.arrangements[index];
            PlannedArrangement planned{.index = index,
                                       .extents = {arrangement, m_facts.extents},
                                       .specs = {},
                                       .plans = {},
                                       .orders = {}};
            forEachNeed(index, planned.extents.whole, [&](const CalibratorNeeds& needs) {
                appendNew(planned.specs, needs.histograms);
                appendNew(planned.orders, needs.orders);
            });
            for (const HistogramSpec& spec : planned.specs)
                planned.plans.push_back(m_counts.plan(spec, arrangement, planned.extents));
            group.push_back(std::move(planned));
        }
        return group;
    }

    /// One pass for all that is not there yet.
    void collect()
    {
        const bool needsEnds = !m_hasCollected && m_ends.isAsked();
        if (!m_hasCollected && m_needsValues)
            m_values.emplace(m_source.info);
        const bool holdsValues = !m_hasCollected && m_values;
        if (needsEnds || holdsValues || !m_counts.isEmpty())
            m_source.visit(
                [&](const Block& block) {
                    forEachUnitRun(m_source.info, m_facts.unit, block,
                                   [&](std::size_t unit, std::span<const float> values) {
                                       if (needsEnds)
                                           m_ends.add(unit, values);
                                       if (holdsValues)
                                           m_values->add(unit, values);
                                       m_counts.add(unit, values);
                                   });
                },
                m_progress);
        if (needsEnds)
            m_ends.finish();
        m_hasCollected = true;
    }

    void answer(const std::vector<PlannedArrangement>& group)
    {
        const std::size_t all = m_question.arrangements.size();
        for (std::size_t first = 0; first < group.size(); first += arrangementsAtOnce) {
            const std::size_t count = std::min(arrangementsAtOnce, group.size() - first);
            std::vector<std::vector<std::string>> problems(
                count, std::vector<std::string>(m_found.size()));
            atOnce(count, worthThreads,
                   [&](std::size_t index) { answerOne(group[first + index], problems[index]); });
            for (const std::vector<std::string>& ofOne : problems)
                for (std::size_t choice = 0; choice < m_found.size(); ++choice)
                    if (m_found[choice].problem.empty())
                        m_found[choice].problem = ofOne[choice];
            m_progress.step(group[first].index + count, all, "resamples");
        }
    }

    [[nodiscard]] TensorProfile profileOf(const PlannedArrangement& planned) const
    {
        const Arrangement& arrangement = m_question.arrangements[planned.index];
        TensorProfile profile;
        profile.info = m_source.info;
        profile.moments.extents = planned.extents.whole;
        profile.batches = planned.extents.batches;
        const std::vector<std::uint32_t> weights = arrangement.weights(m_facts.count());
        const std::uint64_t finite = planned.extents.whole.finite;
        for (const OrderRequest& order : planned.orders)
            if (order.rank < finite)
                profile.orders.push_back(
                    {.request = order, .value = m_ends.valueOf(order, finite, weights)});
        for (std::size_t spec = 0; spec < planned.specs.size(); ++spec)
            profile.histograms.push_back(m_counts.histogram(planned.specs[spec], arrangement,
                                                            planned.extents, planned.plans[spec]));
        return profile;
    }

    void answerOne(const PlannedArrangement& planned, std::vector<std::string>& problems)
    {
        const TensorProfile profile = profileOf(planned);
        const Progress silent = m_progress.silent();
        const ValueSource source =
            m_values ? m_values->source(m_question.arrangements[planned.index]) : m_source;
        const CalibratorValues values{
            .source = source, .memoryBytes = m_memoryBytes / memoryShare, .progress = silent};
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
    std::vector<ArrangedAnswers> m_found;
    GrowthCounts m_counts;
    OrderedEnds m_ends;
    std::optional<ArrangedValues> m_values;
    bool m_needsValues = false;
    bool m_hasCollected = false;
};

}  // namespace

std::vector<ArrangedAnswers>
calibrateArrangements(const ArrangedQuestion& question, const ValueSource& source,
                      const UnitFacts& facts, std::uint64_t memoryBytes, const Progress& progress)
{
    return ArrangedCalibration(question, source, facts, memoryBytes, progress).run();
}

}  // namespace calibscope::samples
