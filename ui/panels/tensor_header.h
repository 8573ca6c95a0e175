// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/tensor_info.h"

#include <QWidget>

#include <cstdint>
#include <optional>

class QSpinBox;

namespace calibscope {

class Document;
class ElidedLabel;
class NeighbourChips;

/// A tensor's name, next to it a line of facts, and below it the neighbours of the selected one.
class TensorTitle : public QWidget
{
    Q_OBJECT

public:
    explicit TensorTitle(Document& document, QWidget* parent = nullptr);

    using QWidget::show;
    void show(const QString& name, const QString& facts);
    /// Where the title is narrow they may be put below all that is next to it.
    [[nodiscard]] NeighbourChips& neighbours() const { return *m_neighbours; }

private:
    Document& m_document;
    ElidedLabel* m_name;
    ElidedLabel* m_facts;
    NeighbourChips* m_neighbours;
};

/// All channels of a tensor, or one of them: a spin box whose lowest entry is "all channels".
class ChannelChoice : public QWidget
{
    Q_OBJECT

public:
    explicit ChannelChoice(QWidget* parent = nullptr);

    /// Of so many channels; without any the widget hides. Nothing chosen: all. Emits nothing.
    void setChannels(std::uint64_t count, std::optional<std::uint64_t> shown);
    void focusNumber();

Q_SIGNALS:
    void chosen(std::optional<quint64> channel);

private:
    QSpinBox* m_number;
};

/// A tensor's name and what is known of it without reading its values, and which part is shown.
class TensorHeader : public QWidget
{
    Q_OBJECT

public:
    explicit TensorHeader(Document& document, QWidget* parent = nullptr);

    /// nullptr: blank. `hasParts`: one channel can be shown alone.
    void setTensor(const TensorInfo* tensor, std::optional<std::uint64_t> shownChannel,
                   bool hasParts = true);
    void focusChannel();
    [[nodiscard]] NeighbourChips& neighbours() const { return m_title->neighbours(); }

Q_SIGNALS:
    void channelChosen(std::optional<quint64> channel);

private:
    TensorTitle* m_title;
    ChannelChoice* m_channel;
};

}  // namespace calibscope
