#pragma once

#include <QByteArray>
#include <QDateTime>
#include <QString>

#include <map>

namespace calibscope {

/// A PDF as Qt writes it, with that date of creation and an id that follows from its content alone:
/// the same pages give the same bytes. Bytes are replaced by as many, so that the places of the
/// objects stay.
[[nodiscard]] QByteArray stablePdf(QByteArray pdf, const QDateTime& date);

/// The address under which a text is drawn that is to lead to an anchor: Qt writes links to other
/// documents only.
[[nodiscard]] QString paddedLink(const QString& anchor);
/// A PDF in which those links lead to the anchors' pages, counted from 0.
[[nodiscard]] QByteArray withInnerLinks(QByteArray pdf, const std::map<QString, int>& pages);

}  // namespace calibscope
