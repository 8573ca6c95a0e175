// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/parameter.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QString>
#include <QWidget>

#include <functional>
#include <span>
#include <string>
#include <vector>

class QGridLayout;
class QLabel;
class QToolButton;

namespace calibscope {

class ElidedLabel;

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
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    /// Only what has the focus turns: the wheel also scrolls the form that it is in.
    void wheelEvent(QWheelEvent* event) override;

private:
    [[nodiscard]] QString withoutUnit(const QString& text) const;

    bool m_isWhole;
};

/// One setting as the control that suits its kind: a number with its range, step and unit, a list
/// of words, or both. A text is shown, and edited by nobody.
class ParameterControl : public QWidget
{
    Q_OBJECT

public:
    explicit ParameterControl(const Parameter& parameter, QWidget* parent = nullptr);

    /// A value that the parameter accepts. Tells nobody.
    void setValue(const QString& value);
    [[nodiscard]] QString value() const;

    /// How the words are shown, in their order.
    void setWords(const QStringList& shown);

Q_SIGNALS:
    void edited(const QString& value);  ///< by the user

private:
    [[nodiscard]] bool isNumberChosen() const;
    void chooseWord();

    Parameter m_parameter;
    QComboBox* m_words = nullptr;   ///< nullptr: takes no words
    NumberBox* m_number = nullptr;  ///< nullptr: takes no numbers
    ElidedLabel* m_text = nullptr;  ///< nullptr: is no text, which is shown and not edited
    QLabel* m_list = nullptr;       ///< nullptr: takes no number for each channel
    QString m_listed;               ///< the numbers; empty: it has one, or a word
};

/// A parameter's meaning, accepted values and default: three lines for a tooltip.
[[nodiscard]] QString parameterToolTip(const Parameter& parameter);

/// A labelled control for each of some parameters, the labels above them where it is narrow. A
/// value that is not what it was at first is marked, with a button that puts it back.
class ParameterForm : public QWidget
{
    Q_OBJECT

public:
    using ValueOf = std::function<std::string(const std::string& id)>;

    explicit ParameterForm(QWidget* parent = nullptr);

    /// Other parameters make other controls; the same ones keep theirs, and the focus.
    void setParameters(std::span<const Parameter> parameters);
    /// Meanings of words, shown behind them: "qmax: 127". Blank: nothing is.
    using MeaningOf = std::function<QString(const Parameter& parameter, const std::string& word)>;
    void setMeanings(const MeaningOf& meaning);
    /// Their values, and those that the button of each goes back to.
    void setValues(const ValueOf& now, const ValueOf& first);

    [[nodiscard]] ParameterControl& control(const std::string& id) const;
    [[nodiscard]] bool isMarked(const std::string& id) const;
    [[nodiscard]] bool isStacked() const { return m_isStacked; }  ///< labels are above

Q_SIGNALS:
    void edited(const std::string& id, const std::string& value);  ///< by the user

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Row
    {
        Parameter parameter;
        QLabel* label = nullptr;
        ParameterControl* control = nullptr;
        QToolButton* reset = nullptr;
    };

    void addRow(const Parameter& parameter);
    /// Labels beside their controls, or above them where they have no room there.
    void place();
    [[nodiscard]] int widthBeside() const;  ///< that labels and controls need side by side
    [[nodiscard]] const Row& row(const std::string& id) const;

    QGridLayout* m_grid;
    std::vector<Row> m_rows;
    bool m_isStacked = false;
};

}  // namespace calibscope
