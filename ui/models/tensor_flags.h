#pragma once

#include "core/serve/protocol/messages.h"
#include "core/stats/tensor_info.h"

#include <QString>
#include <QStringList>

namespace calibscope {

/// What a row of the tensor list warns of, one letter each, and the reasons as sentences.
struct TensorFlags
{
    QString letters;  ///< of "x!0?*", in this order
    QStringList reasons;

    [[nodiscard]] bool isEmpty() const { return letters.isEmpty(); }
    /// Something to look after: more than that the user spoke.
    [[nodiscard]] bool hasWarning() const { return !letters.isEmpty() && letters != u'*'; }
};

/// x: can't be read; !: NaN or infinities; 0: constant or all zero; ?: role or axes are guessed;
/// *: they were set in the window. `glance` is nullptr until it was computed.
[[nodiscard]] TensorFlags tensorFlags(const TensorInfo& tensor, const serve::Glance* glance,
                                      bool isEdited = false);

}  // namespace calibscope
