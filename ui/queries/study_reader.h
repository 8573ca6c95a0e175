#pragma once

#include "core/recipes/sample_study.h"
#include "ui/queries/query.h"

#include <QCache>
#include <QObject>
#include <QString>

#include <optional>
#include <vector>

namespace calibscope {

/// Studies whether the samples of a tensor are enough for some choices: the latest question wins,
/// what was found is kept.
class StudyReader : public QObject
{
    Q_OBJECT

public:
    /// Parts that are held out by turns.
    static constexpr std::uint64_t parts = 5;

    /// `engine` must outlive it.
    explicit StudyReader(Engine& engine, QObject* parent = nullptr);

    /// Asks for those of the choices that are not known yet.
    void want(const TensorRef& tensor, const std::vector<Choice>& choices);
    /// Drops what is being read.
    void stop();
    /// Forgets the answers too: another dump is open.
    void forget();

    struct Found
    {
        const SampleStudy* study = nullptr;  ///< valid until the next signal or call
        bool isPending = false;
        QString problem;  ///< why there is none, a sentence
    };
    /// Something is known of the whole of that tensor.
    [[nodiscard]] bool knows(const TensorRef& tensor) const { return m_studies.contains(tensor); }
    [[nodiscard]] Found find(const TensorRef& tensor, const Choice& choice) const;
    [[nodiscard]] bool isIdle() const { return !m_request.isAtWork(); }

Q_SIGNALS:
    void changed();

private:
    [[nodiscard]] const SampleStudy* known(const TensorRef& tensor, const Choice& choice) const;
    void finish(Answer<protocol::Studied> answer);

    Engine& m_engine;
    QCache<TensorRef, std::vector<SampleStudy>> m_studies;
    TensorRef m_tensor;             ///< that was asked about last
    std::vector<Choice> m_missing;  ///< of it
    QString m_problem;              ///< why nothing came of that
    EngineRequest m_request;
};

}  // namespace calibscope
