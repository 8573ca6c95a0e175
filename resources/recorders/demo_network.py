"""A small convolutional network with what networks have, for trying record_torch.py."""
from __future__ import annotations

from collections.abc import Iterator

import torch
from torch import Tensor, nn


class Residual(nn.Module):
    """A depthwise and a pointwise convolution around which the input is added."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.depthwise = nn.Conv2d(channels, channels, 3, padding=1, groups=channels, bias=False)
        self.norm = nn.BatchNorm2d(channels)
        self.act = nn.ReLU(inplace=True)
        self.pointwise = nn.Conv2d(channels, channels, 1)

    def forward(self, x: Tensor) -> Tensor:
        return x + self.pointwise(self.act(self.norm(self.depthwise(x))))


class DemoNetwork(nn.Module):
    """Images of 3 x 16 x 16 to 10 scores; the same weights each time."""

    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(7)
        self.stem = nn.Sequential(nn.Conv2d(3, 8, 3, stride=2, padding=1, bias=False), nn.BatchNorm2d(8),
                                  nn.ReLU(inplace=True))
        self.block = Residual(8)
        self.up = nn.ConvTranspose2d(8, 6, 2, stride=2)
        self.pool = nn.MaxPool2d(4)
        self.flatten = nn.Flatten()
        self.head = nn.Linear(6 * 4 * 4, 10)
        for module in self.modules():  # as if it were trained: each channel at its own scale
            if isinstance(module, nn.BatchNorm2d):
                nn.init.uniform_(module.weight, 0.2, 3.0)
                nn.init.uniform_(module.running_var, 0.05, 0.5)
                nn.init.normal_(module.running_mean, 0.0, 0.2)

    def forward(self, x: Tensor) -> Tensor:
        return self.head(self.flatten(self.pool(self.up(self.block(self.stem(x))))))


def images(batches: int, size: int = 8, last: int = 3) -> Iterator[Tensor]:
    """Random images, the same each time; the last batch is short."""
    generator = torch.Generator().manual_seed(11)
    for number in range(batches):
        yield torch.randn(size if number + 1 < batches else last, 3, 16, 16, generator=generator)
