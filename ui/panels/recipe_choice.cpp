#include "ui/panels/recipe_choice.h"

namespace calibscope {

namespace {

QString statementsOf(const Recipe& recipe)
{
    QStringList paragraphs{QString::fromStdString(recipe.source)};
    for (const std::string& sentence : recipe.states)
        paragraphs += QString::fromStdString(sentence);
    return paragraphs.join(QStringLiteral("\n\n"));
}

}  // namespace

RecipeChoice::RecipeChoice(const Recipe& chosen, QWidget* parent) : QComboBox(parent)
{
    for (const Recipe& recipe : recipes()) {
        addItem(QString::fromStdString(recipe.title), QString::fromStdString(recipe.id));
        setItemData(count() - 1, statementsOf(recipe), Qt::ToolTipRole);
    }
    setChosen(chosen);
    setToolTip(tr("Chooses a calibrator for each tensor. Its SQNR is shown in the list, its "
                  "threshold is emphasised."));
    connect(this, &QComboBox::activated, this,
            [this] { Q_EMIT recipeChosen(currentData().toString()); });
}

void RecipeChoice::setChosen(const Recipe& recipe)
{
    setCurrentIndex(findData(QString::fromStdString(recipe.id)));
}

}  // namespace calibscope
