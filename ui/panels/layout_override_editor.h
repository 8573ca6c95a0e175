// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/layout_override.h"
#include "ui/document/document.h"
#include "ui/widgets/card_frame.h"

class QComboBox;
class QHBoxLayout;
class QLabel;
class QPushButton;
class QSpinBox;

namespace calibscope {

/// What has to be said of a recorded tensor so that it has the role, axes, batch size and element
/// type of `wanted`: no more than differs, so that the same can be said of tensors like it.
/// Requires axes and type that the tensor has, and not one axis for both.
[[nodiscard]] LayoutOverride differenceOf(const TensorInfo& recorded, const TensorInfo& wanted);

class ElidedLabel;

/// Lets the user say how the selected tensor is to be understood, or all tensors like it. Only
/// what the tensor has can be chosen: its own axes, the types that its bytes may be.
class LayoutOverrideEditor : public CardFrame
{
    Q_OBJECT

public:
    explicit LayoutOverrideEditor(Document& document, QWidget* parent = nullptr);

    /// Opens on the selected tensor; does nothing without one.
    void edit();
    /// The override that will be set.
    [[nodiscard]] LayoutOverride layoutOverride() const;

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void makeFields();
    [[nodiscard]] QWidget* makeButtons();
    void addField(QHBoxLayout* fields, const QString& title, QWidget* field);
    void showTensor();
    void showAxes(const TensorInfo& tensor);
    void fill(const TensorInfo& tensor);
    [[nodiscard]] TensorInfo wanted() const;
    [[nodiscard]] std::vector<int> scope() const;
    void followRole();
    /// An axis is either of samples or of channels: the other one gives way.
    void giveWay(const QComboBox& chosen, QComboBox& other);
    void showPreview();
    void apply();
    void goBack();
    void closeEditor() { hide(); }

    Document& m_document;
    int m_tensor = -1;
    TensorInfo m_recorded;
    std::vector<int> m_like;
    ElidedLabel* m_title;
    QLabel* m_preview;
    QComboBox* m_role;
    QComboBox* m_batchAxis;
    QSpinBox* m_batchSize;
    QComboBox* m_channelAxis;
    QComboBox* m_type;
    QComboBox* m_scope;
    QPushButton* m_back = nullptr;
    bool m_isFilling = false;
};

}  // namespace calibscope
