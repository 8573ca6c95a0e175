// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/number_label.h"

#include "tests/support/catch.h"

#include <limits>

namespace number_label_test {

using namespace calibscope;

TEST_CASE("values have four significant digits and no zeros at the end")
{
    CHECK(valueLabel(2.39071).toStdString() == "2.391");
    CHECK(valueLabel(0.018824).toStdString() == "0.01882");
    CHECK(valueLabel(3.7).toStdString() == "3.7");
    CHECK(valueLabel(-234.2).toStdString() == "−234.2");
    CHECK(valueLabel(15000.0).toStdString() == "15000");
    CHECK(valueLabel(2.3456789, 6).toStdString() == "2.34568");
}

TEST_CASE("rounding up to the next power of ten keeps the number of digits")
{
    CHECK(valueLabel(9.99996).toStdString() == "10");
    CHECK(valueLabel(0.000099999).toStdString() == "0.0001");
    CHECK(valueLabel(999999.0).toStdString() == "1×10⁶");
}

TEST_CASE("very small and very large values are powers of ten")
{
    CHECK(valueLabel(3.2e-7).toStdString() == "3.2×10⁻⁷");
    CHECK(valueLabel(-1.5e40).toStdString() == "−1.5×10⁴⁰");
    CHECK(valueLabel(1.4e-45, 2).toStdString() == "1.4×10⁻⁴⁵");
}

TEST_CASE("odd values have labels of their own")
{
    CHECK(valueLabel(0.0).toStdString() == "0");
    CHECK(valueLabel(-0.0).toStdString() == "0");
    CHECK(valueLabel(std::numeric_limits<double>::infinity()).toStdString() == "∞");
    CHECK(valueLabel(-std::numeric_limits<double>::infinity()).toStdString() == "−∞");
    CHECK(valueLabel(std::numeric_limits<double>::quiet_NaN()).toStdString() == "NaN");
}

TEST_CASE("a negative value that rounds to zero has no sign")
{
    CHECK(fixedLabel(-0.04, 1).toStdString() == "0.0");
    CHECK(fixedLabel(-0.06, 1).toStdString() == "−0.1");
}

TEST_CASE("a fine label has the digits that the step can tell apart")
{
    CHECK(fineLabel(24.149052, 4.4e-8) == "24.149052");
    CHECK(fineLabel(24.14905218, 4.4e-8) == "24.14905218");
    CHECK(fineLabel(24.14905218, 0.1) == "24.15");
    CHECK(fineLabel(24.14905218, 0.1, 5) == "24.149");
    CHECK(fineLabel(0.0, 0.1) == "0");
    CHECK(fineLabel(1.0 / 3.0, 1e-300).size() <= 17);
}

TEST_CASE("a short label never loses its exponent")
{
    CHECK(shortLabel(2.7e-17) == "2.7e−17");
    CHECK(shortLabel(-8.68e-19) == "−8.7e−19");
    CHECK(shortLabel(0.0188) == "0.0188");
    CHECK(shortLabel(0.000123) == "1.2e−4");
    CHECK(shortLabel(12.34) == "12.3");
    CHECK(shortLabel(0.0) == "0");
    CHECK(shortLabel(6.63e6) == "6.6e6");
}

TEST_CASE("counts are grouped by three")
{
    CHECK(countLabel(0).toStdString() == "0");
    CHECK(countLabel(999).toStdString() == "999");
    CHECK(countLabel(4096).toStdString() == "4\u202f096");
    CHECK(countLabel(18446744073709551615U).toStdString() ==
          "18\u202f446\u202f744\u202f073\u202f709\u202f551\u202f615");
}

TEST_CASE("sizes are told with three digits in powers of a thousand")
{
    CHECK(bytesLabel(0) == "0 B");
    CHECK(bytesLabel(999) == "999 B");
    CHECK(bytesLabel(1000) == "1 kB");
    CHECK(bytesLabel(4810000) == "4.81 MB");
    CHECK(bytesLabel(999600) == "1 MB");
    CHECK(bytesLabel(4294967296) == "4.29 GB");
    CHECK(bytesLabel(3000000000000000) == "3000 TB");
}

TEST_CASE("a count goes with the singular for one, with the plural for all else")
{
    CHECK(countText(0, "1 batch", "%1 batches").toStdString() == "0 batches");
    CHECK(countText(1, "1 batch", "%1 batches").toStdString() == "1 batch");
    CHECK(countText(76800, "%1 for 1 batch", "%2 for %1 batches").arg("all").toStdString() ==
          "all for 76 800 batches");
}

TEST_CASE("digits and powers of ten are as the user wants them, where nothing else is asked for")
{
    setLabelFormat({.digits = 7, .plainPowers = 3});
    CHECK(valueLabel(2.39123456) == "2.391235");
    CHECK(valueLabel(2.39123456, 3) == "2.39");
    CHECK(valueLabel(999.0) == "999");
    CHECK(valueLabel(1000.0) == "1×10³");
    CHECK(valueLabel(0.1) == "0.1");
    CHECK(valueLabel(0.012) == "1.2×10⁻²");
    setLabelFormat({.digits = 99, .plainPowers = 0});
    CHECK(labelFormat() == LabelFormat{.digits = 9, .plainPowers = 3});
    setLabelFormat({.digits = 4, .plainPowers = 9});
    CHECK(valueLabel(123456789.0) == "123456789");
    CHECK(valueLabel(1.5e-7) == "0.00000015");
    setLabelFormat({});
    CHECK(valueLabel(2.39123456) == "2.391");
}

}  // namespace number_label_test
