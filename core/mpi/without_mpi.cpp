#include "core/base/error.h"
#include "core/mpi/rank_server.h"

#include <cstdlib>

/// What takes the place of rank_server.cpp in a build without CALIBSCOPE_MPI.
namespace calibscope::mpi {

struct RankServer::Impl
{
};

bool isBuiltIn()
{
    return false;
}

RankServer::RankServer(int)
{
    throw Error(Fault::Usage, "this program was built without MPI (CALIBSCOPE_MPI)");
}

RankServer::~RankServer() = default;

void RankServer::start() {}

bool RankServer::hasParted()
{
    return false;
}

std::size_t RankServer::rank() const
{
    return 0;
}

void RankServer::abort(int code)
{
    std::_Exit(code);
}

}  // namespace calibscope::mpi
