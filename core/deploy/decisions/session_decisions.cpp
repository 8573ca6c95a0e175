// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/deploy/decisions/session_decisions.h"

#include "core/base/digest.h"
#include "core/base/error.h"
#include "core/base/whole_file.h"
#include "core/recipes/choice_json.h"
#include "core/recipes/session_format.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

namespace calibscope::deploy {

namespace {

namespace fs = std::filesystem;

SessionDecisions dumpFrom(const JsonObject& object, const fs::path& folder)
{
    SessionDecisions dump{.path = sessionPathFrom(object, folder),
                          .bytes = object.count("size"),
                          .headerSha256 = object.text("header_sha256"),
                          .choices = {},
                          .understood = {},
                          .excluded = {}};
    object.objects("decisions", [&](const std::string& tensor, const JsonObject& decision) {
        if (!decision.has("choice"))
            decision.fail("lacks its choice");
        decision.object("choice", [&](const JsonObject& choice) {
            dump.choices.insert_or_assign(tensor, choiceFrom(choice));
        });
    });
    object.objects("said", [&](const std::string& tensor, const JsonObject& said) {
        dump.understood.insert_or_assign(tensor, layoutOverrideFrom(said));
    });
    for (std::string& tensor : object.texts("excluded"))
        dump.excluded.insert(std::move(tensor));
    return dump;
}

/// Whether the file was the same when the session was saved, as far as the session tells.
bool isAsItWas(const DumpFile& dump, const SessionDecisions& session)
{
    return (session.bytes == 0 || session.bytes == dump.identity().bytes) &&
           (session.headerSha256.empty() ||
            session.headerSha256 == headerSha256(dump.identity().path));
}

const SessionDecisions& sessionOf(const DumpFile& dump,
                                  const std::vector<SessionDecisions>& session,
                                  const std::string& origin)
{
    const std::string& path = dump.identity().path;
    for (const SessionDecisions& each : session) {
        std::error_code ignored;
        if (fs::equivalent(each.path, path, ignored))
            return each;
    }
    const SessionDecisions* found = nullptr;
    for (const SessionDecisions& each : session) {
        if (each.bytes == 0 || each.headerSha256.empty() || !isAsItWas(dump, each))
            continue;
        const bool hasName = fs::path(each.path).filename() == fs::path(path).filename();
        if (found == nullptr || hasName)
            found = &each;
        if (hasName)
            break;
    }
    if (found == nullptr)
        throw Error(Fault::Input, "{}: is not one of the dumps of {}", path, origin);
    return *found;
}

/// Throws Error(Input) where the dump's tensor can't be understood so.
TensorInfo asSaid(const TensorInfo& tensor, const LayoutOverride& said, const std::string& origin)
{
    try {
        return understoodAs(tensor, said);
    } catch (const Error& error) {
        throw Error(Fault::Input, "{}: said of {}: {}", origin, tensor.path, error.what());
    }
}

std::string placeText(const DumpFile& dump, const std::string& path)
{
    return dump.identity().path + ":" + path + ": ";
}

}  // namespace

std::vector<SessionDecisions> sessionDecisions(std::string_view json, const std::string& origin)
{
    const nlohmann::json value = parseJson(json, origin);
    const JsonObject object(value, origin);
    requireKnownSession(object);
    const fs::path folder = fs::path(origin).parent_path();
    std::vector<SessionDecisions> dumps;
    object.list("dumps", [&](const JsonObject& dump) { dumps.push_back(dumpFrom(dump, folder)); });
    return dumps;
}

std::vector<SessionDecisions> readSessionDecisions(const std::string& path)
{
    return sessionDecisions(readWholeFile(path), fs::absolute(path).string());
}

Decisions decidedBy(const DumpFile& dump, const std::vector<SessionDecisions>& session,
                    const std::string& origin, DecisionOptions options)
{
    const SessionDecisions& own = sessionOf(dump, session, origin);
    options.understood = [&own, &origin](const TensorInfo& tensor) {
        const auto said = own.understood.find(tensor.path);
        return said == own.understood.end() ? tensor : asSaid(tensor, said->second, origin);
    };
    Decisions decisions = decidedBy(
        dump,
        [&own](const TensorInfo& tensor) -> std::optional<Choice> {
            const auto choice = own.choices.find(tensor.path);
            if (choice == own.choices.end() || own.excluded.contains(tensor.path))
                return std::nullopt;
            return choice->second;
        },
        options);
    for (const auto& [path, choice] : own.choices) {
        if (!dump.find(path))
            decisions.problems.push_back(placeText(dump, path) +
                                         "was decided, but is not in the dump");
        else if (own.excluded.contains(path))
            decisions.warnings.push_back(placeText(dump, path) +
                                         "was decided and then excluded: left out");
    }
    if (!isAsItWas(dump, own))
        decisions.warnings.insert(decisions.warnings.begin(), dump.identity().path +
                                                                  ": was changed since " + origin +
                                                                  " was saved");
    return decisions;
}

}  // namespace calibscope::deploy
