#pragma once

#include "core/base/parameter.h"

#include <QDoubleSpinBox>

namespace calibscope {

/// A spin box for the numbers of a parameter: any power of ten, written as short as they can be
/// read back, with a decimal point whatever the desktop's language.
class NumberBox : public QDoubleSpinBox
{
    Q_OBJECT

public:
    explicit NumberBox(const Parameter& parameter, QWidget* parent = nullptr);

    [[nodiscard]] QString textFromValue(double value) const override;
    [[nodiscard]] double valueFromText(const QString& text) const override;
    [[nodiscard]] QValidator::State validate(QString& text, int& position) const override;
    void stepBy(int steps) override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    /// Only what has the focus turns: the wheel also scrolls the form that it is in.
    void wheelEvent(QWheelEvent* event) override;

private:
    [[nodiscard]] QString withoutUnit(const QString& text) const;

    bool m_isWhole;
};

}  // namespace calibscope
