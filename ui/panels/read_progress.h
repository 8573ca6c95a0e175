#pragma once

#include <QString>
#include <QWidget>

class QLabel;
class QProgressBar;

namespace calibscope {

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

}  // namespace calibscope
