#pragma once

#include "core/serve/protocol/messages.h"
#include "core/stats/tensor_info.h"

#include <QString>
#include <QStringList>

namespace calibscope {

/// What a row of the tensor list warns of, one letter each, and the reasons as sentences.
struct TensorFlags
{
    QString letters;  ///< of "x!0?", in this order
    QStringList reasons;

    [[nodiscard]] bool isEmpty() const { return letters.isEmpty(); }
};

/// x: can't be read; !: NaN or infinities; 0: constant or all zero; ?: role or axes are guessed.
/// `glance` is nullptr until it was computed.
[[nodiscard]] TensorFlags tensorFlags(const TensorInfo& tensor, const serve::Glance* glance);

}  // namespace calibscope
