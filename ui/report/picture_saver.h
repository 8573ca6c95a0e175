#pragma once

#include <QByteArray>
#include <QImage>
#include <QMutex>
#include <QSemaphore>
#include <QString>
#include <QThreadPool>

#include <exception>
#include <functional>

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

}  // namespace calibscope
