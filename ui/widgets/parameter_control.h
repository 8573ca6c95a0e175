#pragma once

#include "core/base/parameter.h"

#include <QComboBox>
#include <QString>
#include <QWidget>

namespace calibscope {

class NumberBox;

/// One setting as the control that suits its kind: a number with its range, step and unit, a list
/// of words, or both.
class ParameterControl : public QWidget
{
    Q_OBJECT

public:
    explicit ParameterControl(const Parameter& parameter, QWidget* parent = nullptr);

    /// A value that the parameter accepts. Tells nobody.
    void setValue(const QString& value);
    [[nodiscard]] QString value() const;

Q_SIGNALS:
    void edited(const QString& value);  ///< by the user

private:
    [[nodiscard]] bool isNumberChosen() const;
    void chooseWord();

    Parameter m_parameter;
    QComboBox* m_words = nullptr;   ///< nullptr: takes no words
    NumberBox* m_number = nullptr;  ///< nullptr: takes no numbers
};

/// What a parameter means, what it accepts, and its default: three lines for a tooltip.
[[nodiscard]] QString parameterToolTip(const Parameter& parameter);

}  // namespace calibscope
