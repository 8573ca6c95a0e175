// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/layout_override.h"

#include <QMap>

#include <map>
#include <string>
#include <vector>

namespace calibscope {

/// The user's statements on a tensor.
struct TensorSaid
{
    LayoutOverride layoutOverride;  ///< where it is to be another than its file says
    bool isConfirmed = false;       ///< what was guessed is right

    bool operator==(const TensorSaid&) const = default;
};

/// The tensors of a dump as they are to be understood: as their file says, but for what the user
/// said of some of them.
class DumpTensors
{
public:
    /// The tensors of a dump that was read. What was said of a path before holds for it again,
    /// where it still can.
    void setRecorded(std::vector<TensorInfo> tensors);
    /// Forgets the tensors and all that was said.
    void clear();

    [[nodiscard]] const std::vector<TensorInfo>& all() const { return m_tensors; }
    [[nodiscard]] const TensorInfo& at(int tensor) const;
    /// As the file says.
    [[nodiscard]] const TensorInfo& recorded(int tensor) const;
    [[nodiscard]] LayoutOverride layoutOverride(int tensor) const;
    [[nodiscard]] bool isEdited(int tensor) const { return !layoutOverride(tensor).isEmpty(); }
    /// Tensors that are understood otherwise than their file says, in their order.
    [[nodiscard]] std::vector<int> edited() const;
    /// The guess for it was confirmed.
    [[nodiscard]] bool isConfirmed(int tensor) const;
    /// The tensors of which the same may be said as of that one; itself among them.
    [[nodiscard]] std::vector<int> like(int tensor) const;

    /// Whether that may be said of the tensor: it has such axes and such a type.
    [[nodiscard]] bool allows(int tensor, const LayoutOverride& layoutOverride) const;
    struct Changed
    {
        std::vector<int> anew;       ///< understood otherwise than before
        std::vector<int> confirmed;  ///< only a guess or no longer one
    };
    /// Says this and nothing else, by the tensors' paths; what does not fit is left unsaid.
    Changed saySolely(const QMap<std::string, TensorSaid>& said);

    /// Both return the tensors that are another afterwards. An empty layout override goes back to
    /// the file. A tensor for which it can't be (an axis or type that it has not) stays as it was.
    std::vector<int> understand(const std::vector<int>& tensors,
                                const LayoutOverride& layoutOverride);
    /// The guess is confirmed.
    std::vector<int> confirm(const std::vector<int>& tensors);

private:
    struct Said
    {
        TensorInfo recorded;
        TensorSaid words;
    };

    [[nodiscard]] bool say(int tensor, const TensorSaid& words);

    std::vector<TensorInfo> m_tensors;
    std::map<int, Said> m_said;
};

}  // namespace calibscope
