// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/table_model.h"

#include "ui/models/candidate_style.h"

#include <QFont>
#include <QGuiApplication>
#include <QPalette>

namespace calibscope {

QVariant gradeFont(Grade grade)
{
    QFont font;
    switch (grade) {
    case Grade::Plain:
    case Grade::Faint:
    case Grade::Disabled:
    case Grade::Warning: return {};
    case Grade::Link: font.setUnderline(true); break;
    case Grade::Bold:
    case Grade::Severe:
    case Grade::MoreInB:
    case Grade::LessInB: font.setBold(true); break;
    }
    return font;
}

QVariant gradeInk(Grade grade)
{
    const QPalette palette = QGuiApplication::palette();
    const auto ink = [&palette](const SeriesStyle& style) {
        return QVariant(readableOn(palette.base().color(), style.color));
    };
    const ChartColors& colors = chartColors(palette);
    switch (grade) {
    case Grade::Plain:
    case Grade::Bold: return {};
    case Grade::Faint: return palette.color(QPalette::PlaceholderText);
    case Grade::Disabled: return palette.brush(QPalette::Disabled, QPalette::Text);
    case Grade::Link: return palette.color(QPalette::Link);
    case Grade::Warning: return ink(seriesStyle(4, colors));
    case Grade::Severe: return ink(seriesStyle(1, colors));
    case Grade::MoreInB: return ink(recordingStyle(ComparedSide::B, colors));
    case Grade::LessInB: return ink(recordingStyle(ComparedSide::A, colors));
    }
    return {};
}

}  // namespace calibscope
