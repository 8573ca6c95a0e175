// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/messages.h"
#include "ui/plot/picture.h"
#include "ui/plot/plot_content.h"

#include <QMutex>
#include <QSemaphore>
#include <QString>
#include <QThreadPool>

#include <cstddef>
#include <exception>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace calibscope {

/// Draws pictures and writes them in threads of its own, one for each core, while the engine
/// answers for the next tensors.
class PictureSaver
{
public:
    PictureSaver();
    PictureSaver(const PictureSaver&) = delete;
    PictureSaver& operator=(const PictureSaver&) = delete;
    ~PictureSaver();  ///< waits for what is being written

    /// saveContent() in one of the threads; the content may be in several pictures. Waits while as
    /// many are pending as fit the memory for them. Throws the Error of a picture that was given
    /// before.
    void save(std::shared_ptr<const PlotContent> content, const PictureSettings& settings,
              const QString& path);
    /// Waits for all. Throws the first Error.
    void finish();

private:
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
