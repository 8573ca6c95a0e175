// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recipes/own_files.h"

#include "core/base/digest.h"
#include "core/base/error.h"
#include "core/base/find_by_id.h"
#include "core/base/hex.h"
#include "core/base/whole_file.h"
#include "core/calibrators/own_program.h"
#include "core/recipes/make_choice.h"

#include <algorithm>
#include <cstdlib>
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
    std::error_code failure;
    const fs::path target = fs::canonical(file, failure);
    const fs::path link = ownProgramFolder() / file.filename();
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

Choice withProgramFacts(Choice choice, const fs::path& from)
{
    if (choice.calibrator != programId || !choice.settings.text("sha256").empty())
        return choice;
    std::string file = choice.settings.text("file");
    if (file.empty())
        throw Error(Fault::Usage, "program: it has no file; name it with file=NAME");
    const bool isOwn = file.find('/') == std::string::npos;
    std::error_code ignored;
    const fs::path path =
        isOwn ? ownProgramFolder() / file : fs::weakly_canonical(from / file, ignored);
    if (isOwn && !fs::exists(path, ignored))
        throw Error(Fault::Usage, "program: there is no {}; a file elsewhere has a path, as ./{}",
                    path.string(), file);
    const std::string content = readWholeFile(path.string());
    GivenSettings given(choice.settings.entries().begin(), choice.settings.entries().end());
    const std::vector<Parameter>& parameters = calibrator(programId).parameters;
    for (const auto& [id, value] : declaredSettings(content, path.string()))
        if (given[id] == std::ranges::find(parameters, id, &Parameter::id)->fallback)
            given[id] = value;
    given["file"] = isOwn ? file : path.string();
    given["sha256"] = hexText(sha256(content));
    choice.settings = makeChoice(programId, given, choice.scheme.kind, choice.granularity).settings;
    return choice;
}

Recipe recipeFromFile(const fs::path& path)
{
    Recipe own = recipeFromJson(readWholeFile(path.string()), path.string());
    refuseId(allRecipes(), own.id, path, "a published recipe");
    for (RecipeRule& rule : own.rules)
        rule.choice = withProgramFacts(std::move(rule.choice), path.parent_path());
    return own;
}

Preset presetFromFile(const fs::path& path)
{
    Preset own = presetFromJson(readWholeFile(path.string()), path.string());
    refuseId(presets(), own.id, path, "a published preset");
    try {
        static_cast<void>(
            makeChoice(own, {}, SchemeKind::SymmetricRestricted, Granularity::Tensor));
    } catch (const Error& error) {
        throw Error(Fault::Usage, "{}: {}", path.string(), error.what());
    }
    return own;
}

std::vector<Recipe> ownRecipes(const fs::path& folder)
{
    return folder.empty() ? std::vector<Recipe>()
                          : readAll<Recipe>(folder / "recipes", recipeFromFile);
}

std::vector<Preset> ownPresets(const fs::path& folder)
{
    return folder.empty() ? std::vector<Preset>()
                          : readAll<Preset>(folder / "presets", presetFromFile);
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
