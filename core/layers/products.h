// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace calibscope::layers {

/// result = right^T left: result is [columns][rows], right [depth][columns], left [depth][rows],
/// all in row-major order without gaps but for `left` and `result`, whose rows lie `leftStride`
/// and `resultStride` apart. In double; the order of the sums depends on the shapes and the
/// processor, not on threads. Few columns are computed here, more by the BLAS library, at most two
/// products at once, as it takes 128 MiB of address space for each. Throws std::bad_alloc where
/// these can't be had.
struct ProductShape
{
    std::size_t rows = 0;
    std::size_t columns = 0;
    std::size_t depth = 0;
    std::size_t leftStride = 0;
    std::size_t resultStride = 0;
};
void multiply(const double* left, const double* right, const ProductShape& shape, double* result);

/// Adds rows rows^T to the upper half of `sums`, [rows][rows]: `values` is [rows][columns], its rows
/// `stride` apart. As multiply().
void addGram(const double* values, std::size_t rows, std::size_t columns, std::size_t stride,
             double* sums);

/// v G v^T of each column v of `values`, [depth][columns], with a symmetric `gram` [depth][depth]. As
/// multiply().
[[nodiscard]] std::vector<double> quadraticForms(std::span<const double> gram, std::size_t depth,
                                                 std::span<const double> values);

/// Of a symmetric positive definite matrix A = L L^T, [size][size], of which the lower half is read:
/// the inverse of L, lower as well, zeros above. As multiply(). False, and no meaning in `matrix`,
/// where it is not positive definite.
[[nodiscard]] bool invertFactor(double* matrix, std::size_t size);

}  // namespace calibscope::layers
