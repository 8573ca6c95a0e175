// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document.h"
#include "ui/widgets/message_bar.h"

#include <set>

namespace calibscope {

/// Above the plots of a tensor: that its role and axes are a guess, that its bytes may be of
/// another type, or that it lies in another file; and what can be done about it. Closing it
/// holds for the tensor as long as the file is open.
class LayoutStrip : public MessageBar
{
    Q_OBJECT

public:
    explicit LayoutStrip(Document& document, QWidget* parent = nullptr);

Q_SIGNALS:
    void changeRequested();

private:
    void update();
    void sayGuess(const TensorInfo& tensor);
    void sayTypes(const TensorInfo& tensor);
    void sayOffer(const TypeOffer& offer);
    [[nodiscard]] Remedy readAs(ElementKind elementType, const std::vector<int>& tensors,
                                const QString& text);
    [[nodiscard]] Remedy change();

    Document& m_document;
    std::set<std::string> m_closed;  ///< paths of tensors
};

/// Confirms the guess of the selected tensor, or of all like it, and goes to the next kind of guess
/// in that case. False where nothing is guessed.
bool confirmGuess(Document& document, bool ofAllAlike);

}  // namespace calibscope
