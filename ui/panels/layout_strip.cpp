// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/layout_strip.h"

#include "ui/document/dump_summary.h"
#include "ui/document/edits.h"
#include "ui/document/questions.h"
#include "ui/document/tensor_text.h"
#include "ui/plot/number_label.h"

#include <algorithm>

namespace calibscope {

LayoutStrip::LayoutStrip(Document& document, QWidget* parent)
    : MessageBar(parent), m_document(document)
{
    setObjectName(QStringLiteral("layoutStrip"));
    connect(this, &MessageBar::closed, this, [this] {
        if (const TensorInfo* tensor = m_document.selectedTensor())
            m_closed.insert(tensor->path);
    });
    connect(&document, &Document::selectionChanged, this, &LayoutStrip::update);
    connect(&document, &Document::tensorsChanged, this, &LayoutStrip::update);
    connect(&document.questions(), &Questions::viewChanged, this, &LayoutStrip::update);
    connect(&document, &Document::dumpChanged, this, [this] {
        m_closed.clear();
        update();
    });
}

void LayoutStrip::update()
{
    const TensorInfo* tensor = m_document.selectedTensor();
    if (!tensor || m_closed.contains(tensor->path))
        return hide();
    if (needsOtherFiles(*tensor) && !m_document.allowsExternal())
        return say(
            tr("This tensor is stored in another file, which is read only if you allow it."),
            {{tr("Reopen and read other files"), [this] { m_document.reloadWithExternal(); }}});
    if (!tensor->isReadable() && !tensor->otherTypes.empty())
        return sayTypes(*tensor);
    if (const protocol::TensorView* view = m_document.questions().reader().result();
        view && view->typeOffer)
        return sayOffer(*view->typeOffer);
    if (tensor->isGuess)
        return sayGuess(*tensor);
    hide();
}

void LayoutStrip::sayGuess(const TensorInfo& tensor)
{
    QString sentence = tr("Guessed: %1").arg(axesLabel(tensor));
    for (std::size_t place = 0; place < tensor.evidence.size(); ++place)
        sentence += QLatin1String(place == 0 ? ": " : "; ") +
                    QString::fromStdString(tensor.evidence[place]);
    sentence += u'.';
    std::vector<Remedy> remedies{
        change(), {tr("Confirm"), [this] { (void)confirmGuess(m_document, false); }}};
    const std::vector<int> alike = m_document.understood().like(m_document.selected());
    if (alike.size() > 1)
        remedies.push_back({tr("Confirm all %1 similar").arg(countLabel(alike.size())),
                            [this] { (void)confirmGuess(m_document, true); }});
    say(sentence, remedies);
}

void LayoutStrip::sayTypes(const TensorInfo& tensor)
{
    constexpr std::size_t mostTypes = 2;
    std::vector<Remedy> remedies;
    for (std::size_t place = 0; place < std::min(mostTypes, tensor.otherTypes.size()); ++place)
        remedies.push_back(
            readAs(tensor.otherTypes[place], {m_document.selected()}, tr("Read as %1")));
    remedies.push_back(change());
    say(tr("Its bytes may be numbers of a type that the file does not name."), remedies);
}

void LayoutStrip::sayOffer(const TypeOffer& offer)
{
    QString sentence = QString::fromStdString(offer.reason);
    sentence = sentence.left(1).toUpper() + sentence.mid(1);
    const std::vector<int> alike = m_document.understood().like(m_document.selected());
    std::vector<Remedy> remedies{
        readAs(offer.elementType, {m_document.selected()}, tr("Read as %1"))};
    if (alike.size() > 1)
        remedies.push_back(readAs(offer.elementType, alike,
                                  tr("All %1 like it as %2").arg(countLabel(alike.size()))));
    remedies.push_back(change());
    say(sentence.endsWith(u'.') ? sentence : sentence + u'.', remedies);
}

/// What was said of the selected tensor before stays said.
MessageBar::Remedy LayoutStrip::readAs(ElementKind elementType, const std::vector<int>& tensors,
                                       const QString& text)
{
    LayoutOverride said = m_document.understood().layoutOverride(m_document.selected());
    said.elementType = elementType;
    return {text.arg(QString::fromStdString(std::string(elementText(elementType)))),
            [this, tensors, said] { edits::understand(m_document, tensors, said); }};
}

MessageBar::Remedy LayoutStrip::change()
{
    return {tr("Change..."), [this] { Q_EMIT changeRequested(); }};
}

bool confirmGuess(Document& document, bool ofAllAlike)
{
    const TensorInfo* tensor = document.selectedTensor();
    if (!tensor || !tensor->isGuess)
        return false;
    const int selected = document.selected();
    edits::confirm(document,
                   ofAllAlike ? document.understood().like(selected) : std::vector<int>{selected});
    if (const int next = summarise(document.tensors()).firstGuess; ofAllAlike && next >= 0)
        document.select(next);
    return true;
}

}  // namespace calibscope
