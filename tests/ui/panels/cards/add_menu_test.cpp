#include "ui/panels/cards/add_menu.h"

#include "core/calibrators/calibrator.h"
#include "tests/support/catch.h"

#include <QSignalSpy>

#include <set>

using namespace calibscope;

namespace {

std::vector<QAction*> entriesOf(const QMenu& menu)
{
    std::vector<QAction*> entries;
    for (QAction* action : menu.actions())
        if (action->menu())
            for (QAction* inner : entriesOf(*action->menu()))
                entries.push_back(inner);
        else if (!action->isSeparator())
            entries.push_back(action);
    return entries;
}

}  // namespace

TEST_CASE("the menu has an entry for every calibrator and every preset, each with its own choice")
{
    AddMenu menu;
    std::set<std::string> presetsChosen;
    std::set<std::string> calibratorsChosen;
    QObject::connect(&menu, &AddMenu::chosen, [&](const Choice& choice) {
        (choice.preset.empty() ? calibratorsChosen : presetsChosen)
            .insert(choice.preset.empty() ? choice.calibrator : choice.preset);
    });
    for (QAction* entry : entriesOf(menu))
        entry->trigger();
    CHECK(presetsChosen.size() == presets().size());
    CHECK(calibratorsChosen.size() == calibrators().size());
}

TEST_CASE("presets are grouped by where they come from, under few headings")
{
    CHECK(originOf(preset("glow-512-symmetric-kl")) == "Glow");
    CHECK(originOf(preset("nvidia-entropy-open")) == "NVIDIA");
    CHECK(originOf(preset("rebellions-fixed")) == "Rebellions");
    CHECK(originOf(preset("torch-minmax-affine")) == "PyTorch");
    CHECK(originOf(preset("pytorch-quantization-mse")) == "pytorch-quantization");
    CHECK(originOf(preset("modelopt-mse")) == "TensorRT Model Optimizer");
    CHECK(originOf(preset("ort-entropy")) == "ONNX Runtime");
    CHECK(originOf(preset("mxnet-entropy-255")) == "MXNet");
    CHECK(originOf(preset("ncnn-kl")) == "ncnn");
    CHECK(originOf(preset("ppq-kl")) == "ppq");
    CHECK(originOf(preset("aimet-mse-symmetric")) == "AIMET");
    CHECK(originOf(preset("torchao-histogram-affine")) == "torchao");
    std::set<QString> origins;
    for (const Preset& preset : presets())
        origins.insert(originOf(preset));
    CHECK(origins.size() < 19);
}

TEST_CASE("weights get a scale for each channel where nothing else is said")
{
    AddMenu menu;
    menu.setRole(Role::Weight);
    Granularity granularity = Granularity::Tensor;
    QObject::connect(&menu, &AddMenu::chosen,
                     [&](const Choice& choice) { granularity = choice.granularity; });
    entriesOf(menu).front()->trigger();
    CHECK(granularity == Granularity::Channel);
}
