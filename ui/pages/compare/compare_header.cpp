// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/compare/compare_header.h"

#include "ui/document/compare_edits.h"
#include "ui/models/candidate_style.h"
#include "ui/panels/dump_choice.h"
#include "ui/plot/number_label.h"
#include "ui/theme/icons.h"
#include "ui/theme/plain_text.h"
#include "ui/widgets/parts_label.h"
#include "ui/widgets/segments.h"

#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>
#include <QToolButton>

namespace calibscope {

namespace {

constexpr QSize signSize(32, 16);
constexpr QSize swatchSize(16, 16);

/// "2026-07-01 10:12 UTC" of "2026-07-01T10:12:33Z".
QString dateText(const std::string& iso)
{
    QString text = QString::fromStdString(iso).left(16);
    return text.replace(u'T', u' ') + (text.isEmpty() ? QString() : QStringLiteral(" UTC"));
}

}  // namespace

CompareHeader::CompareHeader(Comparison& comparison, QWidget* parent)
    : QWidget(parent),
      m_comparison(comparison),
      m_swap(new QToolButton(this)),
      m_modes(new Segments(this))
{
    m_a = makeLine();
    m_b = makeLine();
    m_swap->setText(tr("Swap"));
    m_swap->setToolTip(tr("Swaps A and B: B becomes the open dump"));
    connect(m_swap, &QToolButton::clicked, this, &CompareHeader::swapRequested);
    m_modes->setAccessibleName(tr("View of the comparison"));
    // In the order of CompareMode.
    m_modes->add(tr("Overlay"), tr("A as columns, B as a line over them"));
    m_modes->add(tr("Side by side"), tr("Each in its own bins"));
    m_modes->add(tr("Difference"), tr("Difference B − A"));
    connect(m_modes, &Segments::chosen, this, [this](int mode) {
        setCompareMode(m_comparison.document(), static_cast<CompareMode>(mode));
    });

    auto* layout = new QGridLayout(this);
    layout->setContentsMargins({});
    layout->setHorizontalSpacing(8);
    layout->setVerticalSpacing(2);
    int row = 0;
    for (const Line& line : {m_a, m_b}) {
        layout->addWidget(line.sign, row, 0, Qt::AlignCenter);
        layout->addWidget(line.name, row, 1);
        layout->addWidget(line.facts, row++, 2);
    }
    layout->setColumnStretch(2, 1);
    layout->addWidget(m_swap, 0, 3, Qt::AlignRight);
    layout->addWidget(m_modes, 1, 3, Qt::AlignRight);
    connect(&comparison, &Comparison::stateChanged, this, &CompareHeader::refresh);
    connect(&comparison.document(), &Document::changed, this, [this](const DocumentChange& change) {
        if (change.concerns(DocumentChange::Workbench))
            refresh();
    });
    refresh();
}

CompareHeader::Line CompareHeader::makeLine()
{
    Line line{.sign = new PlainLabel(this),
              .name = new ElidedLabel(Qt::ElideMiddle, this),
              .facts = new ElidedLabel(Qt::ElideRight, this)};
    QFont bold = line.name->font();
    bold.setBold(true);
    line.name->setFont(bold);
    line.facts->setForegroundRole(QPalette::PlaceholderText);
    line.facts->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    return line;
}

void CompareHeader::refresh()
{
    const Document& document = m_comparison.document();
    const ChartColors& colors = chartColors(palette());
    const QStringList titles = dumpTitles({document.path(), m_comparison.path()});
    showDump(m_a, document.path(), document.dump());
    showDump(m_b, m_comparison.path(), m_comparison.dump());
    // As they are drawn below.
    const CompareMode mode = document.workbench().compared.mode;
    SeriesStyle line = recordingStyle(ComparedSide::B, colors);
    line.pen = Qt::SolidLine;
    m_a.sign->setPixmap(
        swatchIcon(recordingStyle(ComparedSide::A, colors).color).pixmap(swatchSize));
    m_b.sign->setPixmap(mode == CompareMode::Overlay ? lineIcon(line).pixmap(signSize)
                                                     : swatchIcon(line.color).pixmap(swatchSize));
    m_a.name->setText(QStringLiteral("A  ") + titles[0]);
    m_b.name->setText(QStringLiteral("B  ") + titles[1]);
    m_modes->setCurrent(static_cast<int>(mode));
}

void CompareHeader::showDump(const Line& line, const QString& path,
                             const protocol::DumpOpened& dump)
{
    QStringList facts;
    if (dump.identity.bytes > 0)
        facts << bytesLabel(dump.identity.bytes) << dateText(dump.identity.modified);
    facts << QFileInfo(path).path();
    line.facts->setText(facts.join(QStringLiteral("   ")));
    line.facts->setToolTip(path);
}

}  // namespace calibscope
