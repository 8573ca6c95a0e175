#pragma once

#include <QImage>
#include <QString>

#include <functional>

namespace calibscope::test {

/// How a picture is taken: each one in light and dark, in one and in two pixels for each.
struct GoldenVariant
{
    bool isDark = false;
    double scale = 1.0;
};

/// Compares a picture in all its variants with those in tests/golden/pictures (NAME-light-1x.png
/// and so on), and says in a CHECK which differ and by how much. By pixel only with the Qt version
/// that they were made with, 6.4; elsewhere the picture has to be there, as large, and not blank.
/// A picture that differs is written beside the program, in golden_failures, to look at.
///
/// With the environment variable CALIBSCOPE_WRITE_GOLDEN set the pictures are written instead, in
/// few colours, each of which is off by less than what counts as a difference:
///
///     CALIBSCOPE_WRITE_GOLDEN=1 QT_QPA_PLATFORM=offscreen ctest --preset dev -R "looks? as"
///
/// Each test in a program of its own, as ctest runs them: the first window of a program lays out a
/// few pixels otherwise than later ones.
void checkGolden(const QString& name, const std::function<QImage(const GoldenVariant&)>& take);

/// Share of the pixels, 0 to 1, that differ clearly; 1 for pictures of different size.
[[nodiscard]] double differingShare(const QImage& one, const QImage& other);

}  // namespace calibscope::test
