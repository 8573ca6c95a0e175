// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <vector>

class QGridLayout;
class QLabel;

namespace calibscope {

/// Controls with their labels before them, as many beside each other as there is room for.
class FieldGrid : public QWidget
{
    Q_OBJECT

public:
    explicit FieldGrid(QWidget* parent = nullptr);

    /// Takes the control.
    void add(const QString& label, QWidget* control);
    /// Removes all of them.
    void clear();
    [[nodiscard]] bool isEmpty() const { return m_fields.empty(); }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Field
    {
        QLabel* label;
        QWidget* control;
    };
    void arrange();

    QGridLayout* m_grid;
    std::vector<Field> m_fields;
    int m_columns = 0;  ///< as they are arranged; 0: not yet
};

}  // namespace calibscope
