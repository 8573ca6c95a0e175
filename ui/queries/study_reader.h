// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recipes/sample_study.h"
#include "ui/queries/query.h"

#include <QCache>
#include <QList>
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

    explicit StudyReader(TensorQuestions& questions, QObject* parent = nullptr);

    /// Asks for those of the choices that are not known yet.
    void want(const TensorRef& tensor, const std::vector<Choice>& choices);
    /// Drops what is being read.
    void stop() { m_query.drop(); }
    /// Forgets the answers too: another dump is open.
    void forget();
    /// The tensors hold more samples: what is known is found only while it is asked for anew.
    void outdate();

    struct Found
    {
        const SampleStudy* study = nullptr;  ///< valid until the next signal or call
        bool isPending = false;
        QString problem;  ///< reason for a missing study, a sentence
    };
    /// Something is known of the whole of that tensor.
    [[nodiscard]] bool knows(const TensorRef& tensor) const { return m_studies.contains(tensor); }
    [[nodiscard]] Found find(const TensorRef& tensor, const Choice& choice) const;

Q_SIGNALS:
    void changed();

private:
    [[nodiscard]] const SampleStudy* stored(const TensorRef& tensor, const Choice& choice) const;
    [[nodiscard]] const SampleStudy* known(const TensorRef& tensor, const Choice& choice) const;
    [[nodiscard]] QString problem() const;
    void keep(const protocol::StudyRequest& asked, const protocol::Studied& found);

    Query<protocol::StudyRequest> m_query;
    QCache<TensorRef, std::vector<SampleStudy>> m_studies;
    QList<TensorRef> m_outdated;
};

}  // namespace calibscope
