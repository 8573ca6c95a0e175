// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/best_gains.h"

#include <QWidget>

#include <map>
#include <optional>
#include <vector>

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QPushButton;

namespace calibscope {

class Deployment;

/// Offers to accept the best calibrator of each tensor, or for each layer's output, or for the
/// network's end, where it gains enough, with the gain in words before; where that is not known, to compute it.
class BestOffer : public QWidget
{
    Q_OBJECT

public:
    explicit BestOffer(Document& document, QWidget* parent = nullptr);

    /// Offers the gains at the network's end, too.
    void addEnd(Deployment& deployment);
    /// What is known now of these tensors; while calibrators are being computed, what was known.
    void refresh(const std::vector<int>& tensors);
    /// The SQNR that the tensors for which one would be accepted would have, by tensor; none where
    /// gains are those of layers.
    [[nodiscard]] std::map<int, double> raised() const;

Q_SIGNALS:
    void changed();  ///< what is asked for
    void requested(const calibscope::BestGains& best, double leastDb);

private:
    void show();
    void apply();
    [[nodiscard]] GainBasis basis() const;
    /// Why there is nothing to be offered, as a sentence; empty: there may be.
    [[nodiscard]] QString obstacle() const;
    /// Of what is being computed; nothing: nothing is.
    [[nodiscard]] std::optional<QString> progress() const;

    Document& m_document;
    Deployment* m_deployment = nullptr;
    QDoubleSpinBox* m_least;
    QComboBox* m_basis;
    QPushButton* m_button;
    QLabel* m_text;
    BestGains m_gains;
    Schemes m_schemes = Schemes::All;  ///< of these
};

}  // namespace calibscope
