// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/format_model.h"

#include "ui/plot/number_label.h"
#include "ui/theme/translate.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace calibscope {

namespace {

using KnownNumber = std::optional<double>;

KnownNumber sqnrOf(const EncodedTensor& encoded)
{
    return encoded.errors.sqnrDb();
}

KnownNumber perBit(const EncodedTensor& encoded)
{
    const KnownNumber db = sqnrOf(encoded);
    return db && std::isfinite(*db) ? KnownNumber(*db / encoded.errors.effectiveBits)
                                    : std::nullopt;
}

QString formatShareText(double share)
{
    return share == 0.0 ? QStringLiteral("0") : valueLabel(100.0 * share, 2);
}

KnownNumber dbUnder(const BlockFormat& format, const BlockScale& scale,
                    const std::vector<float>& values)
{
    std::vector<float> decoded(values.size());
    encodeBlock(format, scale, values, decoded, {});
    FormatErrors errors;
    errors.add(values, decoded, blockEnds(format, scale));
    return errors.sqnrDb();
}

QString scaleText(const BlockFormat& format, const BlockScale& scale, float tensorScale)
{
    const QString number = valueLabel(static_cast<double>(scale.scale), 6);
    if (format.scales == nullptr)
        return number;
    if (format.superBlock) {
        const int bits = format.superBlock->scaleBits;
        return tr("%1 (%2 of %3 bits, by the %4 of %5 values)")
            .arg(number, hexText(scale.pattern & ((1U << static_cast<unsigned>(bits)) - 1U), bits),
                 countLabel(static_cast<std::uint64_t>(bits)),
                 QString::fromStdString(format.scales->id()),
                 countLabel(format.superBlock->columns));
    }
    const unsigned pattern =
        format.rule == ScaleRule::Minimum ? scale.pattern & 0xffffU : scale.pattern;
    const QString stored = tr("%1 %2").arg(QString::fromStdString(format.scales->id()),
                                           hexText(pattern, format.scales->bits()));
    return format.hasTensorScale
               ? tr("%1 (%2 times %3 of the tensor)")
                     .arg(number, stored, valueLabel(static_cast<double>(tensorScale), 4))
               : tr("%1 (%2)").arg(number, stored);
}

/// "floor 0.0625: 17.1 dB, rceil 0.125: 18.3 dB, ...".
QString ruleTexts(const BlockFormat& format, const std::vector<float>& values)
{
    BlockPeak peak;
    peak.add(values);
    QStringList texts;
    for (const ScaleRule rule :
         {ScaleRule::Floor, ScaleRule::Rceil, ScaleRule::Even, ScaleRule::Ceil}) {
        BlockFormat other = format;
        other.rule = rule;
        const BlockScale scale = blockScale(other, peak, 1.0F);
        const std::string_view word = scaleRuleText(rule);
        texts += tr("%1 %2: %3 dB")
                     .arg(QString::fromLatin1(word.data(), static_cast<qsizetype>(word.size())),
                          valueLabel(static_cast<double>(scale.scale), 6),
                          dbLabel(dbUnder(other, scale, values)));
    }
    return texts.join(QStringLiteral(", "));
}

}  // namespace

QString hexText(unsigned pattern, int bits)
{
    return QStringLiteral("0x%1").arg(pattern, (bits + 3) / 4, 16, QLatin1Char('0'));
}

TableDescriptor<EncodedTensor> formatTable(std::function<bool(const EncodedTensor&)> isAccepted)
{
    using Row = EncodedTensor;
    TableDescriptor<Row> table{
        .columns = {},
        .toolTip =
            [](const Row& row) { return QString::fromStdString(joinedNotes(row.errors.notes())); },
        .grade = [](const Row& row) { return row.isBest ? Grade::Bold : Grade::Plain; }};
    table
        .add(tr("Format"),
             tr("Element, granularity and parameters; bold: no other one has as high an SQNR with "
                "as few bits"),
             [isAccepted = std::move(isAccepted)](const Row& row) {
                 const QString format = QString::fromStdString(row.format.id);
                 return isAccepted && isAccepted(row) ? tr("✓ %1").arg(format) : format;
             })
        .withToolTip(
            [](const Row& row) { return QString::fromStdString(row.format.scalesText()); });
    const auto add = [&table](const QString& title, const QString& help, auto number, auto text) {
        table.addNumber(
            title, help,
            [number, text](const Row& row) {
                const KnownNumber value = number(row);
                return value ? text(*value) : QStringLiteral("–");
            },
            number);
    };
    const auto label = [](double value) { return valueLabel(value); };
    add(
        tr("Bits"), tr("Effective bits per value: elements and all stored scales"),
        [](const Row& row) { return KnownNumber(row.errors.effectiveBits); }, label);
    add(tr("SQNR dB"), tr("Of all finite values, exact"), sqnrOf,
        [](double db) { return dbLabel(db); });
    add(tr("dB/bit"), tr("SQNR by effective bits"), perBit,
        [](double db) { return fixedLabel(db, 2); });
    add(
        tr("Clipped %"), tr("Values beyond the largest number of their block: they saturate"),
        [](const Row& row) { return KnownNumber(row.errors.saturatedShare()); }, formatShareText);
    add(
        tr("To 0 %"), tr("Values other than 0 that become 0"),
        [](const Row& row) { return KnownNumber(row.errors.flushedShare()); }, formatShareText);
    add(
        tr("Blocks"), tr("Stored scales"),
        [](const Row& row) { return KnownNumber(static_cast<double>(row.errors.blocks)); },
        [](double count) { return countLabel(static_cast<std::uint64_t>(count)); });
    return table;
}

TableDescriptor<BlockValue> blockTable()
{
    using Row = BlockValue;
    TableDescriptor<Row> table;
    table.addNumber(
        tr("Index"), tr("In the tensor, in the file's order"),
        [](const Row& row) { return countLabel(row.index); },
        [](const Row& row) { return KnownNumber(static_cast<double>(row.index)); });
    table.addNumber(
        tr("Value"), {}, [](const Row& row) { return valueLabel(row.value, 5); },
        [](const Row& row) { return KnownNumber(row.value); });
    table.addRight(tr("Pattern"), tr("Stored bits"),
                   [](const Row& row) { return hexText(row.pattern, row.bits); });
    table.addNumber(
        tr("Decoded"), tr("The value after a round trip"),
        [](const Row& row) { return valueLabel(row.decoded, 5); },
        [](const Row& row) { return KnownNumber(row.decoded); });
    table.addNumber(
        tr("Error"), tr("Decoded less value"),
        [](const Row& row) { return valueLabel(row.decoded - row.value, 3); },
        [](const Row& row) { return KnownNumber(row.decoded - row.value); });
    return table;
}

std::vector<BlockValue> blockValues(const BlockFormat& format, const protocol::EncodedBlock& block)
{
    std::vector<BlockValue> rows;
    for (std::size_t i = 0; i < block.values.size(); ++i)
        rows.push_back({.index = block.indices[i],
                        .value = block.values[i],
                        .pattern = static_cast<unsigned>(block.patterns[i]),
                        .decoded = block.decoded[i],
                        .bits = format.element->bits()});
    return rows;
}

QString blockText(const BlockFormat& format, const protocol::EncodedBlock& block)
{
    const std::vector<float> values(block.values.begin(), block.values.end());
    QString text = tr("Largest magnitude %1, scale %2")
                       .arg(valueLabel(block.largest, 6),
                            scaleText(format, block.scale, block.errors.tensorScale));
    if (format.rule == ScaleRule::Affine)
        text += tr(", zero point %1").arg(valueLabel(static_cast<double>(block.scale.zeroPoint)));
    if (format.rule == ScaleRule::Minimum)
        text += tr(", minimum %1").arg(valueLabel(static_cast<double>(block.scale.minimum)));
    const FormatErrors& errors = block.errors;
    text += tr(": %1 dB; of %2 %3 clipped, %4 become 0.")
                .arg(dbLabel(errors.sqnrDb()),
                     countText(errors.sums.count, tr("1 value"), tr("%1 values")),
                     countLabel(errors.sums.clipped), countLabel(errors.flushed));
    if (errors.notFinite > 0) {
        const bool hasNan =
            std::ranges::any_of(values, [](float value) { return std::isnan(value); });
        const std::string_view elsewhere = poisonElsewhere(format, hasNan);
        text +=
            QLatin1Char(' ') +
            tr("NaN and infinities, which are left out: %1.").arg(countLabel(errors.notFinite)) +
            QLatin1Char(' ') + QString::fromUtf8(elsewhere.data(), qsizetype(elsewhere.size()));
        text = text.trimmed();
    }
    if (errors.sums.count + errors.notFinite > block.values.size())
        text += QLatin1Char(' ') +
                tr("The first %1 of them are listed.").arg(countLabel(block.values.size()));
    else if (format.isPowerOfTwo())
        text += QLatin1Char(' ') + tr("By scale rule: %1.").arg(ruleTexts(format, values));
    return text;
}

}  // namespace calibscope
