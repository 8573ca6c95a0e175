// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/layouts/operator_names.h"

#include "tests/support/catch.h"

namespace operator_names_test {

using calibscope::layouts::operatorMeant;

TEST_CASE("a name one letter off a well-known operator is told")
{
    CHECK(operatorMeant("Cojv") == "Conv");
    CHECK(operatorMeant("Con") == "");
    CHECK(operatorMeant("MaxPoml") == "MaxPool");
    CHECK(operatorMeant("Rehu") == "Relu");
    CHECK(operatorMeant("Batch_ormalization") == "BatchNormalization");
}

TEST_CASE("operators that have such names, and all that is further off, are not")
{
    for (const char* own :
         {"Conv", "conv",   "CONV",   "Relu",   "ReLU",      "Gelu",    "Selu", "Silu",
          "SiLU", "Celu",   "PRelu",  "Relu6",  "Flip",      "Add",     "Mul",  "Linear",
          "",     "MyConv", "Conv2d", "Conv1d", "FusedConv", "Softmax", "Mish", "Swish"})
        CHECK(operatorMeant(own) == "");
}

}  // namespace operator_names_test
