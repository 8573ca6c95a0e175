"""Names and inputs in recordings: shared modules, nested outputs, functions between modules."""
from __future__ import annotations

import collections
import unittest.mock

import numpy as np
import torch
from torch import Tensor, nn

import record_torch
from calibration_dump import RecordingWarning
from demo_network import DemoNetwork, images
from record_torch import Recorder, record
from recordings import Chain, Function, RecordingTest, X


class NamesTest(RecordingTest):
    def names(self) -> list[str]:
        return [path.removeprefix("activations/") for path in self.recorded() if path.startswith("activations/")]

    def test_each_call_of_a_shared_module_has_a_name_of_its_own(self) -> None:
        class Twice(nn.Module):
            def __init__(self) -> None:
                super().__init__()
                self.gate = nn.Linear(6, 6)
                self.same = self.gate

            def forward(self, x: Tensor) -> Tensor:
                return self.gate(self.same(x))

        network = Twice()
        record(network, [X, X], self.dump)
        self.assertEqual(sorted(self.recorded()), ["activations/gate", "activations/gate#2", "activations/input",
                                                   "weights/gate.weight"])
        self.assertEqual(self.attributes("activations/gate#2")["inputs"], ["gate", "gate.weight", "gate.bias"])
        once = network.gate(X).detach()
        np.testing.assert_array_equal(self.recorded()["activations/gate#2"],
                                      torch.cat([network.gate(once)] * 2).detach())

    def test_tied_weights_are_written_once_and_name_both_users(self) -> None:
        network = Chain(embed=nn.Embedding(9, 6), head=nn.Linear(6, 9, bias=False))
        network.head.weight = network.embed.weight
        with self.assertWarnsRegex(RecordingWarning, "input is left out: it holds int64"):
            record(network, [torch.tensor([1, 2, 8])], self.dump)
        self.assertEqual(sorted(self.recorded()), ["activations/embed", "activations/head", "weights/embed.weight"])
        self.assertEqual(self.attributes("weights/embed.weight")["consumer"], ["embed", "head"])
        self.assertEqual(self.attributes("activations/head")["inputs"], ["embed", "embed.weight"])

    def test_parts_of_nested_outputs_are_named_by_index_and_key(self) -> None:
        pair = collections.namedtuple("pair", ["scores", "other"])
        network = Function(lambda a, b: (a + b, [a * 2, {"deep/er": b, "count": 3}], pair(a - b, None)))
        record(network, [(X, X + 1)], self.dump)
        self.assertEqual(self.names(), ["input[0]", "input[1]", "output[0]", "output[1][0]", "output[2][scores]"])
        # b itself came back: it is input[1], and not written again.

    def test_dictionaries_are_passed_as_keywords(self) -> None:
        record(Function(lambda a, b: {"sum": a + b}), [{"a": X, "b": X}], self.dump)
        inputs = ["input[a]", "input[b]"] if torch.__version__ >= "2" else []  # PyTorch 1 shows hooks no keywords
        self.assertEqual(self.names(), [*inputs, "output[sum]"])

    def test_hooks_that_get_keywords_see_them_as_inputs(self) -> None:
        """PyTorch 2's hooks, on PyTorch 1: they are handed all arguments as keywords."""
        def register(register_hook, hook):
            return register_hook(lambda module, args, *output: hook(module, (), dict(zip("xyz", args)), *output))

        with unittest.mock.patch.object(record_torch, "_register", register):
            record(DemoNetwork(), images(2), self.dump)
        self.assertEqual(len(self.names()), 13)
        self.assertIn("input[x]", self.names())
        self.assertEqual(self.attributes("activations/stem.0")["inputs"], ["input[x]", "stem.0.weight"])

    def test_hooks_ask_for_keywords_where_pytorch_has_them(self) -> None:
        asked = {}
        record_torch._register(lambda hook, *, prepend=False, with_kwargs=False: asked.update(new=with_kwargs), print)
        record_torch._register(lambda hook: asked.update(old=hook), print)
        self.assertEqual(asked, {"new": True, "old": print})

    def test_lstm_outputs_have_names_and_no_wrong_layout(self) -> None:
        record(nn.LSTM(6, 5, batch_first=True), [torch.randn(4, 3, 6)], self.dump)
        self.assertEqual(self.names(), ["input", "output[0]", "output[1][0]", "output[1][1]"])
        self.assertNotIn("layout", self.attributes("activations/output[0]"))

    def test_a_tensor_that_passes_through_is_recorded_once(self) -> None:
        record(Chain(a=nn.Identity(), b=nn.Dropout(0.5), c=nn.Sequential(nn.ReLU())), [X], self.dump)
        self.assertEqual(self.names(), ["c.0", "input"])
        self.assertEqual(self.attributes("activations/c.0")["inputs"], ["input"])

    def test_modules_are_chosen_by_name_glob_and_class(self) -> None:
        network = Chain(a=nn.Linear(6, 6), b=nn.Sequential(nn.ReLU(), nn.Linear(6, 6)), c=nn.Sigmoid())
        record(network, [X], self.dump, modules=["b", nn.Sigmoid])
        self.assertEqual(sorted(self.recorded()), ["activations/b", "activations/c", "activations/input"])
        record(network, [X], self.dump, modules=["*.1"])
        self.assertEqual(sorted(self.recorded()), ["activations/b.1", "activations/input", "weights/b.1.weight"])
        with self.assertRaisesRegex(ValueError, "no module of Chain is one of .'d'."):
            record(network, [X], self.dump, modules=["d"])

    def test_names_of_modules_are_not_taken_by_input_and_output(self) -> None:
        record(Chain(input=nn.Tanh(), output=Function(torch.exp)), [X], self.dump)
        self.assertEqual(self.names(), ["input", "input_", "output"])
        np.testing.assert_array_equal(self.recorded()["activations/input_"], X)


class InputsTest(RecordingTest):
    def test_nothing_is_said_of_inputs_that_a_function_made_or_changed(self) -> None:
        for function in (lambda x: x + 1, lambda x: x.add_(1), lambda x: x.view(4, 6)):
            class Between(nn.Module):
                def __init__(self) -> None:
                    super().__init__()
                    self.first, self.second = nn.Tanh(), nn.Tanh()

                def forward(self, x: Tensor) -> Tensor:
                    return self.second(function(self.first(x)))

            record(Between(), [X.clone()], self.dump)
            self.assertEqual(self.attributes("activations/first")["inputs"], ["input"])
            self.assertNotIn("inputs", self.attributes("activations/second"))

    def test_nothing_is_said_of_inputs_that_differ_from_pass_to_pass(self) -> None:
        class Alternating(Chain):
            def forward(self, x: Tensor) -> Tensor:
                return self.b(self.a(x) if x.sum() > 0 else x)

        network = Alternating(a=nn.Tanh(), b=nn.Tanh())
        record(network, [X, -X], self.dump)
        self.assertGreater(X.sum() * (-X).sum() * -1, 0)
        self.assertNotIn("inputs", self.attributes("activations/b"))

    def test_in_inference_mode_inputs_are_unknown_and_values_right(self) -> None:
        network = Chain(a=nn.Tanh(), b=nn.ReLU(inplace=True))
        with Recorder(network, self.dump), torch.inference_mode():
            network(X.clone())
        np.testing.assert_array_equal(self.recorded()["activations/a"], X.tanh())
        np.testing.assert_array_equal(self.recorded()["activations/b"], X.tanh().relu())
        self.assertNotIn("inputs", self.attributes("activations/b"))
