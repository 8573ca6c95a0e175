#pragma once

#include <QString>
#include <QWidget>

class QLabel;
class QTimer;

namespace calibscope {

class ReadProgress;
class Session;
class WorkspaceTabs;

/// What goes into the status bar: what is being read, what is drawn, what is under the pointer.
class StatusLine : public QWidget
{
    Q_OBJECT

public:
    StatusLine(Session& session, const WorkspaceTabs& pages, QWidget* parent = nullptr);

private:
    void showReading();
    void countGuesses();
    void countSettled();
    void showBackground();
    void showDrawn();

    const Session& m_session;
    ReadProgress* m_progress;
    QLabel* m_background;
    QString m_guesses;  ///< how many there are, for the end of a sentence
    QLabel* m_settled;
    QLabel* m_drawn;
    QLabel* m_readout;
    QTimer* m_counting;
};

}  // namespace calibscope
