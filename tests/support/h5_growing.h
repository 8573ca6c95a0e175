// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace calibscope::test {

/// A file that a writer has open: /activations/a, batches of 4 samples of 8 values that all are the
/// batch's number. What was appended is in the file, whose superblock says that it is written.
class GrowingFile
{
public:
    /// `isSwmr`: for a single writer and many readers; else for the writer alone.
    explicit GrowingFile(const std::string& path, bool isSwmr = true);
    GrowingFile(const GrowingFile&) = delete;
    GrowingFile& operator=(const GrowingFile&) = delete;
    ~GrowingFile();

    void append(std::size_t batches);

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

/// Writes that many tensors of 4 x 8 values, in chunks, with attributes, batch by batch: tensor t
/// holds t everywhere. `pageBytes`: of the pages in which the file's space is handed out; 0: none.
void writeManyTensors(const std::string& path, std::size_t count, std::size_t pageBytes);

}  // namespace calibscope::test
