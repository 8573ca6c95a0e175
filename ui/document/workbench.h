// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/range.h"
#include "core/recipes/outcome.h"
#include "core/results/improvement_results.h"
#include "core/results/ladder_results.h"
#include "core/stats/histogram.h"
#include "ui/document/channels_display.h"
#include "ui/document/dump_tensors.h"
#include "ui/document/imported_range.h"
#include "ui/document/lower_plot.h"
#include "ui/plot/axis_scale.h"

#include <QList>
#include <QMap>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace calibscope {

/// How the histograms of two dumps are shown.
enum class CompareMode { Overlay, SideBySide, Difference };

/// The dump that the open one is compared with: B, where the open one is A.
struct ComparedWith
{
    std::string path;  ///< absolute; empty: none
    /// Matched manually: path of the tensor in A, and in B.
    std::map<std::string, std::string> pairs;
    CompareMode mode = CompareMode::Overlay;
    bool operator==(const ComparedWith&) const = default;
};

/// Display options of all plots.
struct PlotDisplay
{
    bool isLogCount = true;
    bool isLogX = false;
    Domain domain = Domain::Magnitude;
    Quantity quantity = Quantity::Count;
    bool isQuantizedShown = false;  ///< what the quantizer makes of the histogram, over it
    bool areAxesLinked = true;      ///< plots over and beside one another show the same x
    bool isTableShown = false;      ///< the numbers of a plot, below the plots
    bool operator==(const PlotDisplay&) const = default;
};

/// The part of a plot that is shown; an axis without a range shows everything.
struct Zoom
{
    std::optional<Range> x;
    std::optional<Range> y;
    bool operator==(const Zoom&) const = default;
};

/// A page's zoom, which holds for the tensor that it was made on.
struct PageZoom
{
    std::string tensor;  ///< its path
    Zoom zoom;
    bool operator==(const PageZoom&) const = default;
};

/// Of two choices of the user, wherever they came from.
[[nodiscard]] inline bool operator==(const Choice& one, const Choice& other)
{
    return one.isSameComputation(other);
}

/// A candidate that the user added to those of the recipes, on every tensor.
struct AddedCandidate
{
    std::string id;     ///< differs from those of all other candidates
    std::string label;  ///< likewise
    Choice choice;
    bool operator==(const AddedCandidate&) const = default;
};

/// The choice that the user accepted for a tensor.
struct Decision
{
    std::string id;      ///< of the candidate, manualId or importedId
    std::string label;   ///< what it was called then
    Choice choice;       ///< what it computed then
    std::string remark;  ///< why, in the user's words
    bool operator==(const Decision&) const = default;
};

/// How the dump's model is run.
struct ModelRun
{
    /// Inputs that were not recorded: the number for all of their elements.
    std::map<std::string, double> feeds;
    std::string end;            ///< the output that is measured; empty: all
    bool isSequential = false;  ///< a ladder ends with sequential biases
    bool operator==(const ModelRun&) const = default;
};

/// What remedies were measured to gain: no step, so Undo leaves it. Shared between copies.
struct MeasuredGains
{
    QList<LayerImprovement> layers;  ///< that have a remedy to tick: as decided, and those remedies
    std::string layersOf;            ///< gainsDigest() of the workbench that they were measured for
    QList<LadderRung> rungs;         ///< at the network's end
    std::string rungsOf;             ///< likewise
    bool operator==(const MeasuredGains&) const = default;
};

/// Everything that the user decided about what is shown and computed, as a
/// plain value: undo goes back to an earlier one, a session file keeps it. What
/// is selected is not in it.
struct Workbench
{
    PlotDisplay display;
    std::string recipe;                 ///< id of the chosen one
    std::map<std::string, bool> ticks;  ///< drawn or not, by id; no entry: the program decides
    /// Manual clip range, by the tensor's path. Of a symmetric scheme from
    /// -threshold to threshold; low is never above 0, high never below.
    std::map<std::string, Range> manualRange;
    /// Reference ranges of another tool's file, by the tensor's path. Shared between copies.
    QMap<std::string, ImportedRange> imported;
    /// Id of the candidate under whose scheme the manual range is; empty: the
    /// chosen recipe's.
    std::string manualScheme;
    std::map<std::string, Choice> edits;    ///< in place of the candidate's own, by its id
    std::vector<AddedCandidate> added;      ///< in the order of adding
    std::string baseline;                   ///< id that others are compared with; empty: none
    std::set<std::string> pins;             ///< paths of tensors that stay on top of the list
    std::set<std::string> excluded;         ///< paths of tensors that are left out of tables
    QMap<std::string, Decision> decisions;  ///< by the tensor's path; shared between copies
    std::set<std::string> leftOut;          ///< remedies that are not written, LAYER:REMEDY
    ModelRun run;
    MeasuredGains gains;
    Secondary secondary = Secondary::Curve;
    ComparedWith compared;
    ChannelsDisplay channels;
    std::map<std::string, PageZoom> zooms;  ///< by page
    /// How tensors are understood, by path. Shared between copies: it may be said
    /// of thousands.
    QMap<std::string, TensorSaid> said;

    bool operator==(const Workbench&) const = default;
};

/// A workbench holds for one dump what is said of its tensors, and for all dumps alike how things
/// are shown and computed. These take it apart and put it together.

/// Decisions on the tensors of `own`'s dump, with all else as in `shared`.
[[nodiscard]] Workbench joined(const Workbench& own, const Workbench& shared);
/// All else is as at the start.
[[nodiscard]] Workbench ownPart(const Workbench& workbench);
[[nodiscard]] Workbench sharedPart(const Workbench& workbench);
/// Nothing is decided on any tensor that would have to be decided again: what is zoomed or compared
/// does not count.
[[nodiscard]] bool isUntouched(const Workbench& workbench);

}  // namespace calibscope
