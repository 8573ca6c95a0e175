// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/tables/ladder_report.h"

#include "core/base/join.h"
#include "core/base/json_object.h"
#include "core/base/number_text.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <sstream>
#include <utility>

namespace calibscope {

namespace {

std::string dbText(double db)
{
    return numberText(std::round(db * 10.0) / 10.0);
}

std::string figuresText(const LadderFigures& figures)
{
    return dbText(figures.pooledDb) + " dB (median sample " + dbText(figures.medianDb) +
           ", least " + dbText(figures.leastDb) + ")";
}

/// "20 layers in float", or empty.
std::string countedText(std::size_t count, const std::string& one, const std::string& several)
{
    return count == 0 ? std::string() : countText(count, one, several);
}

std::string doneText(const ImprovementReport& accepted)
{
    const auto [inFloat, divided, rounded, moved] = countsOf(accepted).of;
    std::vector<std::string> done;
    for (std::string text :
         {countedText(inFloat, "layer stays float", "layers stay float"),
          countedText(divided, "layer has the channels of its input divided",
                      "layers have the channels of their inputs divided"),
          countedText(rounded, "weight is rounded by its inputs",
                      "weights are rounded by their inputs"),
          countedText(moved, "layer has its bias moved", "layers have their biases moved")})
        if (!text.empty())
            done.push_back(std::move(text));
    return done.empty() ? "nothing" : joinedText(done, "; ");
}

/// True for a model without remedies, with which a ladder may begin.
bool isStart(const LadderRung& rung)
{
    return !rung.step.starts_with("+ ") && !rung.step.starts_with("without ");
}

/// "at the baseline (decisions as they are)", "with --recipe qualcomm-mse"
std::string startText(const LadderRung& start)
{
    return start.step == "decided" ? "at the baseline (decisions as they are)"
                                   : "with " + start.step;
}

std::string droppedText(const std::vector<LadderRung>& rungs)
{
    std::vector<std::string> dropped;
    for (std::size_t index = 1; index < rungs.size(); ++index) {
        const LadderRung& rung = rungs[index];
        if (rung.isAccepted || !rung.step.starts_with("+ "))
            continue;
        std::string text = rung.step.substr(2) + ": ";
        if (rung.gain)
            text += dbText(rung.gain->pooled.gainDb) + " dB (" + dbText(rung.gain->pooled.lowDb) +
                    " to " + dbText(rung.gain->pooled.highDb) + "), median sample " +
                    dbText(rung.gain->median.gainDb);
        else
            text += rung.note;
        dropped.push_back(std::move(text));
    }
    return dropped.empty() ? "nothing" : joinedText(dropped, "; ");
}

/// The layers with the lowest SQNR, and the reason against dividing their channels.
std::string remainsText(const ImprovementReport& accepted)
{
    constexpr std::size_t mostNamed = 3;
    std::vector<std::pair<double, const LayerImprovement*>> layers;
    for (const LayerImprovement& layer : accepted.layers)
        if (!layer.isFloat && !layer.rows.empty() && layer.rows.back().heldOutDb)
            layers.emplace_back(*layer.rows.back().heldOutDb, &layer);
    std::ranges::stable_sort(layers, {}, &std::pair<double, const LayerImprovement*>::first);
    if (layers.size() > mostNamed)
        layers.resize(mostNamed);
    std::vector<std::string> remains;
    for (const auto& [db, layer] : layers) {
        std::string text = "`" + layer->decided.layer + "` " + dbText(db) + " dB";
        const auto channels = std::ranges::find(layer->rows, "channels", &RemedyResult::remedy);
        if (channels != layer->rows.end() && !channels->isChosen && !channels->notes.empty())
            text += " (channels: " + channels->notes.front() + ")";
        remains.push_back(std::move(text));
    }
    return joinedText(remains, "; ");
}

}  // namespace

const std::vector<Column>& ladderColumns()
{
    static const std::vector<Column> columns{
        {.id = "step", .title = "Step"},
        {.id = "remedies", .title = "Remedies"},
        {.id = "pooled_db", .title = "Pooled dB", .isNumeric = true},
        {.id = "median_db", .title = "Median dB", .isNumeric = true},
        {.id = "least_db", .title = "Least dB", .isNumeric = true},
        {.id = "gain_db", .title = "Gain dB", .isNumeric = true},
        {.id = "low_db", .title = "From dB", .isNumeric = true},
        {.id = "high_db", .title = "To dB", .isNumeric = true},
        {.id = "median_gain_db", .title = "Median gain dB", .isNumeric = true},
        {.id = "median_low_db", .title = "Median from dB", .isNumeric = true},
        {.id = "median_high_db", .title = "Median to dB", .isNumeric = true},
        {.id = "samples", .title = "Samples", .isNumeric = true},
        {.id = "int8_share", .title = "In int8", .isNumeric = true},
        {.id = "accepted", .title = "Accepted"},
        {.id = "notes", .title = "Notes"}};
    return columns;
}

std::vector<std::vector<Cell>> ladderRows(const std::vector<LadderRung>& rungs)
{
    std::vector<std::vector<Cell>> rows;
    for (const LadderRung& rung : rungs) {
        const auto figure = [&](double LadderFigures::*member) {
            return rung.figures ? Cell((*rung.figures).*member) : Cell();
        };
        const auto gain = [&](GainInterval LadderGain::*of, double GainInterval::*member) {
            return rung.gain ? Cell(((*rung.gain).*of).*member) : Cell();
        };
        const bool isStep = !rung.step.starts_with("without ");
        rows.push_back({rung.step, textCell(joinedText(rung.remedies, ",")),
                        figure(&LadderFigures::pooledDb), figure(&LadderFigures::medianDb),
                        figure(&LadderFigures::leastDb),
                        gain(&LadderGain::pooled, &GainInterval::gainDb),
                        gain(&LadderGain::pooled, &GainInterval::lowDb),
                        gain(&LadderGain::pooled, &GainInterval::highDb),
                        gain(&LadderGain::median, &GainInterval::gainDb),
                        gain(&LadderGain::median, &GainInterval::lowDb),
                        gain(&LadderGain::median, &GainInterval::highDb),
                        rung.samples == 0 ? Cell() : Cell(rung.samples), Cell(rung.int8Share),
                        isStep ? Cell(std::string(rung.isAccepted ? "yes" : "no")) : Cell(),
                        textCell(rung.note)});
    }
    return rows;
}

std::vector<LadderRung> parseLadderRows(std::string_view text, const std::string& origin)
{
    std::vector<LadderRung> rungs;
    for (const nlohmann::json& value : parseJson(text, origin))
        rungs.push_back(ladderRung(JsonObject(value, origin)));
    return rungs;
}

LadderRung ladderRung(const JsonObject& object)
{
    LadderRung rung{.step = object.requiredText("step")};
    std::istringstream remedies(object.text("remedies"));
    for (std::string remedy; std::getline(remedies, remedy, ',');)
        rung.remedies.push_back(remedy);
    rung.samples = object.count("samples");
    rung.int8Share = object.number("int8_share");
    rung.isAccepted = object.text("accepted") == "yes";
    rung.note = object.text("notes");
    if (object.has("pooled_db"))
        rung.figures = LadderFigures{.pooledDb = object.number("pooled_db"),
                                     .medianDb = object.number("median_db"),
                                     .leastDb = object.number("least_db")};
    if (object.has("gain_db"))
        rung.gain = LadderGain{.pooled = {.gainDb = object.number("gain_db"),
                                          .lowDb = object.number("low_db"),
                                          .highDb = object.number("high_db")},
                               .median = {.gainDb = object.number("median_gain_db"),
                                          .lowDb = object.number("median_low_db"),
                                          .highDb = object.number("median_high_db")}};
    return rung;
}

std::string ladderParagraph(const std::vector<LadderRung>& rungs,
                            const std::vector<std::string>& ends, const ImprovementReport& accepted)
{
    const LadderRung* last = nullptr;
    const LadderRung* start = nullptr;
    std::vector<std::string> starts;
    for (const LadderRung& rung : rungs) {
        if (isStart(rung) && rung.figures)
            starts.push_back(figuresText(*rung.figures) + " " + startText(rung));
        if (!rung.isAccepted || !rung.figures)
            continue;
        last = &rung;
        if (start == nullptr)
            start = &rung;
    }
    if (last == nullptr)
        return {};
    std::string text = "At " + joinedText(ends, "; ") + ", on " +
                       countText(last->samples, "sample", "samples") +
                       " held out: " + joinedText(starts, ", ");
    if (starts.size() > 1)
        text += "; the best on the other samples is that " + startText(*start);
    const double gain = last->figures->pooledDb - start->figures->pooledDb;
    text += last == start ? ", and no remedy raises it."
                          : ", " + figuresText(*last->figures) + " improved" +
                                (std::abs(gain) < leastRemedyGainDb
                                     ? ": less than 0.1 dB, too small to tell from luck."
                                     : ".");
    text += " Done: " + doneText(accepted) + ". Tried and dropped: " + droppedText(rungs) + ".";
    if (const std::string remains = remainsText(accepted); !remains.empty())
        text += " What remains, by the layers' own outputs: " + remains + ".";
    return text;
}

}  // namespace calibscope
