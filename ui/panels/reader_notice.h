#pragma once

namespace calibscope {

class Document;
class StateNotice;

/// Says in the notice why nothing of the selected tensor can be shown, and what to do about it.
/// False if there is something to show, or soon will be: the notice is not wanted then.
[[nodiscard]] bool sayReaderState(StateNotice& notice, const Document& document);

}  // namespace calibscope
