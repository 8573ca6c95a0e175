// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recipes/own_files.h"

#include "core/base/error.h"
#include "core/base/find_by_id.h"
#include "core/base/whole_file.h"

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

/// The JSON files of a folder, sorted; none if it is not there.
std::vector<fs::path> filesIn(const fs::path& folder)
{
    std::vector<fs::path> files;
    std::error_code ignored;
    for (fs::directory_iterator entry(folder, ignored), end; entry != end; ++entry)
        if (entry->path().extension() == ".json")
            files.push_back(entry->path());
    std::ranges::sort(files);
    return files;
}

template <typename Descriptor, typename Read>
std::vector<Descriptor> readAll(const fs::path& folder, const Read& read)
{
    std::vector<Descriptor> list;
    for (const fs::path& path : filesIn(folder)) {
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

Recipe recipeFromFile(const fs::path& path)
{
    Recipe own = recipeFromJson(readWholeFile(path.string()), path.string());
    refuseId(allRecipes(), own.id, path, "a published recipe");
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
