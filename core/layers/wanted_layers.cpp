// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layers/wanted_layers.h"

#include "core/collect/at_once.h"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <semaphore>

namespace calibscope::layers {

namespace {

bool isWanted(const FoundLayer& layer, const LayerOptions& options,
              std::span<const TensorInfo> tensors)
{
    return options.layers.empty() || options.layers.contains(layer.name) ||
           (layer.output && options.layers.contains(tensors[*layer.output].path));
}

/// Of each small layer values and buffers take some 50 MiB at most.
constexpr std::ptrdiff_t mostLayersAtOnce = 4;
using LayerPlaces = std::counting_semaphore<mostLayersAtOnce>;

/// One of the places, to be given back.
class PlaceAtWork
{
public:
    explicit PlaceAtWork(LayerPlaces& places) : m_places(places) { m_places.acquire(); }
    ~PlaceAtWork() { m_places.release(); }
    PlaceAtWork(const PlaceAtWork&) = delete;
    PlaceAtWork& operator=(const PlaceAtWork&) = delete;

private:
    LayerPlaces& m_places;
};

std::uint64_t valuesOf(const FoundLayer& layer, std::span<const TensorInfo> tensors)
{
    std::uint64_t values = 0;
    for (const auto& place : {layer.input.tensor, layer.weight.tensor, layer.output})
        if (place)
            values += tensors[*place].valueCount();
    return values;
}

}  // namespace

std::vector<FoundLayer> wantedLayers(std::span<const TensorInfo> tensors,
                                     const LayerOptions& options)
{
    std::vector<FoundLayer> found = foundLayers(tensors);
    std::erase_if(found,
                  [&](const FoundLayer& layer) { return !isWanted(layer, options, tensors); });
    return found;
}

void eachLayer(std::span<const FoundLayer> layers, std::span<const TensorInfo> tensors,
               const LayerOptions& options, const Progress& progress,
               const std::function<void(std::size_t index, const Progress& steps)>& work,
               const std::function<void(std::size_t index)>& deliver)
{
    LayerPlaces places(mostLayersAtOnce);
    std::atomic<std::size_t> done = 0;
    const Progress steps({}, [&](std::uint64_t, std::uint64_t, std::string_view) {
        progress.step(done, layers.size(), "layers");
    });
    const std::uint64_t smallValues = options.memoryBytes / sizeof(float) / 4 / mostLayersAtOnce;
    inOrder(layers.size(), {.work =
                                [&](std::size_t index) {
                                    const PlaceAtWork place(places);
                                    work(index, layers.size() == 1 ? progress : steps);
                                },
                            .deliver =
                                [&](std::size_t index) {
                                    deliver(index);
                                    progress.step(++done, layers.size(), "layers");
                                },
                            .isAlone =
                                [&](std::size_t index) {
                                    return valuesOf(layers[index], tensors) > smallValues;
                                }});
}

void addReadingNotes(const LayerReading& reading, const LayerOptions& options, LayerResult& result)
{
    if (!reading.hasOutput())
        result.notes.emplace_back("without bias and without self-check: the output can't be read");
    else if (result.positions == 1)
        result.notes.emplace_back("one position: the self-check tells nothing");
    std::ranges::copy(reading.maskNotes(), std::back_inserter(result.notes));
    if (result.isExact())
        return;
    result.notes.push_back("estimated, seed " + std::to_string(options.seed));
}

}  // namespace calibscope::layers
