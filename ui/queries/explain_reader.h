#pragma once

#include "core/recipes/steps.h"
#include "ui/queries/engine_request.h"

#include <QObject>
#include <QString>

#include <optional>
#include <vector>

namespace calibscope {

/// A step on the way from one choice to another, and what came of it.
struct ExplainRow
{
    ChoiceStep step;
    std::optional<Outcome> outcome;  ///< nothing until it was computed

    [[nodiscard]] bool hasResult() const { return outcome && outcome->problem.empty(); }
};

/// Scale over that of the row before; nothing where one of them is missing or 0.
[[nodiscard]] std::optional<double> scaleChange(const ExplainRow& row, const ExplainRow& before);
/// SQNR less that of the row before, in dB; nothing where one of them is missing or infinite.
[[nodiscard]] std::optional<double> sqnrChange(const ExplainRow& row, const ExplainRow& before);

/// Finds out why two choices differ on a tensor: turns one into the other, an option at a time. The
/// latest question wins.
class ExplainReader : public QObject
{
    Q_OBJECT

public:
    enum class State { Idle, Reading, Ready, Failed };

    explicit ExplainReader(Engine& engine, QObject* parent = nullptr);

    /// On what the view request is of.
    void explain(const protocol::ViewRequest& of, const Choice& from, const Choice& to);
    void clear();

    [[nodiscard]] State state() const { return m_state; }
    /// The steps are there at once, their outcomes when Ready.
    [[nodiscard]] const std::vector<ExplainRow>& rows() const { return m_rows; }
    [[nodiscard]] const QString& problem() const { return m_problem; }  ///< of Failed, a sentence

Q_SIGNALS:
    void changed();

private:
    void drop();
    void finish(Answer<protocol::TensorView> answer);

    Engine& m_engine;
    State m_state = State::Idle;
    std::vector<ExplainRow> m_rows;
    QString m_problem;
    EngineRequest m_request;
};

}  // namespace calibscope
