#include "ui/report/view_spool.h"

#include "core/base/error.h"
#include "core/protocol/codec.h"
#include "core/report/tables/output.h"

#include <fstream>
#include <iterator>
#include <string>
#include <utility>

namespace calibscope {

ViewSpool::ViewSpool(std::filesystem::path folder) : m_folder(std::move(folder))
{
    std::error_code error;
    std::filesystem::create_directory(m_folder, error);
    if (error)
        throw Error(Fault::Output, m_folder.string() + ": this folder can't be created (" +
                                       error.message() + "); check the free space");
}

std::filesystem::path ViewSpool::fileOf(std::size_t place) const
{
    return m_folder / std::to_string(place);
}

void ViewSpool::put(std::size_t place, protocol::TensorView view) const
{
    view.profile.sketch = {};
    std::string bytes;
    protocol::Json::to_cbor(protocol::encode(view), bytes);
    Output output(fileOf(place).string());
    output.write(bytes);
    output.finish();
}

std::optional<protocol::TensorView> ViewSpool::take(std::size_t place) const
{
    std::ifstream file(fileOf(place), std::ios::binary);
    if (!file)
        return std::nullopt;
    const std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    return protocol::decode<protocol::TensorView>(protocol::Json::from_cbor(bytes));
}

void ViewSpool::clear() const
{
    std::error_code ignored;
    std::filesystem::remove_all(m_folder, ignored);
}

}  // namespace calibscope
