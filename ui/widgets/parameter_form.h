#pragma once

#include "core/base/parameter.h"

#include <QWidget>

#include <functional>
#include <span>
#include <string>
#include <vector>

class QGridLayout;
class QLabel;
class QToolButton;

namespace calibscope {

class ParameterControl;

/// A labelled control for each of some parameters. A value that is not what it was at first is
/// marked, with a button that puts it back.
class ParameterForm : public QWidget
{
    Q_OBJECT

public:
    using ValueOf = std::function<std::string(const std::string& id)>;

    explicit ParameterForm(QWidget* parent = nullptr);

    /// Other parameters make other controls; the same ones keep theirs, and the focus.
    void setParameters(std::span<const Parameter> parameters);
    /// Their values, and those that the button of each goes back to.
    void setValues(const ValueOf& now, const ValueOf& first);

    [[nodiscard]] ParameterControl& control(const std::string& id) const;
    [[nodiscard]] bool isMarked(const std::string& id) const;

Q_SIGNALS:
    void edited(const std::string& id, const std::string& value);  ///< by the user

protected:
    void changeEvent(QEvent* event) override;

private:
    struct Row
    {
        Parameter parameter;
        QLabel* label = nullptr;
        ParameterControl* control = nullptr;
        QToolButton* reset = nullptr;
    };

    void addRow(const Parameter& parameter);
    void drawIcons();
    [[nodiscard]] const Row& row(const std::string& id) const;

    QGridLayout* m_grid;
    std::vector<Row> m_rows;
};

}  // namespace calibscope
