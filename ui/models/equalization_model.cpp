// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/equalization_model.h"

#include "ui/models/layer_model.h"
#include "ui/plot/number_label.h"
#include "ui/theme/translate.h"

#include <optional>

namespace calibscope {

namespace {

QString utf8(const std::string& text)
{
    return QString::fromStdString(text);
}

std::optional<double> gainOf(const Equalization& pair)
{
    if (!pair.secondBeforeDb || !pair.secondAfterDb)
        return std::nullopt;
    return *pair.secondAfterDb - *pair.secondBeforeDb;
}

QString fromTo(const std::optional<double>& before, const std::optional<double>& after)
{
    return before && after ? tr("%1 → %2").arg(layerDbText(before), layerDbText(after))
                           : layerDbText({});
}

QString dominantText(const Equalization& pair)
{
    QStringList channels;
    for (const DominantChannel& channel : pair.dominant)
        channels += tr("%1 (×%2)").arg(channel.channel).arg(valueLabel(channel.ratio, 3));
    return channels.join(QStringLiteral(", "));
}

QString notesText(const Equalization& pair)
{
    QStringList notes;
    if (!pair.whyNot.empty())
        notes += utf8(pair.whyNot);
    for (const std::string& note : pair.notes)
        notes += utf8(note);
    return notes.join(QStringLiteral("; "));
}

}  // namespace

TableDescriptor<Equalization> equalizationTable()
{
    using Row = Equalization;
    TableDescriptor<Row> table{.columns = {}, .grade = [](const Row& pair) {
                                   return pair.whyNot.empty() ? Grade::Plain : Grade::Faint;
                               }};
    table.add(tr("layer"), tr("The layer whose output channels are scaled"),
              [](const Row& pair) { return utf8(pair.first); });
    table.add(tr("layer behind"), tr("The layer behind it, which undoes it"),
              [](const Row& pair) { return utf8(pair.second); });
    table.addNumber(
        tr("gain dB"), tr("SQNR that the output of the layer behind would gain"),
        [](const Row& pair) {
            return gainOf(pair) ? dbChangeText(*gainOf(pair)) : layerDbText({});
        },
        gainOf);
    table.addNumber(
        tr("first, dB"), tr("SQNR of the first layer's output"),
        [](const Row& pair) { return fromTo(pair.firstBeforeDb, pair.firstAfterDb); },
        [](const Row& pair) { return pair.firstBeforeDb; });
    table.addNumber(
        tr("second, dB"), tr("SQNR of the second layer's output"),
        [](const Row& pair) { return fromTo(pair.secondBeforeDb, pair.secondAfterDb); },
        [](const Row& pair) { return pair.secondBeforeDb; });
    table.addNumber(
        tr("factors"), tr("Least and largest factor of a channel"),
        [](const Row& pair) {
            return pair.whyNot.empty() ? tr("%1 … %2").arg(valueLabel(pair.leastScale, 3),
                                                           valueLabel(pair.largestScale, 3))
                                       : layerDbText({});
        },
        [](const Row& pair) { return std::optional(pair.largestScale); });
    table.add(tr("dominant channels"),
              tr("Channels between them that widen the range most, and how far they reach beyond "
                 "the median channel"),
              dominantText);
    table.add(tr("notes"), tr("Reason for a missing value; warnings"), notesText);
    return table;
}

}  // namespace calibscope
