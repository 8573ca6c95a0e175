// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <deque>
#include <string>
#include <utility>

namespace calibscope {

/// Which dumps of which session files may have other files read (links, raw data, virtual sources)
/// without asking again. It is the user's word, so it stands in a file of the user's: a session
/// comes from anybody, and what it says of itself is a request.
class ExternalRights
{
public:
    /// `file` empty: remembered while this lives.
    explicit ExternalRights(QString file);

    [[nodiscard]] bool has(const QString& session, const QString& dump) const;
    /// Remembers it; the oldest of a thousand is forgotten. That it can't be written is not a failure:
    /// it will be asked again.
    void add(const QString& session, const QString& dump);

private:
    using Pair = std::pair<std::string, std::string>;

    QString m_file;
    std::deque<Pair> m_pairs;  ///< session and dump, the latest last
};

}  // namespace calibscope
