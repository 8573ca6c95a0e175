// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/format_presets.h"

namespace calibscope {

const std::vector<FormatPreset>& formatPresets()
{
    static const std::vector<FormatPreset> presets{
        {"torchao-mx-floor", "torchao", "mxfp4:scale-rule=floor"},
        {"torchao-mx-rceil", "torchao", "mxfp4:scale-rule=rceil"},
        {"torchao-mx-even", "torchao", "mxfp4:scale-rule=even"},
        {"torchao-mx-ceil", "torchao", "mxfp4:scale-rule=ceil"},
        {"torchao-nvfp4", "torchao", "nvfp4:least-block-scale=0.015625"},
        {"torchao-nvfp4-1", "torchao", "nvfp4-1:least-block-scale=0.015625"},
        {"torchao-int4-g128", "torchao", "int4-g128:divisor=qmax+0.5,quotient=multiply"},
        {"torchao-int8-token", "torchao", "int8-row:divisor=qmax+0.5,quotient=multiply"},
        {"ct-mxfp4", "compressed-tensors", "mxfp4:scale-rule=even"},
        {"ct-w4a16", "compressed-tensors", "int4-g128:divisor=qmax+0.5"},
        {"ct-w4a16-asym", "compressed-tensors", "uint4-g128"},
        {"ct-w8a8", "compressed-tensors", "int8-row:divisor=qmax+0.5"},
        {"ct-fp8", "compressed-tensors", "fp8-e4m3"},
        {"ct-fp8-dynamic", "compressed-tensors", "fp8-e4m3-row"},
        {"ct-fp8-block", "compressed-tensors", "fp8-e4m3-b128x128"},
        {"modelopt-nvfp4", "modelopt", "nvfp4"},
        {"modelopt-nvfp4-sweep", "modelopt", "nvfp4:search=sweep"},
        {"modelopt-int4-g128", "modelopt", "int4-g128:quotient=inverse"},
        {"ort-int4-g32", "onnxruntime", "int4-g32:divisor=signed"},
        {"ort-uint4-g32", "onnxruntime", "uint4-g32"},
        {"nncf-int4", "nncf", "int4-g128:divisor=signed"},
        {"ggml-mxfp4", "ggml", "mxfp4:scale-rule=floor,rounding=half-down"},
        {"ggml-q4_0-imatrix", "ggml", "q4_0:search=weighted,importance=input"},
        {"ggml-q4_k-imatrix", "ggml", "q4_k:importance=input"},
        {"ggml-q6_k-imatrix", "ggml", "q6_k:importance=input"},
        {"bnb-nf4", "bitsandbytes", "nf4-g64"},
        {"gptq-mse", "gptq",
         "int4-g128:divisor=qmax+0.5,search=shrink,norm=2.4,grid=100,max-shrink=0.8,patience=0"},
        {"llmc-imatrix-int4-g32", "llm-compressor",
         "int4-g32:divisor=qmax+0.5,search=shrink,norm=3.0,grid=20,max-shrink=0.95,ends-by=tensor,"
         "importance=input"},
        {"llmc-mse-w4a16", "llm-compressor",
         "int4-g128:divisor=qmax+0.5,search=shrink,norm=2.4,grid=100,max-shrink=0.2,ends-by="
         "tensor"}};
    return presets;
}

}  // namespace calibscope
