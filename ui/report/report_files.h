// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/messages.h"

#include <QByteArray>
#include <QImage>
#include <QMutex>
#include <QSemaphore>
#include <QString>
#include <QThreadPool>

#include <cstddef>
#include <exception>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace calibscope {

/// Writes pictures in threads of its own while the next ones are drawn: packing a PNG takes twice
/// as long as drawing what it shows.
class PictureSaver
{
public:
    PictureSaver();
    PictureSaver(const PictureSaver&) = delete;
    PictureSaver& operator=(const PictureSaver&) = delete;
    ~PictureSaver();  ///< waits for what is being written

    /// Waits while as many pictures are pending as fit the memory for them. Throws the Error of a
    /// picture that was given before.
    void save(const QImage& picture, const QString& path);
    /// A picture that is packed already.
    void save(const QByteArray& bytes, const QString& path);
    /// Waits for all. Throws the first Error.
    void finish();

private:
    void start(std::function<void()> write);
    void throwFirstError();

    QThreadPool m_threads;
    QSemaphore m_places;
    QMutex m_mutex;
    std::exception_ptr m_error;  ///< guarded by m_mutex
};

/// Keeps engine's answers in files: those of all tensors could fill the memory, and asking for them
/// again takes as long as the first time.
class ViewSpool
{
public:
    /// Makes the folder, beside what is being written. Throws Error(Output).
    explicit ViewSpool(std::filesystem::path folder);

    /// All of it: pages that are written later have to say the same. Throws Error(Output).
    void put(std::size_t place, const protocol::TensorView& view) const;
    /// Nothing where nothing was put.
    [[nodiscard]] std::optional<protocol::TensorView> take(std::size_t place) const;
    /// Removes the folder.
    void clear() const;

private:
    [[nodiscard]] std::filesystem::path fileOf(std::size_t place) const;

    std::filesystem::path m_folder;
};

/// SHA-256 of a file as 64 hexadecimal digits; empty where it can't be read. Reads all of it, and
/// calls `step` for each part, which may throw to stop.
[[nodiscard]] std::string fileDigest(const std::string& path, const std::function<void()>& step);

}  // namespace calibscope
