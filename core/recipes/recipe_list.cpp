// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/embedded_text.h"
#include "core/base/find_by_id.h"
#include "core/recipes/recipe.h"

namespace calibscope {

namespace {

constexpr EmbeddedText recipeTexts[] = {
#include "recipes.inc"
};

std::vector<Recipe> embeddedRecipes()
{
    std::vector<Recipe> list;
    for (const EmbeddedText& text : recipeTexts)
        list.push_back(recipeFromJson(text.content, text.fileName));
    return sortedByOrder(std::move(list));
}

}  // namespace

const std::vector<Recipe>& allRecipes()
{
    static const std::vector<Recipe> list = embeddedRecipes();
    return list;
}

const std::vector<Recipe>& recipes()
{
    static const std::vector<Recipe> list = [] {
        std::vector<Recipe> listed = allRecipes();
        std::erase_if(listed, [](const Recipe& each) { return !each.isListed; });
        return listed;
    }();
    return list;
}

const Recipe& recipe(std::string_view id)
{
    return findById(allRecipes(), id, "recipe");
}

}  // namespace calibscope
