// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/report_files.h"

#include "core/base/digest.h"
#include "core/base/error.h"
#include "core/protocol/codec.h"
#include "core/report/html/output_folder.h"
#include "core/report/tables/output.h"

#include <QMutexLocker>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>

namespace calibscope {

namespace {

constexpr int leastPending = 8;  // about 7 MB each while they are drawn

}  // namespace

PictureSaver::PictureSaver() : m_places(std::max(leastPending, m_threads.maxThreadCount() + 1)) {}

PictureSaver::~PictureSaver()
{
    m_threads.waitForDone();
}

void PictureSaver::save(std::shared_ptr<const PlotContent> content, const PictureSettings& settings,
                        const QString& path)
{
    throwFirstError();
    m_places.acquire();
    m_threads.start([this, content = std::move(content), settings, path] {
        try {
            saveContent(*content, settings, path, inUnfinishedFolder);
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

ViewSpool::ViewSpool(std::filesystem::path folder) : m_folder(std::move(folder))
{
    std::error_code error;
    std::filesystem::create_directory(m_folder, error);
    if (error)
        throw Error(Fault::Output, m_folder.string() + ": this folder can't be created (" +
                                       error.message() + "); check the free space");
}

std::filesystem::path ViewSpool::fileOf(std::size_t place) const
{
    return m_folder / std::to_string(place);
}

void ViewSpool::put(std::size_t place, const protocol::TensorView& view) const
{
    std::string bytes;
    protocol::Json::to_cbor(protocol::encode(view), bytes);
    writeOutput(fileOf(place).string(), bytes, inUnfinishedFolder);
}

std::optional<protocol::TensorView> ViewSpool::take(std::size_t place) const
{
    std::ifstream file(fileOf(place), std::ios::binary);
    if (!file)
        return std::nullopt;
    const std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    return protocol::decode<protocol::TensorView>(protocol::Json::from_cbor(bytes));
}

void ViewSpool::clear() const
{
    std::error_code ignored;
    std::filesystem::remove_all(m_folder, ignored);
}

std::string fileDigest(const std::string& path, const std::function<void()>& step)
{
    try {
        return fileSha256(path, step);
    } catch (const Error&) {
        return {};
    }
}

}  // namespace calibscope
