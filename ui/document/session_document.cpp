// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/session_document.h"

#include "core/base/error.h"
#include "core/base/hex.h"
#include "core/base/location.h"
#include "core/base/whole_file.h"
#include "core/recipes/session_format.h"
#include "ui/document/workbench.h"
#include "ui/document/workbench_json.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <filesystem>
#include <set>

namespace calibscope {

bool isSessionFile(const QString& path)
{
    return path.endsWith(sessionSuffix, Qt::CaseInsensitive);
}

std::string sessionText(const QString& path)
{
    return readWholeFile(QFile::encodeName(path).toStdString());
}

SessionDocument readSession(const QString& path)
{
    return sessionFromJson(sessionText(path), QFileInfo(path).absoluteFilePath().toStdString());
}

void writeSession(const SessionDocument& session, const QString& path)
{
    writeWhole(path, sessionJson(session, QFileInfo(path).absolutePath().toStdString()));
}

void writeWhole(const QString& path, std::string_view bytes, WholeFileOptions options)
{
    try {
        writeWholeFile(QFile::encodeName(path).toStdString(), bytes, options);
    } catch (const std::system_error& failure) {
        throw Error(Fault::Output,
                    QCoreApplication::translate("WholeFile", "%1 could not be written: %2")
                        .arg(path, QString::fromStdString(failure.code().message()))
                        .toStdString());
    }
}

namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

/// A path beside the session file, so that both can be moved together; and the way from the root.
Json pathJson(const std::string& path, const fs::path& folder)
{
    if (isAddress(path))
        return {{"path", path}, {"absolute", path}};
    return {{"path", fs::path(path).lexically_relative(folder).string()}, {"absolute", path}};
}

Json dumpJson(const SessionDump& dump, const fs::path& folder)
{
    Json json = ownJson(dump.own);
    json.update(pathJson(dump.identity.path, folder));
    json["size"] = dump.identity.bytes;
    json["modified"] = dump.identity.modified;
    json["header_sha256"] = dump.identity.headerSha256;
    if (dump.isRecording)
        json["recording"] = true;
    json["external"] = dump.allowsExternal;
    json["selected"] = dump.selected;
    if (!dump.own.compared.path.empty())
        json["compared"].update(pathJson(dump.own.compared.path, folder));
    return json;
}

SessionDump dumpFrom(const JsonObject& object, const fs::path& folder)
{
    SessionDump dump{.identity = {.path = sessionPathFrom(object, folder),
                                  .bytes = object.count("size"),
                                  .modified = object.text("modified"),
                                  .sha256 = {},
                                  .headerSha256 = object.text("header_sha256")},
                     .isRecording = object.flag("recording"),
                     .allowsExternal = object.flag("external"),
                     .selected = object.text("selected"),
                     .own = ownFrom(object)};
    object.object("compared", [&](const JsonObject& compared) {
        if (compared.has("path") || compared.has("absolute"))
            dump.own.compared.path = sessionPathFrom(compared, folder);
    });
    return dump;
}

/// What is packed by Qt is not text.
std::string bytesFrom(const JsonObject& object, const char* key)
{
    std::optional<std::string> bytes = bytesFromHex(object.text(key));
    if (!bytes)
        object.fail(std::string(key) + " is not a string of hexadecimal digits");
    return *std::move(bytes);
}

Json layoutJson(const SessionLayout& layout)
{
    return {{"page", layout.page},   {"view", layout.view},     {"docks", hexText(layout.docks)},
            {"card", layout.card},   {"filter", layout.filter}, {"list", layout.list},
            {"model", layout.model}, {"output", layout.output}};
}

}  // namespace

std::string sessionJson(const SessionDocument& session, const std::string& folder)
{
    Json json = {{"format", sessionFormatName},
                 {"version", sessionVersion},
                 {"written_by", CALIBSCOPE_VERSION},
                 {"dumps", Json::array()},
                 {"shown", session.shown},
                 {"shared", sharedJson(session.shared)},
                 {"layout", layoutJson(session.layout)}};
    for (const SessionDump& dump : session.dumps)
        json["dumps"].push_back(dumpJson(dump, folder));
    if (!session.autosaveOf.empty())
        json["autosave_of"] = session.autosaveOf;
    if (!session.autosaveOfSha256.empty())
        json["autosave_of_sha256"] = hexText(session.autosaveOfSha256);
    constexpr int indentation = 1;
    return json.dump(indentation, ' ', false, Json::error_handler_t::replace) + "\n";
}

SessionDocument sessionFromJson(std::string_view text, const std::string& origin)
{
    const Json json = parseJson(text, origin);
    const JsonObject object(json, origin);
    requireKnownSession(object);
    const fs::path folder = fs::path(origin).parent_path();
    SessionDocument session;
    std::set<std::string> paths;
    object.list("dumps", [&](const JsonObject& dump) {
        constexpr std::size_t most = 1000;
        if (paths.size() == most)
            object.fail("has more than " + std::to_string(most) + " dumps");
        session.dumps.push_back(dumpFrom(dump, folder));
        if (!paths.insert(session.dumps.back().identity.path).second)
            dump.fail("is " + session.dumps.back().identity.path + ", as one before it");
    });
    session.shown = object.count("shown");
    if (session.shown >= std::max<std::size_t>(session.dumps.size(), 1))
        object.fail("shown is not one of its dumps");
    object.object("shared", [&](const JsonObject& shared) { session.shared = sharedFrom(shared); });
    object.object("layout", [&](const JsonObject& layout) {
        session.layout = {.page = layout.text("page"),
                          .view = layout.text("view"),
                          .docks = bytesFrom(layout, "docks"),
                          .card = layout.text("card"),
                          .filter = layout.text("filter"),
                          .list = layout.text("list"),
                          .model = layout.text("model"),
                          .output = layout.text("output")};
    });
    session.autosaveOf = object.text("autosave_of");
    session.autosaveOfSha256 = bytesFrom(object, "autosave_of_sha256");
    return session;
}

bool isSameWork(const SessionDocument& one, const SessionDocument& other)
{
    const auto isSame = [](const SessionDump& a, const SessionDump& b) {
        Workbench own = a.own;
        own.zooms = b.own.zooms;
        own.compared.mode = b.own.compared.mode;
        return a.identity.path == b.identity.path && a.allowsExternal == b.allowsExternal &&
               own == b.own;
    };
    return one.shared == other.shared && std::ranges::equal(one.dumps, other.dumps, isSame);
}

}  // namespace calibscope
