// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/tables/samples_table.h"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <string>
#include <utility>

namespace calibscope {

namespace {

/// A column of either table. `Row` is what its cell is made of.
template <typename Row>
struct StudyColumn
{
    std::string_view id;
    std::string_view summary;
    Cell (*cell)(const Row& row);
    bool isNumeric = true;
};

struct CurveRow
{
    const SampleStudy& study;
    const CurvePoint& point;
};

Cell countCell(std::optional<std::uint64_t> count)
{
    return count ? Cell{*count} : Cell{};
}

Cell lowCell(const std::optional<SampleBand>& band)
{
    return band ? Cell{band->low} : Cell{};
}

Cell highCell(const std::optional<SampleBand>& band)
{
    return band ? optionalCell(band->high) : Cell{};
}

Cell lowCell(const std::optional<Range>& range)
{
    return range ? Cell{range->low} : Cell{};
}

Cell highCell(const std::optional<Range>& range)
{
    return range ? Cell{range->high} : Cell{};
}

Cell kindCell(const std::optional<SampleBand>& band)
{
    if (!band)
        return {};
    return std::string(band->high ? "closed" : "open above");
}

using Study = const SampleStudy&;

std::vector<StudyColumn<SampleStudy>> choiceOfStudy()
{
    return {{"file", {}, [](Study s) -> Cell { return s.file; }, false},
            {"tensor", {}, [](Study s) -> Cell { return s.tensor; }, false},
            {"role", {}, [](Study s) -> Cell { return std::string(roleText(s.role)); }, false},
            {"op", {}, [](Study s) -> Cell { return s.op; }, false},
            {"recipe", {}, [](Study s) -> Cell { return s.choice.recipe; }, false},
            {"preset", {}, [](Study s) -> Cell { return s.choice.preset; }, false},
            {"calibrator", {}, [](Study s) -> Cell { return s.choice.calibrator; }, false},
            {"settings", {}, [](Study s) -> Cell { return s.choice.settings.toText(); }, false},
            {"granularity", {}, [](Study s) -> Cell { return s.choice.granularity.text(); }, false},
            {"channel", {}, [](Study s) { return countCell(s.channel); }},
            {"scheme",
             {},
             [](Study s) -> Cell { return std::string(schemeText(s.choice.scheme.kind)); },
             false},
            {"bits", {}, [](Study s) -> Cell {
                 return static_cast<std::uint64_t>(s.choice.scheme.bits);
             }}};
}

/// Of a study without a problem.
std::vector<StudyColumn<SampleStudy>> resultsOfStudy()
{
    return {
        {"batches", "Recorded batches", [](Study s) -> Cell { return s.batches; }},
        {"samples", "Recorded samples", [](Study s) -> Cell { return s.samples; }},
        {"unit", "What is drawn and left out as a whole: batch or sample",
         [](Study s) -> Cell { return std::string(sampleUnitText(s.unit)); }, false},
        {"units", "How many of these there are", [](Study s) -> Cell { return s.units; }},
        {"threshold", "Of all units; under an affine scheme the width of the clip range",
         [](Study s) -> Cell { return s.threshold; }},
        {"threshold_low", "Low end of its 95 % band",
         [](Study s) { return lowCell(s.thresholdBand); }},
        {"threshold_high", "High end of its 95 % band; absent where that is open",
         [](Study s) { return highCell(s.thresholdBand); }},
        {"band", "Whether the band ends above: closed, or open above",
         [](Study s) { return kindCell(s.thresholdBand); }, false},
        {"correlation",
         "Of neighbouring units' own thresholds; widens the band where chance does not make it",
         [](Study s) { return s.likeness ? Cell{s.likeness->correlation} : Cell{}; }},
        {"independent_units", "Independent units with as much information as the recorded ones",
         [](Study s) { return s.likeness ? Cell{s.likeness->independentUnits} : Cell{}; }},
        {"scale", "Step between adjacent integers", [](Study s) -> Cell { return s.scale; }},
        {"scale_low", "The threshold's band as scales",
         [](Study s) { return lowCell(s.scaleBand()); }},
        {"scale_high", "Likewise", [](Study s) { return highCell(s.scaleBand()); }},
        {"sqnr_db", "Of all recorded values under the scale of all units",
         [](Study s) { return optionalCell(s.sqnrDb); }},
        {"sqnr_low_db", "Low end of the 95 % band of all values' ratio under resampled scales",
         [](Study s) { return lowCell(s.sqnrBandDb); }},
        {"sqnr_high_db", "Its high end", [](Study s) { return highCell(s.sqnrBandDb); }},
        {"sqnr_from", "values, or sketch: then within 0.1 dB",
         [](Study s) -> Cell { return std::string(s.hasExactSqnr ? "values" : "sketch"); }, false},
        {"converged_within_1",
         "Units from which on the threshold stays within 1 % of the final one",
         [](Study s) { return countCell(s.convergedWithin1); }},
        {"converged_within_5", "Likewise within 5 %",
         [](Study s) { return countCell(s.convergedWithin5); }},
        {"converged", "yes, no or unknown",
         [](Study s) -> Cell { return std::string(settlingText(s.convergence())); }, false},
        {"orders", "Other orders of the batches that were replayed",
         [](Study s) { return s.order ? Cell{s.order->orders} : Cell{}; }},
        {"order_threshold_low", "Least threshold of all orders",
         [](Study s) { return s.order ? Cell{s.order->thresholds.low} : Cell{}; }},
        {"order_threshold_high", "Greatest threshold of all orders",
         [](Study s) { return s.order ? Cell{s.order->thresholds.high} : Cell{}; }},
        {"order_spread", "Their difference, as a share of the recorded order's threshold",
         [](Study s) { return s.order ? Cell{s.order->share} : Cell{}; }},
        {"order_sqnr_low_db", "Least ratio of all orders",
         [](Study s) { return lowCell(s.order ? s.order->sqnrDb : std::nullopt); }},
        {"order_sqnr_high_db", "Greatest ratio of all orders",
         [](Study s) { return highCell(s.order ? s.order->sqnrDb : std::nullopt); }},
        {"parts", "Parts that were held out by turns",
         [](Study s) {
             return s.heldOut ? Cell{static_cast<std::uint64_t>(s.heldOut->parts.size())} : Cell{};
         }},
        {"held_out_sqnr_db", "Of all values, each under the scale that has not seen its part",
         [](Study s) { return s.heldOut ? optionalCell(s.heldOut->sqnrDb) : Cell{}; }},
        {"seen_sqnr_db", "Of all values under the scale that has seen all",
         [](Study s) { return s.heldOut ? optionalCell(s.heldOut->seenSqnrDb) : Cell{}; }},
        {"gap_db", "Generalization gap: what seen values have more than held-out ones",
         [](Study s) { return s.heldOut ? optionalCell(s.heldOut->gapDb) : Cell{}; }},
        {"resamples", "Recordings that were drawn for each band",
         [](Study s) { return s.whyNoBand.empty() ? Cell{s.resamples} : Cell{}; }},
        {"seed", "Seed of draws and shuffles", [](Study s) -> Cell { return s.seed; }},
        {"flags", "What is to be noticed", [](Study s) -> Cell { return joinedNotes(s.flags()); },
         false}};
}

Cell notesCell(const SampleStudy& study)
{
    std::vector<std::string> notes = study.notes;
    for (const std::string& further : {study.whyNoBand, study.problem})
        if (!further.empty())
            notes.push_back(further);
    return joinedNotes(notes);
}

std::vector<StudyColumn<CurveRow>> curveColumns()
{
    using Row = const CurveRow&;
    return {{"unit",
             {},
             [](Row r) -> Cell { return std::string(sampleUnitText(r.study.unit)); },
             false},
            {"units", {}, [](Row r) -> Cell { return r.point.units; }},
            {"threshold", {}, [](Row r) -> Cell { return r.point.threshold; }},
            {"threshold_low", {}, [](Row r) { return lowCell(r.point.thresholdBand); }},
            {"threshold_high", {}, [](Row r) { return highCell(r.point.thresholdBand); }},
            {"band", {}, [](Row r) { return kindCell(r.point.thresholdBand); }, false},
            {"sqnr_db", {}, [](Row r) { return optionalCell(r.point.sqnrDb); }},
            {"sqnr_low_db", {}, [](Row r) { return lowCell(r.point.sqnrBandDb); }},
            {"sqnr_high_db", {}, [](Row r) { return highCell(r.point.sqnrBandDb); }},
            {"resamples",
             {},
             [](Row r) { return r.point.thresholdBand ? Cell{r.study.resamples} : Cell{}; }},
            {"seed", {}, [](Row r) -> Cell { return r.study.seed; }}};
}

template <typename Row>
Column columnOf(const StudyColumn<Row>& column)
{
    std::string title(column.id);
    std::ranges::replace(title, '_', ' ');
    return {.id = std::string(column.id), .title = title, .isNumeric = column.isNumeric};
}

}  // namespace

const std::vector<Column>& sampleColumns()
{
    static const std::vector<Column> columns = [] {
        std::vector<Column> made;
        for (const auto& list : {choiceOfStudy(), resultsOfStudy()})
            std::ranges::transform(list, std::back_inserter(made), columnOf<SampleStudy>);
        made.push_back({.id = "notes", .title = "notes"});
        return made;
    }();
    return columns;
}

std::string_view sampleColumnSummary(std::string_view id)
{
    if (id == "notes")
        return "Notes, and reasons for missing values";
    for (const auto& list : {choiceOfStudy(), resultsOfStudy()})
        for (const StudyColumn<SampleStudy>& column : list)
            if (column.id == id)
                return column.summary;
    throw std::invalid_argument("there is no column " + std::string(id));
}

std::vector<Cell> sampleCells(const SampleStudy& study)
{
    std::vector<Cell> cells;
    for (const StudyColumn<SampleStudy>& column : choiceOfStudy())
        cells.push_back(column.cell(study));
    for (const StudyColumn<SampleStudy>& column : resultsOfStudy())
        cells.push_back(study.problem.empty() ? column.cell(study) : Cell{});
    cells.push_back(notesCell(study));
    return cells;
}

const std::vector<Column>& sampleCurveColumns()
{
    static const std::vector<Column> columns = [] {
        std::vector<Column> made;
        std::ranges::transform(choiceOfStudy(), std::back_inserter(made), columnOf<SampleStudy>);
        std::ranges::transform(curveColumns(), std::back_inserter(made), columnOf<CurveRow>);
        return made;
    }();
    return columns;
}

std::vector<std::vector<Cell>> sampleCurveRows(const SampleStudy& study)
{
    std::vector<std::vector<Cell>> rows;
    if (!study.problem.empty())
        return rows;
    for (const CurvePoint& point : study.curve) {
        std::vector<Cell> cells;
        for (const StudyColumn<SampleStudy>& column : choiceOfStudy())
            cells.push_back(column.cell(study));
        for (const StudyColumn<CurveRow>& column : curveColumns())
            cells.push_back(column.cell({study, point}));
        rows.push_back(std::move(cells));
    }
    return rows;
}

}  // namespace calibscope
