#pragma once

#include <QWidget>

#include <cstdint>
#include <optional>

class QSpinBox;

namespace calibscope {

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

}  // namespace calibscope
