// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>

#include <initializer_list>

class QHBoxLayout;
class QStackedLayout;

namespace calibscope {

class ElidedLabel;
class PlotView;
class StateNotice;

/// A page of an open dump: its body, or a notice in place of that while there is nothing to show.
class WorkspacePage : public QWidget
{
    Q_OBJECT

public:
    /// The plot that zooming, copying and exporting act on; nullptr while none is shown.
    [[nodiscard]] virtual PlotView* currentPlot() const { return nullptr; }
    [[nodiscard]] const StateNotice& notice() const { return *m_notice; }
    [[nodiscard]] bool showsNotice() const;
    /// Progress, and its subject.
    [[nodiscard]] QString state() const;

Q_SIGNALS:
    /// Readout under the pointer; empty when it has left.
    void readoutChanged(const QString& text);
    /// Wants to be looked at closely.
    void tensorChosen(int tensor);

protected:
    explicit WorkspacePage(QWidget* parent);

    /// Body and notice take what `above` leaves of the page.
    void fillWith(QWidget* body, std::initializer_list<QWidget*> above = {});
    void showBody();
    void say(const QString& title, const QString& sentence, const QString& button = {},
             const QString& secondButton = {});
    /// A line: a bold title with that tool tip, if any, and the state, which gives way to what is
    /// added behind.
    [[nodiscard]] QHBoxLayout* makeStateLine(QWidget* parent, const QString& title = {},
                                             const QString& help = {});
    /// The palette is another one.
    virtual void recolor() {}
    void changeEvent(QEvent* event) override;

    StateNotice* m_notice;
    ElidedLabel* m_state = nullptr;  ///< nullptr: it tells none

private:
    QStackedLayout* m_stack;
};

}  // namespace calibscope
