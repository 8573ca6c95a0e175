// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/best_gains.h"

#include <QWidget>

#include <map>
#include <vector>

class QDoubleSpinBox;
class QLabel;
class QPushButton;

namespace calibscope {

/// Offers to accept the best calibrator of each tensor where it gains enough, and says before what
/// that brings; where that is not known, to compute all calibrators.
class BestOffer : public QWidget
{
    Q_OBJECT

public:
    explicit BestOffer(Document& document, QWidget* parent = nullptr);

    /// What is known now of these tensors; while calibrators are being computed, what was known.
    void refresh(const std::vector<int>& tensors);
    /// The SQNR that the tensors for which one would be accepted would have, by tensor.
    [[nodiscard]] std::map<int, double> raised() const;

Q_SIGNALS:
    void leastChanged();
    void requested(const calibscope::BestGains& best, double leastDb);

private:
    void show();
    void apply();

    Document& m_document;
    QDoubleSpinBox* m_least;
    QPushButton* m_button;
    QLabel* m_text;
    BestGains m_gains;
};

}  // namespace calibscope
