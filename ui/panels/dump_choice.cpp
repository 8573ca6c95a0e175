// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/dump_choice.h"

#include "ui/theme/plain_text.h"

#include <QComboBox>
#include <QDir>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>

#include <algorithm>

namespace calibscope {

QStringList dumpTitles(const QStringList& paths)
{
    QStringList titles;
    for (const QString& path : paths) {
        const QFileInfo file(path);
        const auto isNamesake = [&](const QString& other) {
            return other != path && QFileInfo(other).fileName() == file.fileName();
        };
        titles += std::any_of(paths.begin(), paths.end(), isNamesake)
                      ? QStringLiteral("%1/%2").arg(file.dir().dirName(), file.fileName())
                      : file.fileName();
    }
    return titles;
}

DumpChoice::DumpChoice(QWidget* parent) : QWidget(parent), m_box(new QComboBox(this))
{
    auto* label = new PlainLabel(tr("Dump:"), this);
    label->setBuddy(m_box);
    m_box->setObjectName(QStringLiteral("dumpChoice"));
    m_box->setAccessibleName(tr("Dump shown"));
    m_box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_box->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(6);
    layout->addWidget(label);
    layout->addWidget(m_box, 1);
    connect(m_box, &QComboBox::activated, this, &DumpChoice::chosen);
    hide();
}

void DumpChoice::setDumps(const QStringList& paths, int shown)
{
    const QSignalBlocker silent(m_box);
    m_box->clear();
    const QStringList titles = dumpTitles(paths);
    for (int place = 0; place < titles.size(); ++place) {
        m_box->addItem(titles[place]);
        m_box->setItemData(place, paths[place], Qt::ToolTipRole);
    }
    m_box->setCurrentIndex(shown);
    if (shown < paths.size())
        m_box->setToolTip(paths[shown]);
    setVisible(paths.size() > 1);
}

}  // namespace calibscope
