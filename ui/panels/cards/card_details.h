// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recipes/outcome.h"
#include "ui/document/outcome_rows.h"
#include "ui/widgets/expander.h"

#include <QString>
#include <QWidget>

#include <optional>
#include <span>
#include <string>

class QLabel;
class QPushButton;

namespace calibscope {

class MarkdownLabel;

/// Sources of a choice, as Markdown, from the same texts as the page of algorithms.
struct ChoiceStatements
{
    QString states;  ///< what the sources state
    QString chosen;  ///< what was chosen where they are silent
};

/// `recipeIds`: of the recipes that make this choice.
[[nodiscard]] ChoiceStatements statementsOf(const Choice& choice,
                                            std::span<const std::string> recipeIds);

class ParameterForm;

/// A candidate as its card shows it when it is open.
struct DetailedCandidate
{
    OutcomeRow row;
    Choice first;  ///< the choice that "reset" goes back to
};

/// The open part of a card: notes, the form of its settings, made from the descriptors alone, and
/// the texts behind it.
class CardDetails : public QWidget
{
    Q_OBJECT

public:
    explicit CardDetails(QWidget* parent = nullptr);

    void showCandidate(const DetailedCandidate& candidate);
    [[nodiscard]] ParameterForm& form() const { return *m_form; }
    [[nodiscard]] ParameterForm& schemeForm() const { return *m_schemeForm; }
    [[nodiscard]] QString problem() const;  ///< why the last edit was refused; empty: it was not

Q_SIGNALS:
    /// The whole choice with another value of that parameter.
    void edited(const std::string& id, const Choice& choice, const QString& parameter);
    void resetRequested(const std::string& id);
    void removeRequested(const std::string& id);
    void baselineRequested(const std::string& id);

private:
    void makeForms();
    void makeTexts();
    void makeButtons();
    void edit(const std::string& id, const std::string& value);
    void showTexts();

    std::optional<DetailedCandidate> m_candidate;
    QLabel* m_notes;
    QLabel* m_problem;
    ParameterForm* m_form;
    ParameterForm* m_schemeForm;
    Expander* m_scheme;
    Expander* m_states;
    Expander* m_chosen;
    MarkdownLabel* m_statesText;
    MarkdownLabel* m_chosenText;
    QPushButton* m_reset = nullptr;
    QPushButton* m_baseline = nullptr;
    QPushButton* m_remove = nullptr;
};

}  // namespace calibscope
