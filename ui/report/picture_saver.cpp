#include "ui/report/picture_saver.h"

#include "ui/charts/picture.h"

#include <QMutexLocker>

namespace calibscope {

namespace {

constexpr int mostPending = 8;  // about 7 MB each

}  // namespace

PictureSaver::PictureSaver() : m_places(mostPending) {}

PictureSaver::~PictureSaver()
{
    m_threads.waitForDone();
}

void PictureSaver::save(const QImage& picture, const QString& path)
{
    throwFirstError();
    m_places.acquire();
    m_threads.start([this, picture, path] {
        try {
            savePicture(picture, path);
        } catch (...) {
            const QMutexLocker lock(&m_mutex);
            if (!m_error)
                m_error = std::current_exception();
        }
        m_places.release();
    });
}

void PictureSaver::finish()
{
    m_threads.waitForDone();
    throwFirstError();
}

void PictureSaver::throwFirstError()
{
    const QMutexLocker lock(&m_mutex);
    if (m_error)
        std::rethrow_exception(m_error);
}

}  // namespace calibscope
