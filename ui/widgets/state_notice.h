// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>

class QLabel;
class QPushButton;

namespace calibscope {

/// Stands where a plot would be if there were one: what is the matter, and at most two things to
/// do.
class StateNotice : public QWidget
{
    Q_OBJECT

public:
    explicit StateNotice(QWidget* parent = nullptr);

    /// Buttons with an empty text are not shown.
    void say(const QString& title, const QString& sentence, const QString& button = {},
             const QString& secondButton = {});
    [[nodiscard]] QString sentence() const;
    /// Narrower than the sentence is at present: it is wrapped as there is room.
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    void buttonClicked();
    void secondButtonClicked();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QLabel* m_title;
    QLabel* m_sentence;
    QPushButton* m_button;
    QPushButton* m_secondButton;
};

}  // namespace calibscope
