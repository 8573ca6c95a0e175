// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/h5_file.h"

#include <string>
#include <vector>

namespace calibscope::test {

/// A part of a virtual dataset: rows of it, taken from the first rows of a source of whole width.
struct VirtualPart
{
    unsigned long long firstRow = 0;
    unsigned long long rows = 0;
    std::string file = ".";  ///< ".": the same file
    std::string dataset;
    unsigned long long sourceRows = 0;  ///< as told to the file; 0: `rows`
};

/// A virtual dataset of float32.
void writeVirtual(const H5File& file, const std::string& dataset, const Shape& shape,
                  const std::vector<VirtualPart>& parts, float fillValue = 0.0F);

/// One of growing length: row after row from sources of one row each, whose names hold "%b".
void writeVirtualBlocks(const H5File& file, const std::string& dataset, unsigned long long width,
                        const std::string& sourceFile, const std::string& sourceDataset);

/// A stretch of a raw file.
struct RawPart
{
    std::string file;
    long offset = 0;
    unsigned long long bytes = 0;
};

/// A dataset of little-endian float32 whose values lie in raw files. They are not made.
void writeRaw(const H5File& file, const std::string& dataset, const Shape& shape,
              const std::vector<RawPart>& parts);

/// A chunked dataset with rows of fill value, and what becomes of chunks that were never written.
void writeSparse(const H5File& file, const std::string& dataset, const Shape& shape,
                 const Shape& chunk, bool neverFills);

}  // namespace calibscope::test
