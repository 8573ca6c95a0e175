#pragma once

#include <QAbstractListModel>
#include <QString>

#include <functional>
#include <vector>

namespace calibscope {

/// Somewhere to go, or something to do, that is found by letters of its text.
struct Destination
{
    QString text;
    QString kind;          ///< what it is, in a word: shown behind the text and searched too
    QString detail;        ///< its keys, say; shown at the right
    bool isFirst = false;  ///< before others that answer a query no better: actions among tensors
    std::function<void()> go;
};

/// The destinations that answer a query, the best first.
class GoToModel : public QAbstractListModel
{
    Q_OBJECT

public:
    enum DataRole { KindRole = Qt::UserRole, DetailRole };
    static constexpr int most = 100;  ///< rows; who wants others types another letter

    using QAbstractListModel::QAbstractListModel;

    void setDestinations(std::vector<Destination> destinations);
    void setQuery(const QString& query);
    /// How many answer the query, those beyond `most` too.
    [[nodiscard]] int matchCount() const { return m_matchCount; }
    void go(int row) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

private:
    std::vector<Destination> m_destinations;
    std::vector<QString> m_searched;  ///< what is searched of each, in lower case
    std::vector<std::size_t> m_rows;  ///< places of the destinations shown
    int m_matchCount = 0;
};

}  // namespace calibscope
