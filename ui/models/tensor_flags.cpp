#include "ui/models/tensor_flags.h"

#include "ui/document/tensor_text.h"
#include "ui/plot/number_label.h"
#include "ui/theme/translate.h"

#include <algorithm>

namespace calibscope {

namespace {

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
    addFlag(flags, u'~', QString::fromStdString(tensor.lossy));
    if (preview)
        for (const std::string& note : lossNotes(preview->extents))
            flags.reasons += QString::fromStdString(note) + u'.';
}

}  // namespace

bool TensorFlags::hasWarning() const
{
    return std::ranges::any_of(letters,
                               [](QChar letter) { return !QStringView(u"*−✓").contains(letter); });
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
    if (!marks.unsettled.isEmpty())
        addFlag(flags, u'±', tr("Samples: %1.").arg(marks.unsettled));
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
