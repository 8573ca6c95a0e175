#pragma once

#include <QString>

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <string>

namespace calibscope {

/// How a request ended, before its result is decoded.
struct EngineEnd
{
    enum class Kind { Result, Failed, Cancelled, Died };
    Kind kind = Kind::Failed;
    const nlohmann::json* result = nullptr;  ///< of Kind::Result
    QString sentence;                        ///< of Failed and Died
};

/// One request on its way through the link.
struct EngineJob
{
    using Delivery = std::function<void()>;

    quint64 id = 0;
    std::string frame;  ///< as it is sent
    QString subject;    ///< what is being read, for sentences: "conv1 of a.h5"
    /// Decodes on the link's thread; what it returns is run on the client's.
    std::function<Delivery(const EngineEnd&)> finish;
};

}  // namespace calibscope
