#pragma once

#include "ui/models/inspector_facts.h"

#include <QTextBrowser>

#include <vector>

namespace calibscope {

/// Sections of facts as text that can be selected and copied.
class FactView : public QTextBrowser
{
    Q_OBJECT

public:
    explicit FactView(QWidget* parent = nullptr);

    void setSections(std::vector<FactSection> sections);

protected:
    void changeEvent(QEvent* event) override;

private:
    void render();
    void showHtml(const QString& html);

    std::vector<FactSection> m_sections;
    QString m_shown;  ///< laying it out takes milliseconds
};

}  // namespace calibscope
