"""Writes dumps as other programs do, with h5py as they use it, into the folder given as argument."""
import os
import sys

import h5py
import numpy as np

random = np.random.default_rng(20240229)


def values(*shape):
    return random.standard_normal(shape).astype(np.float32)


def hooks_nested(file):
    """Forward hooks, one group for each level of the module's name."""
    for name in ("layer1/0/conv1", "layer1/0/relu", "layer2/0/conv1"):
        file.create_dataset(f"activations/{name}", data=values(4, 16, 8, 8))
    file.create_dataset("activations/fc", data=values(4, 10))


def hooks_dotted(file):
    """The same with the names as PyTorch gives them."""
    for name in ("layer1.0.conv1", "layer1.1.conv1"):
        file.create_dataset(name, data=values(4, 16, 8, 8))


def tuples(file):
    """A module with several outputs beside modules with one."""
    file.create_dataset("outputs/embedding", data=values(8, 5, 16))
    for index in range(2):
        file.create_dataset(f"outputs/lstm/{index}", data=values(8, 5, 32))


def onnxruntime(file):
    """Collected activations, flattened, a dataset for each batch."""
    for name, length in (("conv1", 64), ("/block/Relu_output_0", 32)):
        for batch in range(12):
            file.create_dataset(f"{name}/{batch}", data=values(length if batch < 11 else 16))


def keras2(file, base, names_in_pieces=False):
    group = file.require_group(base)
    layers = ["conv1", "depthwise", "bn", "flatten", "up_transpose", "fc"]
    weights = {
        "conv1": {"conv1/kernel:0": (3, 3, 3, 8), "conv1/bias:0": (8,)},
        "depthwise": {"depthwise/depthwise_kernel:0": (3, 3, 8, 1)},
        "bn": {f"bn/{name}:0": (8,) for name in ("gamma", "beta", "moving_mean", "moving_variance")},
        "flatten": {},
        "up_transpose": {"up_transpose/kernel:0": (2, 2, 4, 8)},
        "fc": {"fc/kernel:0": (16, 10)},
    }
    if names_in_pieces:
        group.attrs["layer_names0"] = [name.encode() for name in layers[:4]]
        group.attrs["layer_names1"] = [name.encode() for name in layers[4:]]
    else:
        group.attrs["layer_names"] = [name.encode() for name in layers]
    for layer in layers:
        sub = group.create_group(layer)
        sub.attrs["weight_names"] = np.array([name.encode() for name in weights[layer]])
        for name, shape in weights[layer].items():
            sub.create_dataset(name, data=values(*shape))


def keras2_model(file):
    """model.save("model.h5"): weights, optimizer, configuration."""
    keras2(file, "model_weights")
    file.attrs["model_config"] = '{"class_name": "Functional"}'
    file.create_dataset("optimizer_weights/Adam/conv1/kernel/m:0", data=values(3, 3, 3, 8))
    file.create_dataset("optimizer_weights/Adam/iter:0", data=np.int64(7))


def keras2_weights(file):
    """model.save_weights("weights.h5") of a model with many layers."""
    keras2(file, "/", names_in_pieces=True)


def keras3(file, dtype, container="layers"):
    def layer(path, *shapes):
        group = file.create_group(path).create_group("vars")
        for index, shape in enumerate(shapes):
            array = values(*shape)
            if dtype == "bfloat16":
                upper = (array.view(np.uint32) >> 16).astype(np.uint16)
                data = group.create_dataset(str(index), data=upper.view("V2"))
                data.attrs["dtype"] = "bfloat16"
            else:
                group[str(index)] = array

    layer(f"{container}/conv2d", (3, 3, 3, 8), (8,))
    file[f"{container}/conv2d"].attrs["name"] = "stem"
    layer(f"{container}/batch_normalization", (8,), (8,), (8,), (8,))
    layer(f"{container}/conv2d_transpose", (2, 2, 4, 8))
    layer(f"{container}/functional/{container}/depthwise_conv2d", (3, 3, 8, 1))
    layer(f"{container}/embedding", (100, 16))
    layer(f"{container}/dense", (16, 10))
    layer("optimizer", (3, 3, 3, 8))
    seed = file.create_group(f"{container}/dropout/seed_generator").create_group("vars")
    seed["0"] = np.array([1, 2], dtype=np.uint32)


def images(file):
    """Channels first or last, with and without a layout."""
    file.create_dataset("acts/first", data=values(4, 3, 8, 8))
    file.create_dataset("acts/last", data=values(4, 8, 8, 3))
    file.create_dataset("acts/open", data=values(4, 6, 8, 10))
    stated = file.create_dataset("acts/stated", data=values(4, 6, 8, 10))
    stated.attrs["layout"] = np.bytes_("NHWC")


def junk(file):
    """What other programs leave in HDF5 files."""
    file["texts"] = ["a", "b"]
    file["records"] = np.zeros(3, dtype=[("x", "f4"), ("y", "i4")])
    file["scalar"] = np.float32(1.5)
    file["empty"] = np.zeros((0, 4), np.float32)
    file["nothing"] = h5py.Empty("f4")
    file["flags"] = np.array([True, False])
    rows = file.create_dataset("rows", (2,), dtype=h5py.vlen_dtype(np.float32))
    rows[0] = [1.0, 2.0]
    references = file.create_dataset("references", (1,), dtype=h5py.ref_dtype)
    references[0] = file["scalar"].ref
    image = file.create_dataset("image", data=np.zeros((4, 4, 3), np.uint8))
    image.attrs["CLASS"] = np.bytes_("IMAGE")
    file["axis"] = np.arange(4, dtype=np.float32)
    file["axis"].make_scale("time")
    file["good"] = values(4, 2)


def roles(file):
    """Attributes that say it, under names that do not."""
    for name, shape, attributes in (
            ("a", (4, 6), {"role": "activation"}),
            ("b", (6, 4), {"kind": "weight", "axis": 1}),
            ("c", (2, 2, 8, 4), {"role": "weight", "layout": "HWIO"}),
            ("d", (16, 8, 2, 2), {"role": "weight", "channel_axis": 1}),
            ("e", (5, 4, 8), {"layout": "TNC", "batch_size": 2}),
            ("f", (4,), {"role": "weight"})):
        file.create_dataset(name, data=values(*shape)).attrs.update(attributes)


DUMPS = {
    "hooks_nested": hooks_nested, "hooks_dotted": hooks_dotted, "tuples": tuples,
    "onnxruntime": onnxruntime, "keras2_model": keras2_model, "keras2_weights": keras2_weights,
    "keras3": lambda file: keras3(file, "float32"),
    "keras3_bfloat16": lambda file: keras3(file, "bfloat16"),
    "keras3_older": lambda file: keras3(file, "float32", "_layer_checkpoint_dependencies"),
    "images": images, "junk": junk, "roles": roles,
}

if __name__ == "__main__":
    for dump, write in DUMPS.items():
        with h5py.File(os.path.join(sys.argv[1], dump + ".h5"), "w") as target:
            write(target)
