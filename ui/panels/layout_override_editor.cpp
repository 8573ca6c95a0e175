// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/layout_override_editor.h"

#include "ui/document/edits.h"
#include "ui/document/tensor_text.h"
#include "ui/plot/number_label.h"
#include "ui/theme/plain_text.h"
#include "ui/widgets/parts_label.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>
#include <limits>

namespace calibscope {

namespace {

int axisNumber(const std::optional<int>& axis)
{
    return axis.value_or(LayoutOverride::noAxis);
}

}  // namespace

LayoutOverride differenceOf(const TensorInfo& recorded, const TensorInfo& wanted)
{
    LayoutOverride said;
    if (wanted.role != recorded.role)
        said.role = wanted.role;
    if (wanted.elementType != recorded.elementType)
        said.elementType = wanted.elementType;
    if (wanted.batchAxis != recorded.batchAxis)
        said.batchAxis = axisNumber(wanted.batchAxis);
    if (wanted.channelAxis != recorded.channelAxis)
        said.channelAxis = axisNumber(wanted.channelAxis);
    // A role, or the other axis, may have moved what was not spoken of.
    const TensorInfo understood = understoodAs(recorded, said);
    if (wanted.batchAxis != understood.batchAxis)
        said.batchAxis = axisNumber(wanted.batchAxis);
    if (wanted.channelAxis != understood.channelAxis)
        said.channelAxis = axisNumber(wanted.channelAxis);
    if (wanted.batchAxis && wanted.batchSize != understoodAs(recorded, said).batchSize)
        said.batchSize = wanted.batchSize;
    return said;
}

namespace {

enum Scope { ThisTensor, AllLikeIt };

std::optional<int> axisOf(const QComboBox& combo)
{
    const int axis = combo.currentData().toInt();
    return axis == LayoutOverride::noAxis ? std::nullopt : std::optional(axis);
}

void chooseAxis(QComboBox& combo, const std::optional<int>& axis)
{
    combo.setCurrentIndex(combo.findData(axis.value_or(LayoutOverride::noAxis)));
}

}  // namespace

LayoutOverrideEditor::LayoutOverrideEditor(Document& document, QWidget* parent)
    : CardFrame(parent),
      m_document(document),
      m_title(new ElidedLabel(Qt::ElideMiddle, this)),
      m_preview(new PlainLabel(this)),
      m_role(new QComboBox(this)),
      m_batchAxis(new QComboBox(this)),
      m_batchSize(new QSpinBox(this)),
      m_channelAxis(new QComboBox(this)),
      m_type(new QComboBox(this)),
      m_scope(new QComboBox(this))
{
    setObjectName(QStringLiteral("understandingEditor"));
    setAccessibleName(tr("Role and axes"));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    QFont bold = m_title->font();
    bold.setBold(true);
    m_title->setFont(bold);
    m_preview->setObjectName(QStringLiteral("preview"));
    m_preview->setWordWrap(true);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(14, 10, 14, 12);
    layout->setSpacing(8);
    layout->addWidget(m_title);
    makeFields();
    layout->addWidget(m_preview);
    layout->addWidget(makeButtons());
    hide();
    connect(&document, &Document::selectionChanged, this, [this] {
        if (!isHidden())
            showTensor();
    });
    connect(&document, &Document::dumpChanged, this, &QWidget::hide);
}

void LayoutOverrideEditor::makeFields()
{
    m_role->setObjectName(QStringLiteral("role"));
    m_batchAxis->setObjectName(QStringLiteral("batchAxis"));
    m_batchSize->setObjectName(QStringLiteral("batchSize"));
    m_channelAxis->setObjectName(QStringLiteral("channelAxis"));
    m_type->setObjectName(QStringLiteral("elementType"));
    for (const Role role : {Role::Activation, Role::Weight, Role::Bias, Role::Unknown})
        m_role->addItem(roleTitle(role), static_cast<int>(role));
    m_batchSize->setSpecialValueText(tr("all"));
    m_batchSize->setToolTip(tr("Samples recorded together"));

    auto* fields = new QHBoxLayout;
    fields->setSpacing(10);
    addField(fields, tr("Ro&le"), m_role);
    addField(fields, tr("&Batch axis"), m_batchAxis);
    addField(fields, tr("Batch si&ze"), m_batchSize);
    addField(fields, tr("Cha&nnel axis"), m_channelAxis);
    addField(fields, tr("Re&ad as"), m_type);
    qobject_cast<QVBoxLayout*>(layout())->addLayout(fields);

    connect(m_role, &QComboBox::currentIndexChanged, this, &LayoutOverrideEditor::followRole);
    connect(m_batchAxis, &QComboBox::currentIndexChanged, this,
            [this] { giveWay(*m_batchAxis, *m_channelAxis); });
    connect(m_channelAxis, &QComboBox::currentIndexChanged, this,
            [this] { giveWay(*m_channelAxis, *m_batchAxis); });
    connect(m_batchSize, &QSpinBox::valueChanged, this, &LayoutOverrideEditor::showPreview);
    connect(m_type, &QComboBox::currentIndexChanged, this, &LayoutOverrideEditor::showPreview);
}

void LayoutOverrideEditor::addField(QHBoxLayout* fields, const QString& title, QWidget* field)
{
    auto* label = new PlainLabel(title, this);
    label->setBuddy(field);
    label->setForegroundRole(QPalette::PlaceholderText);
    field->setMinimumWidth(40);
    auto* column = new QVBoxLayout;
    column->setSpacing(2);
    column->addWidget(label);
    column->addWidget(field);
    fields->addLayout(column, 1);
}

QWidget* LayoutOverrideEditor::makeButtons()
{
    auto* row = new QWidget(this);
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins({});
    layout->setSpacing(8);
    m_scope->setObjectName(QStringLiteral("scope"));
    m_scope->setAccessibleName(tr("Tensors to change"));
    const auto addButton = [&](const QString& text, const char* name, auto slot) {
        auto* button = new QPushButton(text, row);
        button->setObjectName(QLatin1String(name));
        connect(button, &QPushButton::clicked, this, slot);
        layout->addWidget(button);
        return button;
    };
    layout->addWidget(m_scope);
    layout->addStretch();
    m_back = addButton(tr("As &in the file"), "asTheFileSays", &LayoutOverrideEditor::goBack);
    addButton(tr("Cancel"), "cancel", &LayoutOverrideEditor::closeEditor);
    addButton(tr("A&pply"), "apply", &LayoutOverrideEditor::apply);
    return row;
}

void LayoutOverrideEditor::edit()
{
    if (m_document.selected() < 0)
        return;
    m_scope->setCurrentIndex(ThisTensor);
    showTensor();
    show();
    m_role->setFocus(Qt::ShortcutFocusReason);
}

void LayoutOverrideEditor::showTensor()
{
    m_tensor = m_document.selected();
    if (m_tensor < 0)
        return hide();
    m_recorded = m_document.understood().recorded(m_tensor);
    m_like = m_document.understood().like(m_tensor);
    const TensorInfo& tensor = *m_document.selectedTensor();
    m_title->setText(tr("Role and axes of %1,  %2")
                         .arg(QString::fromStdString(tensor.name), shapeLabel(tensor)));
    const int scope = std::max(0, m_scope->currentIndex());
    m_scope->clear();
    m_scope->addItem(tr("this tensor"));
    if (m_like.size() > 1) {
        m_scope->addItem(tr("all %1 tensors like this").arg(countLabel(m_like.size())));
        m_scope->setItemData(AllLikeIt, tr("The same rule, role, rank, op and element type"),
                             Qt::ToolTipRole);
    }
    m_scope->setCurrentIndex(std::min(scope, m_scope->count() - 1));
    m_back->setEnabled(m_document.understood().isEdited(m_tensor) ||
                       m_document.understood().isConfirmed(m_tensor));
    fill(tensor);
}

void LayoutOverrideEditor::showAxes(const TensorInfo& tensor)
{
    for (QComboBox* combo : {m_batchAxis, m_channelAxis}) {
        combo->clear();
        combo->addItem(tr("none"), LayoutOverride::noAxis);
        for (int axis = 0; axis < std::ssize(tensor.shape); ++axis)
            combo->addItem(axisLabel(tensor, axis), axis);
    }
    chooseAxis(*m_batchAxis, tensor.batchAxis);
    chooseAxis(*m_channelAxis, tensor.channelAxis);
}

void LayoutOverrideEditor::fill(const TensorInfo& tensor)
{
    m_isFilling = true;
    m_role->setCurrentIndex(m_role->findData(static_cast<int>(tensor.role)));
    showAxes(tensor);
    const std::uint64_t longest =
        tensor.shape.empty() ? 0 : *std::ranges::max_element(tensor.shape);
    constexpr std::uint64_t most = std::numeric_limits<int>::max();
    m_batchSize->setMaximum(static_cast<int>(std::min(longest, most)));
    m_batchSize->setValue(static_cast<int>(std::min(tensor.batchSize, most)));
    m_type->clear();
    m_type->addItem(QString::fromStdString(elementText(m_recorded)));
    for (const ElementKind type : m_recorded.otherTypes)
        m_type->addItem(QString::fromStdString(std::string(elementText(type))));
    m_type->setCurrentText(QString::fromStdString(elementText(tensor)));
    m_type->setEnabled(m_type->count() > 1);
    m_isFilling = false;
    showPreview();
}

TensorInfo LayoutOverrideEditor::wanted() const
{
    TensorInfo tensor = m_recorded;
    tensor.role = static_cast<Role>(m_role->currentData().toInt());
    tensor.batchAxis = axisOf(*m_batchAxis);
    tensor.batchSize = tensor.batchAxis ? static_cast<std::uint64_t>(m_batchSize->value()) : 0;
    tensor.channelAxis = axisOf(*m_channelAxis);
    tensor.elementType = elementKind(m_type->currentText().toStdString());
    return tensor;
}

LayoutOverride LayoutOverrideEditor::layoutOverride() const
{
    return differenceOf(m_recorded, wanted());
}

std::vector<int> LayoutOverrideEditor::scope() const
{
    return m_scope->currentIndex() == AllLikeIt ? m_like : std::vector<int>{m_tensor};
}

void LayoutOverrideEditor::followRole()
{
    const int role = m_role->currentData().toInt();
    if (!m_isFilling &&
        (role == static_cast<int>(Role::Weight) || role == static_cast<int>(Role::Bias)))
        chooseAxis(*m_batchAxis, std::nullopt);  // weights were not recorded sample by sample
    showPreview();
}

void LayoutOverrideEditor::giveWay(const QComboBox& chosen, QComboBox& other)
{
    if (!m_isFilling && axisOf(chosen) && axisOf(chosen) == axisOf(other))
        chooseAxis(other, std::nullopt);
    showPreview();
}

void LayoutOverrideEditor::showPreview()
{
    if (m_isFilling)
        return;
    m_batchSize->setEnabled(axisOf(*m_batchAxis).has_value());
    m_preview->setText(divisionLabel(understoodAs(m_recorded, layoutOverride())));
}

void LayoutOverrideEditor::apply()
{
    const LayoutOverride said = layoutOverride();
    const std::vector<int> tensors = scope();
    hide();
    edits::understand(m_document, tensors, said);
    if (said.isEmpty())
        edits::confirm(m_document, tensors);
}

void LayoutOverrideEditor::goBack()
{
    const std::vector<int> tensors = scope();
    hide();
    edits::understand(m_document, tensors, {});
}

/// Letters choose in its lists, Enter applies and Esc closes: the window's own keys wait.
bool LayoutOverrideEditor::event(QEvent* event)
{
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if ((key->modifiers() & (Qt::ControlModifier | Qt::AltModifier)) == 0)
            event->accept();
        return true;
    }
    return CardFrame::event(event);
}

void LayoutOverrideEditor::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape)
        closeEditor();
    else if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        apply();
    else
        CardFrame::keyPressEvent(event);
}

}  // namespace calibscope
