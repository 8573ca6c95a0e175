// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/external_rights.h"

#include "core/base/error.h"
#include "core/base/json_object.h"
#include "core/base/whole_file.h"
#include "ui/queries/addresses.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <system_error>

namespace calibscope {

namespace {

constexpr std::size_t mostPairs = 1000;

/// Without links: the file that is meant, whatever leads to it.
std::string placeOf(const QString& path)
{
    if (isFarAway(path))
        return path.toStdString();
    const QString real = QFileInfo(path).canonicalFilePath();
    return (real.isEmpty() ? QFileInfo(path).absoluteFilePath() : real).toStdString();
}

std::string nativeName(const QString& path)
{
    return QFile::encodeName(path).toStdString();
}

}  // namespace

ExternalRights::ExternalRights(QString file) : m_file(std::move(file))
{
    if (m_file.isEmpty() || !QFileInfo::exists(m_file))
        return;
    try {
        const std::string origin = m_file.toStdString();
        const nlohmann::json json = parseJson(readWholeFile(nativeName(m_file)), origin);
        JsonObject(json, origin).list("external", [this](const JsonObject& pair) {
            m_pairs.emplace_back(pair.requiredText("session"), pair.requiredText("dump"));
        });
    } catch (const Error&) {
        m_pairs.clear();  // damaged: it is asked again
    }
}

bool ExternalRights::has(const QString& session, const QString& dump) const
{
    return std::ranges::find(m_pairs, Pair(placeOf(session), placeOf(dump))) != m_pairs.end();
}

void ExternalRights::add(const QString& session, const QString& dump)
{
    if (has(session, dump))
        return;
    m_pairs.emplace_back(placeOf(session), placeOf(dump));
    if (m_pairs.size() > mostPairs)
        m_pairs.pop_front();
    if (m_file.isEmpty())
        return;
    nlohmann::json list = nlohmann::json::array();
    for (const auto& [ofSession, ofDump] : m_pairs)
        list.push_back({{"session", ofSession}, {"dump", ofDump}});
    const std::string text = nlohmann::json{{"external", list}}.dump(
        1, ' ', false, nlohmann::json::error_handler_t::replace);
    QDir().mkpath(QFileInfo(m_file).absolutePath());
    constexpr unsigned ownersAlone = 0600;
    try {
        writeWholeFile(nativeName(m_file), text + "\n", {.permissions = ownersAlone});
    } catch (const std::system_error&) {
        return;
    }
}

}  // namespace calibscope
