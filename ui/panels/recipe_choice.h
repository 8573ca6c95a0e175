#pragma once

#include "core/recipes/recipe.h"

#include <QComboBox>

namespace calibscope {

/// The recipes to choose from; the tooltip of each tells what its source states.
class RecipeChoice : public QComboBox
{
    Q_OBJECT

public:
    explicit RecipeChoice(const Recipe& chosen, QWidget* parent = nullptr);

    void setChosen(const Recipe& recipe);

Q_SIGNALS:
    void recipeChosen(const QString& id);  ///< by the user
};

}  // namespace calibscope
