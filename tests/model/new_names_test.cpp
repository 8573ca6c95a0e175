// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/new_names.h"

#include "tests/support/catch.h"

#include <onnx/onnx_pb.h>

namespace new_names_test {

using calibscope::model::NewNames;

TEST_CASE("a name that is taken anywhere in the model gets the first free number")
{
    ::onnx::ModelProto model;
    ::onnx::NodeProto& node = *model.mutable_graph()->add_node();
    node.set_name("n");
    node.add_output("w");
    ::onnx::AttributeProto& body = *node.add_attribute();
    body.mutable_g()->add_initializer()->set_name("w_3");
    NewNames names(model);
    CHECK(names.take("new") == "new");
    CHECK(names.take("new") == "new_2");
    CHECK(names.take("w") == "w_2");
    CHECK(names.take("w") == "w_4");
    CHECK(names.take("w_2") == "w_2_2");
    CHECK(names.take("n") == "n_2");
}

TEST_CASE("names that collide again and again cost no more than others")
{
    // Beginning at _2 each time, this would take 5 x 10^9 look-ups.
    NewNames names(::onnx::ModelProto{});
    std::string last;
    for (int time = 0; time < 100'000; ++time)
        last = names.take("w");
    CHECK(last == "w_100000");
}

}  // namespace new_names_test
