// What all dumps of a session share, as JSON and back.
#include "ui/document/choice_json.h"
#include "ui/document/workbench_json.h"

namespace calibscope {

namespace {

using Json = nlohmann::json;

// In the order of their enumerations.
const std::vector<std::string> quantities = {"count", "density", "cumulative"};
const std::vector<std::string> lowerPlots = {"curve", "error", "batches"};

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

PlotDisplay displayFrom(const FileObject& object)
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
    for (const auto& [label, choice] : workbench.edits)
        edits[label] = choiceJson(choice);
    Json added = Json::array();
    for (const AddedCandidate& candidate : workbench.added)
        added.push_back({{"label", candidate.label}, {"choice", choiceJson(candidate.choice)}});
    return {{"display", displayJson(workbench.display)},
            {"recipe", workbench.recipe},
            {"ticks", workbench.ticks},
            {"hand_scheme", workbench.manualScheme},
            {"edits", edits},
            {"added", added},
            {"baseline", workbench.baseline},
            {"lower_plot", lowerPlots[static_cast<std::size_t>(workbench.secondary)]}};
}

Workbench sharedFrom(const FileObject& object)
{
    Workbench workbench;
    object.object("display",
                  [&](const FileObject& display) { workbench.display = displayFrom(display); });
    workbench.recipe = object.text("recipe");
    workbench.ticks = object.flagMap("ticks");
    workbench.manualScheme = object.text("hand_scheme");
    object.objects("edits", [&](const std::string& label, const FileObject& choice) {
        workbench.edits.insert_or_assign(label, choiceFrom(choice));
    });
    object.list("added", [&](const FileObject& added) {
        AddedCandidate candidate{.label = added.text("label"), .choice = {}};
        if (!added.has("choice"))
            added.fail("lacks its choice");
        added.object("choice",
                     [&](const FileObject& choice) { candidate.choice = choiceFrom(choice); });
        workbench.added.push_back(candidate);
    });
    workbench.baseline = object.text("baseline");
    workbench.secondary = object.word("lower_plot", lowerPlots, Secondary::Curve);
    return workbench;
}

}  // namespace calibscope
