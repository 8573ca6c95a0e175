// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QString>
#include <QStringList>

#include <functional>

namespace calibscope::test {

/// How a picture is taken: in light or dark, in one or two pixels for each.
struct GoldenVariant
{
    bool isDark = false;
    double scale = 1.0;
};

/// What is compared: pixels, and what the painter was told (RecordedPainting::lines).
struct GoldenView
{
    QImage picture;
    QStringList drawn;
};

/// Which pictures are kept of a view. Fine: two pixels for each, where that differs in kind.
enum class GoldenLooks { Light, LightAndDark, LightDarkAndFine };

/// Compares a view with what tests/golden holds of it, and says in a CHECK what differs:
/// - drawn/NAME.txt: texts, curves and bars as they are drawn in light. In every version of Qt;
///   where the style or the layout may differ (another Qt than 6.4) texts and plots alone, as they
///   lie in their widget, 12 pixels and 3 % off at most: headers and scroll bars of another style
///   are some pixels larger, and what is beside them as much smaller.
/// - pictures/NAME-light-1x.png and so on, tile by tile, with the version of Qt that they were made
///   with, 6.4; elsewhere the picture has to be there, as large, and not blank.
/// What differs is written beside the program, in golden_failures, to look at.
///
/// With the environment variable CALIBSCOPE_WRITE_GOLDEN set both are written instead, pictures in
/// few colours, each of which is off by less than what counts as a difference:
///
///     CALIBSCOPE_WRITE_GOLDEN=1 QT_QPA_PLATFORM=offscreen ctest --preset dev -R ui/golden
void checkGolden(const QString& name, const std::function<GoldenView(const GoldenVariant&)>& take,
                 GoldenLooks looks = GoldenLooks::LightAndDark);

/// How closely recorded lines have to agree: by a pixel in the window, or, with another style and
/// layout, texts and plots by some in their widget.
enum class DrawnMatch { Same, OtherStyle };

/// The first few lines that differ, or how many there are of them; empty: none.
[[nodiscard]] QStringList drawnDifferences(const QStringList& golden, const QStringList& drawn,
                                           DrawnMatch match = DrawnMatch::Same);

/// Where the first tile of 16 x 16 pixels is that differs by more than the edges of a letter, with
/// the number of its pixels that do; empty: none does. Of pictures of different size: all.
[[nodiscard]] QString differingTile(const QImage& one, const QImage& other);

}  // namespace calibscope::test
