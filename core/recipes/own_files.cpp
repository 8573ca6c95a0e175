// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recipes/own_files.h"

#include "core/base/digest.h"
#include "core/base/error.h"
#include "core/base/find_by_id.h"
#include "core/base/whole_file.h"
#include "core/calibrators/own_program.h"
#include "core/recipes/make_choice.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <system_error>

namespace calibscope {

namespace {

namespace fs = std::filesystem;

template <typename Descriptor>
void refuseId(const std::vector<Descriptor>& taken, const std::string& id, const fs::path& path,
              const std::string& whose)
{
    if (std::ranges::find(taken, id, &Descriptor::id) != taken.end())
        throw Error(Fault::Usage, "{} has the id \"{}\" of {}; give it another", path.string(), id,
                    whose);
}

/// The files of a folder with that extension, or with any, sorted; none if it is not there.
std::vector<fs::path> filesIn(const fs::path& folder, std::string_view extension = {})
{
    std::vector<fs::path> files;
    std::error_code ignored;
    for (fs::directory_iterator entry(folder, ignored), end; entry != end; ++entry)
        if (entry->is_regular_file(ignored) &&
            (extension.empty() || entry->path().extension() == extension))
            files.push_back(entry->path());
    std::ranges::sort(files);
    return files;
}

/// The beginning of a file, in which it may declare settings.
std::string headOf(const fs::path& path)
{
    std::string head(std::size_t{64} << 10, '\0');
    std::ifstream file(path, std::ios::binary);
    file.read(head.data(), static_cast<std::streamsize>(head.size()));
    head.resize(static_cast<std::size_t>(file.gcount()));
    return head;
}

/// With withProgramFacts(); where a program is missing the choice stays without, unless that is an
/// error: it fails where it is run, and other files are of use.
Choice withFactsOf(const fs::path& path, const Choice& choice, bool isStrict,
                   const GivenSettings& given = {})
{
    try {
        return withProgramFacts(choice, path.parent_path(), given);
    } catch (const Error& error) {
        if (isStrict)
            throw Error(error.fault(), "{}: {}", path.string(), error.what());
        return choice;
    }
}

Recipe recipeIn(const fs::path& path, bool isStrict)
{
    Recipe own = recipeFromJson(readWholeFile(path.string()), path.string());
    refuseId(allRecipes(), own.id, path, "a published recipe");
    for (RecipeRule& rule : own.rules)
        rule.choice = withFactsOf(path, rule.choice, isStrict);
    return own;
}

Preset presetIn(const fs::path& path, bool isStrict)
{
    Preset own = presetFromJson(readWholeFile(path.string()), path.string());
    refuseId(presets(), own.id, path, "a published preset");
    Choice choice;
    try {
        choice = makeChoice(own, {}, SchemeKind::SymmetricRestricted, Granularity::Tensor);
    } catch (const Error& error) {
        throw Error(Fault::Usage, "{}: {}", path.string(), error.what());
    }
    if (choice.calibrator == programId) {
        const Settings known = withFactsOf(path, choice, isStrict, own.settings).settings;
        for (const char* id : {"file", "sha256", "input", "bins", "domain"})
            own.settings[id] = known.text(id);
    }
    return own;
}

template <typename Descriptor, typename Read>
std::vector<Descriptor> readAll(const fs::path& folder, const Read& read)
{
    std::vector<Descriptor> list;
    for (const fs::path& path : filesIn(folder, ".json")) {
        Descriptor descriptor = read(path);
        refuseId(list, descriptor.id, path, "another file beside it");
        list.push_back(std::move(descriptor));
    }
    return list;
}

template <typename Descriptor, typename ReadOwn>
Descriptor findOrOwn(const std::vector<Descriptor>& published, std::string_view id,
                     std::string_view kind, const ReadOwn& own)
{
    const auto found = std::ranges::find(published, id, &Descriptor::id);
    if (found != published.end())
        return *found;
    std::vector<Descriptor> all = published;
    std::ranges::copy(own(), std::back_inserter(all));
    return findById(all, id, kind);
}

}  // namespace

fs::path ownFolder()
{
    if (const char* config = std::getenv("XDG_CONFIG_HOME"); config != nullptr && *config != '\0')
        return fs::path(config) / "calibscope";
    if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0')
        return fs::path(home) / ".config" / "calibscope";
    return {};
}

fs::path ownProgramFolder()
{
    const fs::path own = ownFolder();
    return own.empty() ? own : own / "programs";
}

std::vector<std::string> ownPrograms()
{
    std::vector<std::string> names;
    for (const fs::path& path : filesIn(ownProgramFolder()))
        if (!path.filename().string().starts_with('.'))
            names.push_back(path.filename().string());
    return names;
}

std::string addOwnProgram(const fs::path& file)
{
    const std::string name = file.filename().string();
    if (name.starts_with('.') || name.find_first_of(",;\r\n") != std::string::npos)
        throw Error(Fault::Usage,
                    "{}: the name of a program begins with no full stop and is without commas, "
                    "semicolons and line ends; give it another",
                    name);
    std::error_code failure;
    const fs::path target = fs::canonical(file, failure);
    const fs::path link = ownProgramFolder() / name;
    if (!failure && fs::equivalent(link, target, failure))
        return link.filename().string();
    failure.clear();
    fs::create_directories(link.parent_path(), failure);
    if (!failure)
        fs::create_symlink(target, link, failure);
    if (failure)
        throw Error(Fault::Output, "{}: {}", link.string(), failure.message());
    return link.filename().string();
}

Choice withProgramFacts(Choice choice, const fs::path& from, const GivenSettings& given)
{
    if (choice.calibrator != programId)
        return choice;
    const std::string file = choice.settings.text("file");
    if (file.empty())
        throw Error(Fault::Usage, "program: it has no file; name it with file=NAME");
    const bool isOwn = file.find('/') == std::string::npos;
    std::error_code ignored;
    const fs::path path =
        isOwn ? ownProgramFolder() / file : fs::weakly_canonical(from / file, ignored);
    GivenSettings settings(choice.settings.entries().begin(), choice.settings.entries().end());
    settings["file"] = isOwn ? file : path.string();
    if (settings["sha256"].empty()) {
        if (isOwn && !fs::exists(path, ignored))
            throw Error(Fault::Usage,
                        "program: there is no {}; a file elsewhere has a path, as ./{}",
                        path.string(), file);
        const std::vector<Parameter>& parameters = calibrator(programId).parameters;
        for (const auto& [id, value] : declaredSettings(headOf(path), path.string()))
            if (!given.contains(id) && settings[id] == findById(parameters, id, "setting").fallback)
                settings[id] = value;
        settings["sha256"] = fileSha256(path.string());
    }
    choice.settings =
        makeChoice(programId, settings, choice.scheme.kind, choice.granularity).settings;
    return choice;
}

Recipe recipeFromFile(const fs::path& path)
{
    return recipeIn(path, true);
}

Preset presetFromFile(const fs::path& path)
{
    return presetIn(path, true);
}

std::vector<Recipe> ownRecipes(const fs::path& folder)
{
    return folder.empty() ? std::vector<Recipe>()
                          : readAll<Recipe>(folder / "recipes", [](const fs::path& path) {
                                return recipeIn(path, false);
                            });
}

std::vector<Preset> ownPresets(const fs::path& folder)
{
    return folder.empty() ? std::vector<Preset>()
                          : readAll<Preset>(folder / "presets", [](const fs::path& path) {
                                return presetIn(path, false);
                            });
}

Recipe recipeOrOwn(std::string_view id)
{
    return findOrOwn(allRecipes(), id, "recipe", [] { return ownRecipes(); });
}

Preset presetOrOwn(std::string_view id)
{
    return findOrOwn(presets(), id, "preset", [] { return ownPresets(); });
}

}  // namespace calibscope
