#include "core/report/tables/cells.h"

namespace calibscope {

Cell optionalCell(std::optional<double> value)
{
    return value ? Cell{*value} : Cell{};
}

std::string joinedNotes(const std::vector<std::string>& notes)
{
    std::string text;
    for (const std::string& note : notes)
        text += (text.empty() ? "" : "; ") + note;
    return text;
}

}  // namespace calibscope
