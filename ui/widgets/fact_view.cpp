#include "ui/widgets/fact_view.h"

#include <QEvent>
#include <QScrollBar>

namespace calibscope {

namespace {

QString sectionHtml(const FactSection& section, const QString& faint)
{
    QString html = QStringLiteral("<p style='margin:14px 0 4px 0; color:%1'><b>%2</b></p>")
                       .arg(faint, section.title.toUpper().toHtmlEscaped());
    html += QStringLiteral("<table width='100%' cellspacing='0' cellpadding='2'>");
    for (const auto& [name, value] : section.facts)
        html += QStringLiteral("<tr><td style='color:%1; white-space:nowrap'>%2&nbsp;&nbsp;</td>"
                               "<td align='right'>%3</td></tr>")
                    .arg(faint, name.toHtmlEscaped(),
                         value.toHtmlEscaped().replace(u'\n', QStringLiteral("<br>")));
    html += QStringLiteral("</table>");
    for (const QString& sentence : section.sentences)
        html +=
            QStringLiteral("<p style='margin:6px 2px 0 2px'>%1</p>").arg(sentence.toHtmlEscaped());
    return html;
}

}  // namespace

FactView::FactView(QWidget* parent) : QTextBrowser(parent)
{
    setFrameShape(QFrame::NoFrame);
    setOpenLinks(false);
    setAccessibleName(tr("Settings, notes and statistics"));
    document()->setDocumentMargin(0);
    viewport()->setAutoFillBackground(false);
}

void FactView::setSections(std::vector<FactSection> sections)
{
    m_sections = std::move(sections);
    render();
}

void FactView::render()
{
    const QString faint = palette().color(QPalette::PlaceholderText).name();
    QString html;
    for (const FactSection& section : m_sections)
        html += sectionHtml(section, faint);
    if (html != m_shown)
        showHtml(m_shown = html);
}

/// While the text is replaced it is short for a moment. A scroll bar that goes and comes with that
/// has all of it laid out three times.
void FactView::showHtml(const QString& html)
{
    if (verticalScrollBar()->isVisible())
        setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
    setHtml(html);
    setVerticalScrollBarPolicy(Qt::ScrollBarAsNeeded);
}

void FactView::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        render();
    QTextBrowser::changeEvent(event);
}

}  // namespace calibscope
