// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QScrollArea>
#include <QStringList>

class QGridLayout;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace calibscope {

/// The page while no dump is open: ways to open one, and how to record one.
class StartPage : public QScrollArea
{
    Q_OBJECT

public:
    explicit StartPage(QWidget* parent = nullptr);

    /// Newest first. Whether they still exist is found out in the background.
    void setRecentFiles(const QStringList& paths);
    void setSampleAvailable(bool available);

Q_SIGNALS:
    void openRequested();
    void sampleRequested();
    void fileRequested(const QString& path);
    /// Of the recent files, after a while.
    void missingFilesFound(const QStringList& paths);

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    [[nodiscard]] QWidget* makeOpening();
    [[nodiscard]] QWidget* makeRecording();
    void showRecentFiles();
    void findMissingFiles();

    QGridLayout* m_grid = nullptr;
    bool m_isNarrow = false;
    QWidget* m_recording = nullptr;
    QPushButton* m_sampleButton = nullptr;
    QLabel* m_recentTitle = nullptr;
    QVBoxLayout* m_recentList = nullptr;
    QStringList m_recentFiles;
    QStringList m_missingFiles;  ///< of these
};

}  // namespace calibscope
