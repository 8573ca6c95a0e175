// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/cards/card_details.h"

#include "core/base/error.h"
#include "core/calibrators/calibrator.h"
#include "core/recipes/choice_edit.h"
#include "core/recipes/preset.h"
#include "core/recipes/recipe.h"
#include "core/report/describe/markdown.h"
#include "core/report/describe/sections.h"
#include "ui/models/outcome_text.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/translate.h"
#include "ui/widgets/parameter_form.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace calibscope {

namespace {

std::string sourceLine(std::string_view source)
{
    return source.empty() ? std::string()
                          : tr("Source: %1.")
                                    .arg(QString::fromUtf8(source.data(), std::ssize(source)))
                                    .toStdString() +
                                "\n\n";
}

std::string bold(std::string_view text)
{
    return "**" + std::string(text) + "**\n\n";
}

/// The hand-written definition; its parameters are in the form.
std::string definitionOf(std::string_view calibratorId)
{
    const std::string_view text = describe::writtenText("calibrator-" + std::string(calibratorId));
    return text.empty() ? std::string()
                        : describe::withPart(std::string(text) + "\n", "options", {});
}

/// How the histogram that it works on follows the range, where it has one.
std::string growthOf(const Choice& choice)
{
    const auto& entries = choice.settings.entries();
    const auto growth =
        std::ranges::find(entries, "growth", [](const auto& entry) { return entry.first; });
    if (growth == entries.end())
        return {};
    const std::string_view written = describe::writtenText("growth-" + growth->second);
    return bold(tr("Histogram: %1").arg(QString::fromStdString(growth->second)).toStdString()) +
           std::string(growthRule(growth->second).summary) + "\n\n" +
           (written.empty() ? std::string() : std::string(written) + "\n\n");
}

}  // namespace

ChoiceStatements statementsOf(const Choice& choice, std::span<const std::string> recipeIds)
{
    const Calibrator& algorithm = calibrator(choice.calibrator);
    std::string states = std::string(algorithm.summary) + "\n\n" + sourceLine(algorithm.source);
    std::string chosen = definitionOf(algorithm.id) + "\n" + growthOf(choice);
    if (!choice.preset.empty()) {
        const auto found = std::ranges::find(presets(), choice.preset, &Preset::id);
        if (found != presets().end())
            states += bold(found->title) + sourceLine(found->source);
    }
    for (const std::string& id : recipeIds) {
        const Recipe& one = recipe(id);
        states += bold(one.title) + sourceLine(one.source) + markdown::points(one.states) + "\n";
        if (!one.chosen.empty())
            chosen += bold(one.title) + markdown::points(one.chosen) + "\n";
    }
    if (!choice.note.empty())
        chosen += choice.note + "\n";
    return {.states = QString::fromStdString(states).trimmed(),
            .chosen = QString::fromStdString(chosen).trimmed()};
}

namespace {

template <typename Label>
Label* makeText(QWidget* parent)
{
    auto* label = new Label(parent);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    label->hide();
    return label;
}

std::vector<Parameter> schemeFormParameters()
{
    std::vector<Parameter> parameters = {schemeKindParameter(), granularityParameter()};
    parameters.insert(parameters.end(), schemeParameters().begin(), schemeParameters().end());
    return parameters;
}

/// "symmetric-restricted, 8 bits, per tensor": what the closed expander tells of its form.
QString schemeTitle(const Choice& choice)
{
    return CardDetails::tr("%1, %2 bits, per %3")
        .arg(QString::fromStdString(settingOf(choice, schemeKindParameter().id)),
             QString::number(choice.scheme.bits),
             QString::fromStdString(settingOf(choice, granularityParameter().id)));
}

/// What its reader should know before the settings.
QString notesOf(const OutcomeRow& row)
{
    QStringList lines = noteLines(row);
    if (row.outcome && row.outcome->histogram)
        lines += CardDetails::tr("Histogram: %1").arg(histogramWords(*row.outcome->histogram));
    if (!row.recipeTitles.isEmpty())
        lines += CardDetails::tr("Used by: %1").arg(row.recipeTitles.join(QStringLiteral("; ")));
    return lines.join(u'\n');
}

}  // namespace

CardDetails::CardDetails(QWidget* parent)
    : QWidget(parent),
      m_notes(makeText<PlainLabel>(this)),
      m_problem(makeText<PlainLabel>(this)),
      m_form(new ParameterForm(this)),
      m_schemeForm(new ParameterForm(this)),
      m_scheme(new Expander({}, this)),
      m_states(new Expander(tr("Source"), this)),
      m_chosen(new Expander(tr("Our choice"), this)),
      m_statesText(makeText<MarkdownLabel>(m_states)),
      m_chosenText(makeText<MarkdownLabel>(m_chosen))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 4);
    layout->setSpacing(6);
    m_notes->setForegroundRole(QPalette::PlaceholderText);
    m_problem->setForegroundRole(QPalette::BrightText);
    layout->addWidget(m_notes);
    layout->addWidget(m_form);
    layout->addWidget(m_scheme);
    layout->addWidget(m_problem);
    layout->addWidget(m_states);
    layout->addWidget(m_chosen);
    makeForms();
    makeTexts();
    makeButtons();
}

void CardDetails::makeForms()
{
    m_schemeForm->setParameters(schemeFormParameters());
    m_scheme->setContent(m_schemeForm);
    for (ParameterForm* form : {m_form, m_schemeForm})
        connect(form, &ParameterForm::edited, this, &CardDetails::edit);
}

void CardDetails::makeTexts()
{
    m_states->setContent(m_statesText);
    m_chosen->setContent(m_chosenText);
    // Long texts are laid out when somebody wants to read them.
    for (Expander* expander : {m_states, m_chosen})
        connect(expander, &Expander::toggled, this, &CardDetails::showTexts);
}

void CardDetails::makeButtons()
{
    m_reset = new QPushButton(tr("Reset all"), this);
    m_baseline = new QPushButton(tr("Baseline"), this);
    m_baseline->setToolTip(tr("Compares all others with this one in the table of results"));
    m_baseline->setCheckable(true);
    m_remove = new QPushButton(tr("Remove"), this);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_reset);
    buttons->addWidget(m_remove);
    buttons->addStretch(1);
    buttons->addWidget(m_baseline);
    static_cast<QVBoxLayout*>(layout())->addLayout(buttons);
    connect(m_reset, &QPushButton::clicked, this,
            [this] { Q_EMIT resetRequested(m_candidate->row.candidate.id); });
    connect(m_remove, &QPushButton::clicked, this,
            [this] { Q_EMIT removeRequested(m_candidate->row.candidate.id); });
    connect(m_baseline, &QPushButton::clicked, this, [this](bool isChecked) {
        Q_EMIT baselineRequested(isChecked ? m_candidate->row.candidate.id : std::string());
    });
}

void CardDetails::showCandidate(const DetailedCandidate& candidate)
{
    m_candidate = candidate;
    const Choice& choice = candidate.row.candidate.choice;
    const auto now = [&choice](const std::string& id) { return settingOf(choice, id); };
    const auto first = [&candidate](const std::string& id) {
        return settingOf(candidate.first, id);
    };
    m_form->setParameters(calibrator(choice.calibrator).parameters);
    m_form->setMeanings([&choice](const Parameter& parameter, const std::string& word) {
        // The words of the others say it themselves, or in their tooltips.
        return parameter.kind == Parameter::Kind::NumberOrWord
                   ? wordMeaning(choice, parameter, word)
                   : QString();
    });
    m_form->setValues(now, first);
    m_schemeForm->setValues(now, first);
    m_scheme->setTitle(schemeTitle(choice));
    m_notes->setText(notesOf(candidate.row));
    m_notes->setVisible(!m_notes->text().isEmpty());
    m_problem->hide();
    m_reset->setVisible(!choice.isSameComputation(candidate.first));
    m_remove->setVisible(candidate.row.origin != OutcomeRow::Origin::Listed);
    m_baseline->setChecked(candidate.row.isBaseline);
    showTexts();
}

void CardDetails::showTexts()
{
    if (!m_candidate || (!m_states->isOpen() && !m_chosen->isOpen()))
        return;
    const Candidate& shown = m_candidate->row.candidate;
    const ChoiceStatements texts = statementsOf(shown.choice, shown.recipes);
    m_statesText->setMarkdown(m_states->isOpen() ? texts.states : QString());
    m_chosenText->setMarkdown(m_chosen->isOpen() ? texts.chosen : QString());
}

QString CardDetails::problem() const
{
    return m_problem->isHidden() ? QString() : m_problem->text();
}

void CardDetails::edit(const std::string& id, const std::string& value)
{
    if (!m_candidate)
        return;
    const std::string candidate = m_candidate->row.candidate.id;
    try {
        const Choice changed = withSetting(m_candidate->row.candidate.choice, id, value);
        Q_EMIT edited(candidate, changed, QString::fromStdString(id));
    } catch (const Error& error) {
        showCandidate(DetailedCandidate(*m_candidate));  // the control goes back
        m_problem->setText(QString::fromStdString(error.what()));
        m_problem->show();
    }
}

}  // namespace calibscope
