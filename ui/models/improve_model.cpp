// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/improve_model.h"

#include "ui/document/edits.h"
#include "ui/models/layer_model.h"
#include "ui/plot/number_label.h"
#include "ui/theme/translate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace calibscope {

namespace {

QString plainText(const std::string& text)
{
    return QString::fromStdString(text);
}

const RemedyResult* remedyOf(const LayerImprovement& layer, const std::string& remedy)
{
    const auto found = std::ranges::find(layer.rows, remedy, &RemedyResult::remedy);
    return found == layer.rows.end() ? nullptr : &*found;
}

/// As the command line names it.
std::string remedyId(const LayerImprovement& layer, const std::string& remedy)
{
    return layer.decided.layer + ':' + remedy;
}

QString gainText(const RemedyResult& row)
{
    constexpr double leastShown = 0.05;
    if (row.gainDb && row.isChosen && std::abs(*row.gainDb) < leastShown)
        return (*row.gainDb > 0.0 ? QStringLiteral("+") : QString()) + valueLabel(*row.gainDb, 1);
    if (row.gainDb)
        return dbChangeText(*row.gainDb);
    return row.isChosen ? plainText(row.setting) : QStringLiteral("–");
}

std::optional<double> heldOutOf(const LayerImprovement& layer, bool isImproved)
{
    if (layer.rows.empty())
        return std::nullopt;
    return (isImproved ? layer.rows.back() : layer.rows.front()).heldOutDb;
}

void addRemedy(TableDescriptor<LayerImprovement>& table, Deployment& deployment,
               const QString& title, const QString& help, const std::string& remedy)
{
    using Row = LayerImprovement;
    TableColumn<Row>& column = table.addNumber(
        title, help,
        [remedy](const Row& layer) {
            const RemedyResult* row = remedyOf(layer, remedy);
            return row ? gainText(*row) : QString();
        },
        [remedy](const Row& layer) {
            const RemedyResult* row = remedyOf(layer, remedy);
            return row ? row->gainDb : std::nullopt;
        });
    column.align = Qt::AlignLeft;  // next to its box
    column.ticked = [&deployment, remedy](const Row& layer) {
        return deployment.isTicked(layer, remedy);
    };
    column.tick = [&deployment, remedy](const Row& layer, bool isTicked) {
        edits::setLeftOut(deployment.document(), remedyId(layer, remedy), !isTicked);
    };
    column.grade = [&deployment, remedy](const Row& layer) {
        return deployment.isTicked(layer, remedy).value_or(false) ? Grade::Plain : Grade::Faint;
    };
}

/// It was run, and a remedy of it is in none of those that were accepted.
bool isDropped(const LadderRung& rung, const std::vector<LadderRung>& rungs)
{
    return rung.figures && std::ranges::any_of(rung.remedies, [&](const std::string& remedy) {
               return std::ranges::none_of(rungs, [&](const LadderRung& other) {
                   return other.isAccepted &&
                          std::ranges::find(other.remedies, remedy) != other.remedies.end();
               });
           });
}

/// Of a remedy or a step.
QString stepText(const std::string& step)
{
    return step == "decided" ? tr("baseline, as accepted") : plainText(step);
}

/// What a terminal has in backquotes stands by itself here.
QString textOf(const std::string& text)
{
    return plainText(text).remove(u'`');
}

}  // namespace

QStringList remedySentences(const LayerImprovement& layer)
{
    if (layer.rows.size() == 1 && !layer.rows.front().notes.empty())
        return {tr("Can't be computed: %1.").arg(textOf(layer.rows.front().notes.front()))};
    QStringList lines;
    for (const RemedyResult& row : layer.rows) {
        QStringList facts;
        if (!row.setting.empty())
            facts += plainText(row.setting);
        if (row.gainDb) {
            QString gain = tr("%1 ± %2 dB held out")
                               .arg(gainText(row), valueLabel(row.intervalDb.value_or(0.0), 2));
            if (row.overfitDb)
                gain +=
                    tr(", %1 dB in calibration").arg(dbChangeText(*row.gainDb + *row.overfitDb));
            facts += gain;
        } else if (row.heldOutDb) {
            facts += tr("%1 dB held out").arg(layerDbText(row.heldOutDb));
        }
        if (!row.changes.empty())
            facts += textOf(row.changes);
        for (const std::string& note : row.notes)
            facts += textOf(note);
        if (!facts.isEmpty())
            lines += tr("%1: %2").arg(stepText(row.remedy), facts.join(QStringLiteral("; ")));
    }
    return lines;
}

TableDescriptor<LayerImprovement> improveTable(Deployment& deployment)
{
    using Row = LayerImprovement;
    TableDescriptor<Row> table{
        .columns = {},
        .toolTip =
            [](const Row& layer) {
                return (QStringList{plainText(layer.decided.layer)} + remedySentences(layer))
                    .join(u'\n');
            },
        .grade =
            [](const Row& layer) { return layer.rows.size() > 1 ? Grade::Plain : Grade::Faint; }};
    const auto addDb = [&table](const QString& title, const QString& help, bool isImproved) {
        table.addNumber(
            title, help,
            [isImproved](const Row& layer) { return layerDbText(heldOutOf(layer, isImproved)); },
            [isImproved](const Row& layer) { return heldOutOf(layer, isImproved); });
    };
    table.add(tr("layer"), tr("The layer, by the name of its output"),
              [](const Row& layer) { return plainText(layer.decided.layer); });
    const auto gain = [](const Row& layer) {
        return layer.rows.empty() ? std::nullopt : layer.rows.back().gainDb;
    };
    table.addNumber(
        tr("gain"), tr("In dB, of what was chosen, over what was accepted"),
        [gain](const Row& layer) {
            const auto db = gain(layer);
            return db ? dbChangeText(*db) : QStringLiteral("–");
        },
        gain);
    const std::array titles{tr("precision"), tr("channels"), tr("rounding"), tr("bias")};
    const std::array helps{
        tr("Layers with few positions stay float; ticked: it is written"),
        tr("Gain in dB, held out, of dividing loud channels of the input; ticked: it is written"),
        tr("Gain in dB, held out, of rounding a weight below 8 bits by its inputs; ticked: it is "
           "written"),
        tr("Gain in dB, held out, of taking the mean error away; ticked: it is written")};
    for (std::size_t index = 0; index < remedyWords.size(); ++index)
        addRemedy(table, deployment, titles[index], helps[index], remedyWords[index]);
    addDb(tr("before"), tr("SQNR of its output in dB as accepted, on the samples held out"), false);
    addDb(tr("after"), tr("SQNR of its output in dB with what was chosen, on the samples held out"),
          true);
    table.add(tr("op"), tr("Operation"),
              [](const Row& layer) { return plainText(layer.decided.op); });
    table.add(tr("changes, or why none"), tr("What becomes another one in the model"),
              [](const Row& layer) {
                  QStringList texts;
                  for (const RemedyResult& row : layer.rows)
                      if (row.isChosen && !row.changes.empty())
                          texts += textOf(row.changes);
                  for (const RemedyResult& row : layer.rows)
                      if (texts.isEmpty() && !row.notes.empty())
                          return textOf(row.notes.front());
                  return texts.join(QStringLiteral("; "));
              });
    return table;
}

QString improvedSentence(const Deployment& deployment)
{
    if (!deployment.improvements())
        return {};
    const ImprovementCounts found =
        countsOf(*deployment.improvements(), [&](const LayerImprovement& layer, Remedy remedy) {
            return deployment.isTicked(layer, remedyWords.at(static_cast<std::size_t>(remedy)))
                .value_or(false);
        });
    const auto& [computed, improved, counts] = found;
    if (computed == 0)
        return tr("No layer can be computed; the table says why.");
    const QString stale =
        deployment.improvedWithout() == deployment.document().workbench().leftOut
            ? QString()
            : u' ' + tr("Gains are of the ticks before: Compute brings them up to date.");
    if (improved + counts[0] == 0)
        return tr("Nothing is improved.") + stale;
    const QString rounding =
        counts[2] == 0 ? QString() : tr("weights rounded in %1, ").arg(countLabel(counts[2]));
    return tr("%1 of %2 improved: channels divided in %3, %4bias corrected in %5; %6 left float.")
               .arg(countLabel(improved), countText(computed, tr("1 layer"), tr("%1 layers")),
                    countLabel(counts[1]), rounding, countLabel(counts[3]), countLabel(counts[0])) +
           stale;
}

TableDescriptor<LadderRung> rungTable(const Deployment& deployment)
{
    using Row = LadderRung;
    TableDescriptor<Row> table{.columns = {},
                               .toolTip = [](const Row& rung) { return plainText(rung.note); }};
    const auto addDb = [&table](const QString& title, const QString& help,
                                double LadderFigures::*db) {
        const auto number = [db](const Row& rung) {
            return rung.figures ? std::optional((*rung.figures).*db) : std::nullopt;
        };
        table.addNumber(
            title, help, [number](const Row& rung) { return layerDbText(number(rung)); }, number);
    };
    table.add(tr("step"), tr("Which remedies its model has"),
              [](const Row& rung) { return stepText(rung.step); });
    addDb(tr("pooled dB"), tr("SQNR at the network's end over all samples held out"),
          &LadderFigures::pooledDb);
    addDb(tr("median dB"), tr("Of the median sample"), &LadderFigures::medianDb);
    addDb(tr("least dB"), tr("Of the worst sample"), &LadderFigures::leastDb);
    const auto gain = [](const Row& rung) {
        return rung.gain ? std::optional(rung.gain->pooled.gainDb) : std::nullopt;
    };
    table.addNumber(
        tr("gain dB"), tr("Over the last accepted step"),
        [gain](const Row& rung) {
            return gain(rung) ? dbChangeText(*gain(rung)) : QStringLiteral("–");
        },
        gain);
    table.add(tr("95 % interval"), tr("Of the gain, from 1,000 draws of the samples"),
              [](const Row& rung) {
                  return rung.gain ? tr("%1 to %2")
                                         .arg(dbChangeText(rung.gain->pooled.lowDb),
                                              dbChangeText(rung.gain->pooled.highDb))
                                   : QStringLiteral("–");
              });
    table.addNumber(
        tr("in int8"), tr("Share of the multiplications"),
        [](const Row& rung) { return tr("%1 %").arg(fixedLabel(100.0 * rung.int8Share, 2)); },
        [](const Row& rung) { return std::optional(rung.int8Share); });
    table.add(tr("accepted"), tr("A step that surely lowers pooled or median SQNR is not"),
              [&deployment](const Row& rung) {
                  return rung.isAccepted                       ? tr("yes")
                         : isDropped(rung, deployment.rungs()) ? tr("no")
                                                               : QString();
              });
    table.add(tr("notes"), {}, [](const Row& rung) { return plainText(rung.note); });
    return table;
}

std::vector<WhiskerRow> rungRows(const std::vector<LadderRung>& rungs)
{
    std::vector<WhiskerRow> rows;
    for (const LadderRung& rung : rungs) {
        if (!rung.figures || !std::isfinite(rung.figures->pooledDb) ||
            !std::isfinite(rung.figures->medianDb))
            continue;
        const double pooled = rung.figures->pooledDb;
        const GainInterval gain = rung.gain ? rung.gain->pooled : GainInterval{};
        rows.push_back({.name = stepText(rung.step),
                        .low = pooled - gain.gainDb + gain.lowDb,
                        .high = pooled - gain.gainDb + gain.highDb,
                        .line = rung.figures->medianDb,
                        .dot = pooled,
                        .sentence = tr("%1: %2 dB, median sample %3 dB")
                                        .arg(stepText(rung.step), layerDbText(pooled),
                                             layerDbText(rung.figures->medianDb)),
                        .isDropped = isDropped(rung, rungs)});
    }
    return rows;
}

}  // namespace calibscope
