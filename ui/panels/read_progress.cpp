#include "ui/panels/read_progress.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QTimer>

namespace calibscope {

namespace {

constexpr int noticeableMs = 150;

}  // namespace

ReadProgress::ReadProgress(QWidget* parent)
    : QWidget(parent), m_text(new QLabel(this)), m_bar(new QProgressBar(this))
{
    auto* cancel = new QPushButton(tr("Cancel"), this);
    cancel->setObjectName(QStringLiteral("cancelReading"));
    connect(cancel, &QPushButton::clicked, this, &ReadProgress::cancelled);
    m_bar->setFixedWidth(180);
    m_bar->setMaximum(100);

    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(8, 0, 8, 0);
    layout->addWidget(m_text);
    layout->addWidget(m_bar);
    layout->addWidget(cancel);
    hide();
}

void ReadProgress::start(const QString& what)
{
    m_isReading = true;
    m_text->setText(what);
    m_bar->setValue(0);
    QTimer::singleShot(noticeableMs, this, [this] { setVisible(m_isReading); });
}

void ReadProgress::setShare(double share)
{
    m_bar->setValue(static_cast<int>(100.0 * share));
}

void ReadProgress::finish()
{
    m_isReading = false;
    hide();
}

}  // namespace calibscope
