#include "ui/report/picture_saver.h"

#include "core/report/tables/output.h"
#include "ui/plot/picture.h"

#include <QFile>
#include <QMutexLocker>

#include <utility>

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
    start([picture, path] { savePicture(picture, path); });
}

void PictureSaver::save(const QByteArray& bytes, const QString& path)
{
    start([bytes, path] {
        Output output(QFile::encodeName(path).toStdString());
        output.write({bytes.constData(), static_cast<std::size_t>(bytes.size())});
        output.finish();
    });
}

void PictureSaver::start(std::function<void()> write)
{
    throwFirstError();
    m_places.acquire();
    m_threads.start([this, write = std::move(write)] {
        try {
            write();
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
