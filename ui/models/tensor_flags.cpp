// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/tensor_flags.h"

#include "ui/document/tensor_text.h"
#include "ui/plot/number_label.h"
#include "ui/theme/translate.h"

#include <algorithm>
#include <array>

namespace calibscope {

namespace {

constexpr std::array kinds = {
    FlagKind{u'x', FlagWeight::Error, "unreadable", QT_TRANSLATE_NOOP("Flags", "cannot be read")},
    FlagKind{u'!', FlagWeight::Error, "nan",
             QT_TRANSLATE_NOOP("Flags", "holds NaN, infinities or values beyond float32")},
    FlagKind{u'0', FlagWeight::Warning, "constant",
             QT_TRANSLATE_NOOP("Flags", "constant, all zero or nothing finite")},
    FlagKind{u'1', FlagWeight::Warning, "lone",
             QT_TRANSLATE_NOOP("Flags", "one value decides the full range")},
    FlagKind{u'~', FlagWeight::Note, "lossy",
             QT_TRANSLATE_NOOP("Flags", "float32 cannot hold all of its values")},
    FlagKind{u'±', FlagWeight::Doubt, "unconverged",
             QT_TRANSLATE_NOOP("Flags", "other samples would give another scale")},
    FlagKind{u'?', FlagWeight::Doubt, "guess",
             QT_TRANSLATE_NOOP("Flags", "its role or axes are guessed")},
    FlagKind{u'*', FlagWeight::Mark, "edited",
             QT_TRANSLATE_NOOP("Flags", "its role, axes or type were set here")},
    FlagKind{u'−', FlagWeight::Mark, "excluded",
             QT_TRANSLATE_NOOP("Flags", "excluded: Next worst and Next flagged skip it")},
    FlagKind{u'✓', FlagWeight::Done, "accepted",
             QT_TRANSLATE_NOOP("Flags", "a calibrator is accepted")},
};

void addFlag(TensorFlags& flags, QChar letter, const QString& reason)
{
    flags.letters += letter;
    flags.reasons += reason;
}

void addDataFlags(TensorFlags& flags, const Extents& extents)
{
    const std::uint64_t infinite = extents.infinite() - extents.overflowed;
    if (extents.overflowed > 0)
        addFlag(flags, u'!',
                tr("%1 NaN, %2 infinite values and %3 beyond float32, which are skipped.")
                    .arg(countLabel(extents.nan), countLabel(infinite),
                         countLabel(extents.overflowed)));
    else if (extents.nan + infinite > 0)
        addFlag(flags, u'!',
                tr("%1 NaN and %2 infinite values, which are skipped.")
                    .arg(countLabel(extents.nan), countLabel(infinite)));
    if (extents.finite == 0)
        addFlag(flags, u'0',
                extents.overflowed > 0 ? tr("No finite value within float32.")
                                       : tr("No finite value."));
    else if (extents.zeros == extents.finite)
        addFlag(flags, u'0', tr("All finite values are zero."));
    else if (extents.min == extents.max)
        addFlag(flags, u'0', tr("All finite values are %1.").arg(valueLabel(extents.min, 6)));
    else if (extents.hasLoneMaximum())
        addFlag(flags, u'1',
                tr("One value, %1 in magnitude, decides the full range: all others are at most %2.")
                    .arg(valueLabel(extents.absMax(), 4), valueLabel(extents.absSecond, 4)));
}

/// What float32 cannot hold of such a type, and how much of that there was.
void addLossFlag(TensorFlags& flags, const TensorInfo& tensor, const protocol::Preview* preview)
{
    // Of integers it is known which ones; of fractions only the last digits are lost.
    if (preview && tensor.holdsIntegers() && lossNotes(preview->extents).empty())
        return;
    addFlag(flags, u'~', QString::fromStdString(tensor.lossy));
    if (preview)
        for (const std::string& note : lossNotes(preview->extents))
            flags.reasons += QString::fromStdString(note) + u'.';
}

}  // namespace

std::span<const FlagKind> flagKinds()
{
    return kinds;
}

QString flagMeaning(const FlagKind& kind)
{
    return QCoreApplication::translate("Flags", kind.meaning);
}

bool TensorFlags::hasWarning() const
{
    return std::ranges::any_of(letters,
                               [](QChar letter) { return !QStringView(u"*−✓").contains(letter); });
}

WarningSet warningSet(const TensorFlags& flags)
{
    WarningSet warnings = 0;
    for (std::size_t kind = 0; kind < kinds.size(); ++kind)
        if (kinds[kind].weight < FlagWeight::Mark &&
            flags.letters.contains(QChar(kinds[kind].letter)))
            warnings = static_cast<WarningSet>(warnings | 1U << kind);
    return warnings;
}

QString warningLetters(WarningSet warnings)
{
    QString letters;
    for (std::size_t kind = 0; kind < kinds.size(); ++kind)
        if ((warnings & 1U << kind) != 0)
            letters += QChar(kinds[kind].letter);
    return letters;
}

QStringList meaningsOf(WarningSet warnings)
{
    QStringList meanings;
    for (std::size_t kind = 0; kind < kinds.size(); ++kind)
        if ((warnings & 1U << kind) != 0)
            meanings += flagMeaning(kinds[kind]);
    return meanings;
}

TensorFlags tensorFlags(const TensorInfo& tensor, const protocol::Preview* preview,
                        const TensorMarks& marks)
{
    TensorFlags flags;
    if (!marks.problem.isEmpty())
        addFlag(flags, u'x', marks.problem);
    else if (!tensor.isReadable())
        addFlag(flags, u'x', QString::fromStdString(tensor.unreadable.sentence));
    if (preview)
        addDataFlags(flags, preview->extents);
    if (!tensor.lossy.empty())
        addLossFlag(flags, tensor, preview);
    if (!marks.unconverged.isEmpty())
        addFlag(flags, u'±', tr("Samples: %1.").arg(marks.unconverged));
    if (tensor.isGuess)
        addFlag(flags, u'?',
                tr("Guessed: %1 (rule %2).")
                    .arg(axesLabel(tensor), QString::fromStdString(tensor.layoutRule)));
    if (marks.isEdited)
        addFlag(flags, u'*', tr("Set in this window: %1.").arg(axesLabel(tensor)));
    if (marks.isExcluded)
        addFlag(flags, u'−', tr("Excluded: skipped by Next worst and Next flagged."));
    if (!marks.decided.isEmpty())
        addFlag(flags, u'✓', tr("Accepted: %1.").arg(marks.decided));
    return flags;
}

}  // namespace calibscope
