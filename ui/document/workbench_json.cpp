// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/workbench_json.h"

#include "core/recipes/choice_json.h"
#include "core/recipes/session_format.h"
#include "core/report/tables/ladder_report.h"
#include "core/report/tables/layer_report.h"

#include <utility>

namespace calibscope {

namespace {

using Json = nlohmann::json;

const std::vector<std::string> compareModes = {"overlay", "side-by-side", "difference"};

Json rangeJson(const Range& range)
{
    return {{"low", numberValue(range.low)}, {"high", numberValue(range.high)}};
}

Range rangeFrom(const JsonObject& object)
{
    return {.low = object.number("low"), .high = object.number("high")};
}

Json saidJson(const TensorSaid& said)
{
    const LayoutOverride& layoutOverride = said.layoutOverride;
    Json json = Json::object();
    if (said.isConfirmed)
        json["confirmed"] = true;
    if (layoutOverride.role)
        json["role"] = std::string(roleText(*layoutOverride.role));
    if (layoutOverride.batchAxis)
        json["batch_axis"] = *layoutOverride.batchAxis;
    if (layoutOverride.batchSize)
        json["batch_size"] = *layoutOverride.batchSize;
    if (layoutOverride.channelAxis)
        json["channel_axis"] = *layoutOverride.channelAxis;
    if (layoutOverride.elementType)
        json["element_type"] = std::string(elementText(*layoutOverride.elementType));
    return json;
}

TensorSaid saidFrom(const JsonObject& object)
{
    return {.layoutOverride = layoutOverrideFrom(object), .isConfirmed = object.flag("confirmed")};
}

Json decisionJson(const Decision& decision)
{
    return {{"id", decision.id},
            {"label", decision.label},
            {"choice", choiceJson(decision.choice)},
            {"remark", decision.remark}};
}

Decision decisionFrom(const JsonObject& object)
{
    if (!object.has("choice"))
        object.fail("lacks its choice");
    Decision decision{.id = object.text("id"),
                      .label = object.text("label"),
                      .choice = {},
                      .remark = object.text("remark")};
    object.object("choice",
                  [&](const JsonObject& choice) { decision.choice = choiceFrom(choice); });
    return decision;
}

Json zoomJson(const PageZoom& zoom)
{
    Json json = {{"tensor", zoom.tensor}};
    if (zoom.zoom.x)
        json["x"] = rangeJson(*zoom.zoom.x);
    if (zoom.zoom.y)
        json["y"] = rangeJson(*zoom.zoom.y);
    return json;
}

PageZoom zoomFrom(const JsonObject& object)
{
    PageZoom zoom{.tensor = object.text("tensor"), .zoom = {}};
    object.object("x", [&zoom](const JsonObject& x) { zoom.zoom.x = rangeFrom(x); });
    object.object("y", [&zoom](const JsonObject& y) { zoom.zoom.y = rangeFrom(y); });
    return zoom;
}

Json importedJson(const ImportedRange& imported)
{
    Json json{{"range", rangeJson(imported.range)},
              {"symmetric", imported.isSymmetric},
              {"source", imported.source},
              {"findings", imported.findings}};
    for (const Range& channel : imported.channels)
        json["channels"].push_back(rangeJson(channel));
    return json;
}

ImportedRange importedFrom(const JsonObject& object)
{
    ImportedRange imported{.isSymmetric = object.flag("symmetric", true),
                           .source = object.text("source"),
                           .findings = object.texts("findings")};
    object.object("range",
                  [&imported](const JsonObject& range) { imported.range = rangeFrom(range); });
    object.list("channels", [&imported](const JsonObject& channel) {
        imported.channels.push_back(rangeFrom(channel));
    });
    return imported;
}

Json runJson(const ModelRun& run)
{
    Json json{{"feeds", Json::array()}, {"end", run.end}, {"sequential", run.isSequential}};
    for (const auto& [input, value] : run.feeds)
        json["feeds"].push_back({{"input", input}, {"value", numberValue(value)}});
    return json;
}

ModelRun runFrom(const JsonObject& object)
{
    ModelRun run{.feeds = {}, .end = object.text("end"), .isSequential = object.flag("sequential")};
    object.list("feeds", [&run](const JsonObject& feed) {
        run.feeds[feed.requiredText("input")] = feed.number("value");
    });
    return run;
}

Json rowsJson(const std::vector<Column>& columns, const std::vector<std::vector<Cell>>& rows)
{
    std::string text;
    TableWriter table([&text](std::string_view piece) { text += piece; }, TableFormat::Json,
                      columns);
    for (const std::vector<Cell>& row : rows)
        table.row(row);
    table.finish();
    return Json::parse(text);
}

Json gainsJson(const MeasuredGains& gains)
{
    const ImprovementReport report{.dump = {}, .layers{gains.layers.begin(), gains.layers.end()}};
    Json layers = rowsJson(improvementColumns(), improvementRows(report));
    for (Json& row : layers)
        if (row["remedy"] == "decided")
            row.erase("notes");  // are of decisions that are in the session
    return {
        {"layers", layers},
        {"layers_of", gains.layersOf},
        {"ladder", rowsJson(ladderColumns(), ladderRows({gains.rungs.begin(), gains.rungs.end()}))},
        {"ladder_of", gains.rungsOf}};
}

MeasuredGains gainsFrom(const JsonObject& object)
{
    MeasuredGains gains{.layers = {},
                        .layersOf = object.text("layers_of"),
                        .rungs = {},
                        .rungsOf = object.text("ladder_of")};
    ImprovementReport report;
    object.list("layers", [&](const JsonObject& row) { addImprovementRow(report, row); });
    gains.layers = {report.layers.begin(), report.layers.end()};
    object.list("ladder", [&](const JsonObject& row) { gains.rungs.push_back(ladderRung(row)); });
    return gains;
}

/// An object with what `toJson` makes of each value.
Json objectOf(const auto& map, const auto& toJson)
{
    Json json = Json::object();
    for (const auto& [name, value] : map)
        json[name] = toJson(value);
    return json;
}

}  // namespace

Json ownJson(const Workbench& workbench)
{
    Json json = {{"said", objectOf(workbench.said.asKeyValueRange(), saidJson)},
                 {"by_hand", objectOf(workbench.manualRange, rangeJson)},
                 {"pins", workbench.pins},
                 {"excluded", workbench.excluded},
                 {"decisions", objectOf(workbench.decisions.asKeyValueRange(), decisionJson)},
                 {"zooms", objectOf(workbench.zooms, zoomJson)}};
    if (!workbench.imported.isEmpty())
        json["imported"] = objectOf(workbench.imported.asKeyValueRange(), importedJson);
    if (!workbench.leftOut.empty())
        json["left_out"] = workbench.leftOut;
    if (workbench.run != ModelRun())
        json["run"] = runJson(workbench.run);
    if (workbench.gains != MeasuredGains())
        json["gains"] = gainsJson(workbench.gains);
    const ComparedWith& compared = workbench.compared;
    if (compared != ComparedWith{})
        json["compared"] = {{"mode", compareModes[static_cast<std::size_t>(compared.mode)]},
                            {"pairs", compared.pairs}};
    return json;
}

Workbench ownFrom(const JsonObject& object)
{
    Workbench workbench;
    object.objects("said", [&](const std::string& tensor, const JsonObject& said) {
        workbench.said.insert(tensor, saidFrom(said));
    });
    object.objects("by_hand", [&](const std::string& tensor, const JsonObject& range) {
        workbench.manualRange[tensor] = rangeFrom(range);
    });
    object.objects("imported", [&](const std::string& tensor, const JsonObject& imported) {
        workbench.imported.insert(tensor, importedFrom(imported));
    });
    for (std::string& tensor : object.texts("pins"))
        workbench.pins.insert(std::move(tensor));
    for (std::string& tensor : object.texts("excluded"))
        workbench.excluded.insert(std::move(tensor));
    object.objects("decisions", [&](const std::string& tensor, const JsonObject& decision) {
        workbench.decisions.insert(tensor, decisionFrom(decision));
    });
    for (std::string& remedy : object.texts("left_out"))
        workbench.leftOut.insert(std::move(remedy));
    object.object("run", [&](const JsonObject& run) { workbench.run = runFrom(run); });
    object.object("gains", [&](const JsonObject& gains) { workbench.gains = gainsFrom(gains); });
    object.objects("zooms", [&](const std::string& page, const JsonObject& zoom) {
        workbench.zooms[page] = zoomFrom(zoom);
    });
    object.object("compared", [&](const JsonObject& compared) {
        workbench.compared.mode = compared.word("mode", compareModes, CompareMode::Overlay);
        workbench.compared.pairs = compared.textMap("pairs");
    });
    return workbench;
}

namespace {

// In the order of their enumerations.
const std::vector<std::string> quantities = {"count", "density", "cumulative"};
const std::vector<std::string> lowerWords = lowerPlotWords();

Json displayJson(const PlotDisplay& display)
{
    return {{"log_count", display.isLogCount},
            {"log_x", display.isLogX},
            {"signed", display.domain == Domain::Signed},
            {"quantity", quantities[static_cast<std::size_t>(display.quantity)]},
            {"quantized", display.isQuantizedShown},
            {"axes_linked", display.areAxesLinked},
            {"table", display.isTableShown}};
}

PlotDisplay displayFrom(const JsonObject& object)
{
    const PlotDisplay standard;
    return {.isLogCount = object.flag("log_count", standard.isLogCount),
            .isLogX = object.flag("log_x", standard.isLogX),
            .domain = object.flag("signed") ? Domain::Signed : Domain::Magnitude,
            .quantity = object.word("quantity", quantities, standard.quantity),
            .isQuantizedShown = object.flag("quantized"),
            .areAxesLinked = object.flag("axes_linked", standard.areAxesLinked),
            .isTableShown = object.flag("table")};
}

}  // namespace

Json sharedJson(const Workbench& workbench)
{
    Json edits = Json::object();
    for (const auto& [id, choice] : workbench.edits)
        edits[id] = choiceJson(choice);
    Json added = Json::array();
    for (const AddedCandidate& candidate : workbench.added)
        added.push_back({{"id", candidate.id},
                         {"label", candidate.label},
                         {"choice", choiceJson(candidate.choice)}});
    return {{"display", displayJson(workbench.display)},
            {"recipe", workbench.recipe},
            {"ticks", workbench.ticks},
            {"hand_scheme", workbench.manualScheme},
            {"edits", edits},
            {"added", added},
            {"baseline", workbench.baseline},
            {"lower_plot", lowerWords[static_cast<std::size_t>(workbench.secondary)]}};
}

Workbench sharedFrom(const JsonObject& object)
{
    Workbench workbench;
    object.object("display",
                  [&](const JsonObject& display) { workbench.display = displayFrom(display); });
    workbench.recipe = object.text("recipe");
    workbench.ticks = object.flagMap("ticks");
    workbench.manualScheme = object.text("hand_scheme");
    object.objects("edits", [&](const std::string& id, const JsonObject& choice) {
        workbench.edits.insert_or_assign(id, choiceFrom(choice));
    });
    object.list("added", [&](const JsonObject& added) {
        AddedCandidate candidate{
            .id = added.text("id"), .label = added.text("label"), .choice = {}};
        if (!added.has("choice"))
            added.fail("lacks its choice");
        added.object("choice",
                     [&](const JsonObject& choice) { candidate.choice = choiceFrom(choice); });
        workbench.added.push_back(candidate);
    });
    workbench.baseline = object.text("baseline");
    workbench.secondary = object.word("lower_plot", lowerWords, Secondary::Curve);
    return workbench;
}

}  // namespace calibscope
