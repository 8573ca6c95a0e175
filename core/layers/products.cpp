// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layers/products.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <new>
#include <semaphore>
#include <vector>

#include <cblas.h>
#include <sys/mman.h>

// Of OpenBLAS; other libraries have no threads to report.
// NOLINTNEXTLINE(readability-identifier-naming): it is the library's
extern "C" __attribute__((weak)) void openblas_set_num_threads(int);

namespace calibscope::layers {

namespace {

constexpr std::ptrdiff_t mostAtOnce = 2;
std::counting_semaphore<mostAtOnce> freeProducts(mostAtOnce);

/// The library ends the program where it finds no room for its buffers.
void requireRoomOfLibrary()
{
    constexpr std::size_t bufferBytes = std::size_t{128} << 20U;
    constexpr std::size_t needed = mostAtOnce * bufferBytes + (std::size_t{8} << 20U);
    void* const room = ::mmap(nullptr, needed, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED)
        throw std::bad_alloc();
    ::munmap(room, needed);
}

void prepareLibrary()
{
    static std::once_flag once;
    std::call_once(once, [] {
        requireRoomOfLibrary();
        if (openblas_set_num_threads != nullptr)
            openblas_set_num_threads(1);
    });
}

/// Takes one of the places at the library.
class Turn
{
public:
    Turn() { freeProducts.acquire(); }
    ~Turn() { freeProducts.release(); }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
};

void multiplyHere(const double* left, const double* right, const ProductShape& shape,
                  double* result)
{
    for (std::size_t column = 0; column < shape.columns; ++column) {
        double* const sums = result + column * shape.resultStride;
        std::fill_n(sums, shape.rows, 0.0);
        for (std::size_t k = 0; k < shape.depth; ++k) {
            const double factor = right[k * shape.columns + column];
            const double* const values = left + k * shape.leftStride;
            for (std::size_t row = 0; row < shape.rows; ++row)
                sums[row] += factor * values[row];
        }
    }
}

}  // namespace

void multiply(const double* left, const double* right, const ProductShape& shape, double* result)
{
    constexpr std::size_t fewColumns = 4;
    if (shape.columns <= fewColumns) {
        multiplyHere(left, right, shape, result);
        return;
    }
    prepareLibrary();
    const Turn turn;
    const auto rows = static_cast<int>(shape.rows);
    const auto columns = static_cast<int>(shape.columns);
    cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, columns, rows,
                static_cast<int>(shape.depth), 1.0, right, columns, left,
                static_cast<int>(shape.leftStride), 0.0, result,
                static_cast<int>(shape.resultStride));
}

void addGram(const double* values, std::size_t rows, std::size_t columns, std::size_t stride,
             double* sums)
{
    prepareLibrary();
    const Turn turn;
    cblas_dsyrk(CblasRowMajor, CblasUpper, CblasNoTrans, static_cast<int>(rows),
                static_cast<int>(columns), 1.0, values, static_cast<int>(stride), 1.0, sums,
                static_cast<int>(rows));
}

std::vector<double> quadraticForms(std::span<const double> gram, std::size_t depth,
                                   std::span<const double> values)
{
    const std::size_t columns = values.size() / depth;
    std::vector<double> products(columns * depth);
    multiply(gram.data(), values.data(),
             {.rows = depth,
              .columns = columns,
              .depth = depth,
              .leftStride = depth,
              .resultStride = depth},
             products.data());
    std::vector<double> sums(columns, 0.0);
    for (std::size_t column = 0; column < columns; ++column)
        for (std::size_t k = 0; k < depth; ++k)
            sums[column] += products[column * depth + k] * values[k * columns + column];
    return sums;
}

bool invertFactor(double* matrix, std::size_t size)
{
    prepareLibrary();
    const Turn turn;
    for (std::size_t row = 0; row < size; ++row) {
        double* const values = matrix + row * size;
        for (std::size_t column = 0; column <= row; ++column) {
            const double* const other = matrix + column * size;
            const double left =
                values[column] - cblas_ddot(static_cast<int>(column), values, 1, other, 1);
            if (column < row)
                values[column] = left / other[column];
            else if (left > 0.0)
                values[row] = std::sqrt(left);
            else
                return false;
        }
    }
    std::vector<double> inverse(size * size, 0.0);
    for (std::size_t row = 0; row < size; ++row)
        inverse[row * size + row] = 1.0;
    const auto count = static_cast<int>(size);
    cblas_dtrsm(CblasRowMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, count, count, 1.0,
                matrix, count, inverse.data(), count);
    std::ranges::copy(inverse, matrix);
    return true;
}

}  // namespace calibscope::layers
