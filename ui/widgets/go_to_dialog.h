// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractListModel>
#include <QDialog>
#include <QString>
#include <QStringView>

#include <functional>
#include <optional>
#include <vector>

class QLabel;
class QLineEdit;
class QListView;

namespace calibscope {

/// How well a text answers a few typed letters; higher is better, nothing: not at all.
///
/// Words of the query may stand in any order. Each must be part of the text or, else, its letters
/// follow each other in it with gaps. Whole parts, starts of words and short texts are better. Both
/// are to be in lower case.
[[nodiscard]] std::optional<int> fuzzyScore(QStringView query, QStringView text);

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

/// A line to type into and the destinations that answer it: the command palette, say. The arrow
/// keys choose, Enter goes there, Esc leaves.
class GoToDialog : public QDialog
{
    Q_OBJECT

public:
    /// Its question: by its title, and in the line while that is empty.
    struct Words
    {
        QString title;
        QString placeholder;
    };

    GoToDialog(const Words& words, std::vector<Destination> destinations, QWidget* parent);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void search(const QString& query);
    void go();

    GoToModel m_model;
    QLineEdit* m_query;
    QListView* m_list;
    QLabel* m_count;
};

}  // namespace calibscope
