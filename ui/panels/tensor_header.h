#pragma once

#include "core/tensor/tensor_info.h"

#include <QWidget>

#include <cstdint>
#include <optional>

namespace calibscope {

class ChannelChoice;
class TensorTitle;

/// A tensor's name and what is known of it without reading its values, and which part is shown.
class TensorHeader : public QWidget
{
    Q_OBJECT

public:
    explicit TensorHeader(QWidget* parent = nullptr);

    /// nullptr: blank.
    void setTensor(const TensorInfo* tensor, std::optional<std::uint64_t> shownChannel);
    void focusChannel();

Q_SIGNALS:
    void channelChosen(std::optional<quint64> channel);

private:
    TensorTitle* m_title;
    ChannelChoice* m_channel;
};

}  // namespace calibscope
