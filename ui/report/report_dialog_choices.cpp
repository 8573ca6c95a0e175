// How ReportDialog's choices are remembered.
#include "ui/report/report_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSpinBox>

namespace calibscope {

namespace {

QString word(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

template <typename Key>
QJsonArray checkedWords(const std::map<Key, QCheckBox*>& boxes, std::string_view (*wordOf)(Key))
{
    QJsonArray words;
    for (const auto& [key, box] : boxes)
        if (box->isChecked())
            words.append(word(wordOf(key)));
    return words;
}

template <typename Key>
void checkWords(const std::map<Key, QCheckBox*>& boxes, std::string_view (*wordOf)(Key),
                const QJsonValue& words)
{
    if (!words.isArray())
        return;
    for (const auto& [key, box] : boxes)
        box->setChecked(words.toArray().contains(word(wordOf(key))));
}

}  // namespace

QString ReportDialog::choices() const
{
    const QJsonObject json{{"content", checkedWords(m_contents, report::contentWord)},
                           {"formats", checkedWords(m_formats, report::formatWord)},
                           {"scale", m_scale->value()},
                           {"dark", m_theme->currentData().toBool()},
                           {"footer", m_footer->isChecked()},
                           {"all-recipes", m_recipes->currentIndex() == 0}};
    return QString::fromUtf8(QJsonDocument(json).toJson(QJsonDocument::Compact));
}

void ReportDialog::setChoices(const QString& json)
{
    const QJsonObject given = QJsonDocument::fromJson(json.toUtf8()).object();
    checkWords(m_contents, report::contentWord, given["content"]);
    checkWords(m_formats, report::formatWord, given["formats"]);
    m_scale->setValue(given["scale"].toInt(m_scale->value()));
    m_theme->setCurrentIndex(given["dark"].toBool() ? 1 : 0);
    m_footer->setChecked(given["footer"].toBool(true));
    m_recipes->setCurrentIndex(given["all-recipes"].toBool(true) ? 0 : 1);
}

}  // namespace calibscope
