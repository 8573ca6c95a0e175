// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recipes/recipe.h"
#include "ui/document/document.h"
#include "ui/document/outcome_rows.h"

#include <QComboBox>
#include <QObject>
#include <QString>

#include <optional>
#include <string>
#include <vector>

class QToolBar;

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

class Preferences;

/// Which recipe is chosen, and what the menu says of the selected tensor's calibrators.
class CalibratorController : public QObject
{
    Q_OBJECT

public:
    /// Calibrators that have a key of their own: those of the first cards.
    static constexpr int tickCount = 9;

    /// Adds the choice of the recipe to the tool bar. All must outlive this.
    CalibratorController(Document& document, Preferences& preferences, QToolBar& toolBar);

    void focusRecipes();

    // `place`: of the calibrator's card, from 0 on.
    [[nodiscard]] bool isListed(int place) const { return place < std::ssize(m_rows); }
    [[nodiscard]] bool isTicked(int place) const;
    [[nodiscard]] QString tickLabel(int place) const;
    void tick(int place, bool isTicked);
    [[nodiscard]] bool isOpen(int place) const;
    /// Its card.
    void open(int place, bool isOpen);

    /// Without an open card there is nothing to compare with.
    [[nodiscard]] bool hasOpenCard() const;
    [[nodiscard]] bool isBaselineOpen() const;
    void setBaseline(bool isBaseline);

Q_SIGNALS:
    void changed();  ///< the list, or which card is open

private:
    void addChoice(Preferences& preferences);
    void list();
    void listIfMoved();
    [[nodiscard]] std::optional<std::string> idAt(int place) const;

    Document& m_document;
    QToolBar& m_toolBar;
    RecipeChoice* m_recipes;
    std::vector<OutcomeRow> m_rows;  ///< in the order of their cards, as they were last told of
};

}  // namespace calibscope
