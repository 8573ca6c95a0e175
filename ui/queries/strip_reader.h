#pragma once

#include "ui/queries/engine_request.h"
#include "ui/queries/view_reader.h"

#include <QCache>
#include <QObject>
#include <QString>

#include <map>
#include <optional>

namespace calibscope {

/// How a tensor is to be laid out as rows of columns.
struct StripQuestion
{
    protocol::StripRows rows = protocol::StripRows::Batch;
    Domain domain = Domain::Magnitude;
    std::uint64_t columns = 256;
    std::optional<Range> range = {};  ///< nothing: of all finite values

    bool operator==(const StripQuestion&) const = default;
};

/// Reads where the values of channels or batches lie: of each kind of rows the
/// latest question, the last answers are cached.
class StripReader : public QObject
{
    Q_OBJECT

public:
    explicit StripReader(Engine& engine, QObject* parent = nullptr);

    /// Asks about what the view request is of.
    void ask(const protocol::ViewRequest& of, const StripQuestion& question);
    /// Drops what is being read.
    void stop();
    /// Forgets the answers too: another dump is open.
    void forget();

    struct Found
    {
        const protocol::Strip* strip = nullptr;  ///< valid until the next signal or call
        bool isPending = false;
        QString problem;  ///< why there is none, a sentence
    };
    [[nodiscard]] Found find(const protocol::ViewRequest& of, const StripQuestion& question) const;
    [[nodiscard]] bool isIdle() const;

Q_SIGNALS:
    void changed();

private:
    struct Key
    {
        TensorRef tensor;
        StripQuestion question;
        bool operator==(const Key&) const = default;
        friend std::size_t qHash(const Key& key, std::size_t seed = 0)
        {
            return qHashMulti(seed, key.tensor, static_cast<int>(key.question.rows),
                              key.question.columns);
        }
    };
    struct Asked
    {
        Key key;
        EngineRequest request;  ///< not at work: it failed
        QString problem;
    };

    [[nodiscard]] static Key keyFor(const protocol::ViewRequest& of, const StripQuestion& question);
    void finish(protocol::StripRows rows, Answer<protocol::Strip> answer);

    Engine& m_engine;
    std::map<protocol::StripRows, Asked>
        m_asked;  ///< the latest of each kind, unless it was answered
    QCache<Key, protocol::Strip> m_strips;
};

}  // namespace calibscope
