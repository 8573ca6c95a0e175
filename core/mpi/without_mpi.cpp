// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/mpi/rank_server.h"

#include <cstdlib>

/// What takes the place of rank_server.cpp in a build without CALIBSCOPE_MPI.
namespace calibscope::mpi {

struct RankServer::Impl
{
};

std::string whyNotConnected(const Launched& launched)
{
    if (launched.count < 2)
        return {};
    return "it was started " + std::to_string(launched.count) + " times (" + launched.variable +
           "), each of which would read all files, since it was built without MPI "
           "(CALIBSCOPE_MPI); share the work with --step and --part, or start one";
}

void endAll(int code)
{
    std::_Exit(code);
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
