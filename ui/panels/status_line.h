// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/message_log.h"

#include <QString>
#include <QToolButton>
#include <QWidget>

class QLabel;
class QProgressBar;
class QTimer;

namespace calibscope {

class Document;
class WorkspaceTabs;
struct DocumentChange;

/// In the status bar: how many warnings and problems the log has. Hidden without any.
class MessageCount : public QToolButton
{
    Q_OBJECT

public:
    explicit MessageCount(const MessageLog& log, QWidget* parent = nullptr);

private:
    void count();

    const MessageLog& m_log;
};

/// How far the reading is that the user waits for, with a way to stop it. Shown only once it takes
/// long enough to be noticed.
class ReadProgress : public QWidget
{
    Q_OBJECT

public:
    explicit ReadProgress(QWidget* parent = nullptr);

    void start(const QString& what);  ///< "reading conv1"
    void setShare(double share);      ///< 0 to 1
    void finish();

Q_SIGNALS:
    void cancelled();

private:
    QLabel* m_text;
    QProgressBar* m_bar;
    bool m_isReading = false;
};

/// What goes into the status bar: what is being read, what is drawn, what is under the pointer.
class StatusLine : public QWidget
{
    Q_OBJECT

public:
    StatusLine(Document& document, const WorkspaceTabs& pages, QWidget* parent = nullptr);

private:
    void follow(const DocumentChange& change);
    void showReading();
    void countGuesses();
    void countAccepted();
    void showBackground();
    void showDrawn();

    const Document& m_document;
    ReadProgress* m_progress;
    QLabel* m_background;
    QString m_guesses;  ///< how many there are, for the end of a sentence
    QLabel* m_accepted;
    QLabel* m_drawn;
    QLabel* m_readout;
    QTimer* m_counting;
};

}  // namespace calibscope
