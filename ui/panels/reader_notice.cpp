#include "ui/panels/reader_notice.h"

#include "ui/document/document.h"
#include "ui/document/questions.h"
#include "ui/theme/translate.h"
#include "ui/widgets/state_notice.h"

namespace calibscope {

bool sayReaderState(StateNotice& notice, const Document& document)
{
    const ViewReader& reader = document.questions().reader();
    switch (reader.state()) {
    case ViewReader::State::Ready:
    case ViewReader::State::Reading: return false;
    case ViewReader::State::Stopped:
        notice.say(tr("Stopped"),
                   tr("Reading was stopped before all values of this tensor were counted."),
                   tr("Continue"));
        return true;
    case ViewReader::State::Failed:
        notice.say(tr("This tensor could not be read"),
                   reader.hasEngineDied() ? tr("The engine quit unexpectedly while reading. A new "
                                               "one starts with the next tensor.")
                                          : reader.problem(),
                   tr("Try again"));
        return true;
    case ViewReader::State::Idle:
        if (const TensorInfo* tensor = document.selectedTensor())
            notice.say(tr("This tensor can't be read"),
                       QString::fromStdString(tensor->unreadable.sentence));
        else
            notice.say(tr("No tensor"), tr("Select a tensor to compare calibrators on it."));
        return true;
    }
    return false;
}

}  // namespace calibscope
