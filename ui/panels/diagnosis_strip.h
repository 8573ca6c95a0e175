// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document.h"
#include "ui/document/tensor_diagnosis.h"

#include <QWidget>

#include <optional>

class QToolButton;

namespace calibscope {

class ElidedLabel;

/// Diagnosis of the selected tensor in two lines, and the candidate that helps most, to be
/// accepted with a click. Hidden without a tensor that can be read.
class DiagnosisStrip : public QWidget
{
    Q_OBJECT

public:
    explicit DiagnosisStrip(Document& document, QWidget* parent = nullptr);

    /// Hides it where the page tells of more than one tensor.
    void setWanted(bool isWanted);
    /// Instead of the diagnosis: what the pointer is on in a plot below; empty: it is on nothing.
    void explain(const QString& text);
    /// The line as it is shown, for tests and screen readers.
    [[nodiscard]] QString text() const;

private:
    void follow();

    Document& m_document;
    ElidedLabel* m_sentence;
    QToolButton* m_accept;
    QString m_explanation;
    bool m_isWanted = true;
    std::optional<BetterChoice> m_better;
};

/// Accepts for the selected tensor what gains most over the chosen recipe; false: nothing does, as
/// far as it is known.
bool acceptBetter(Document& document);

}  // namespace calibscope
