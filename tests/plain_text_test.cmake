# Where texts from files could be obeyed: cmake -D ROOT=<checkout> -P plain_text_test.cmake
# Fails, naming every line, where the window makes a label, a question or rich text outside the few files that escape what
# they show, and where a program writes to stderr past the one place that takes control characters out.
cmake_minimum_required(VERSION 3.25)

set(findings "")

# Lines of our own sources under `folder` that match, but for the files that may.
function(forbid folder pattern why)
    file(GLOB_RECURSE sources RELATIVE ${ROOT} ${ROOT}/${folder}/*.cpp ${ROOT}/${folder}/*.h)
    foreach(source IN LISTS sources)
        if(source IN_LIST ARGN)
            continue()
        endif()
        file(READ ${ROOT}/${source} text)
        string(REGEX REPLACE "(^|\n) *(//|#)[^\n]*" "\\1" text "${text}")
        string(REGEX MATCHALL "[^\n]*(${pattern})[^\n]*" lines "${text}")
        foreach(line IN LISTS lines)
            string(STRIP "${line}" line)
            set(findings "${findings}${source}: ${why}: ${line}\n")
        endforeach()
    endforeach()
    set(findings "${findings}" PARENT_SCOPE)
endfunction()

set(plain ui/theme/plain_text.cpp ui/theme/plain_text.h)
forbid(ui "new QLabel|public QLabel|QLabel [A-Za-z_]+[({;]|QLabel[({]" "a label that is not a PlainLabel" ${plain})
forbid(ui "new QMessageBox|QMessageBox [A-Za-z_]+[({;]|QMessageBox::(question|warning|information|critical|about)"
    "a message box that is not asked with ask()" ${plain} ui/window/help_dialogs.cpp)
forbid(ui "QInputDialog|QErrorMessage|QProgressDialog|QStaticText|QToolTip::showText" "a text that Qt may take for HTML" ${plain})
forbid(ui "setHtml|insertHtml|appendHtml|setMarkdown|Qt::(Rich|Auto|Markdown)Text" "rich text" ${plain}
    ui/window/help_dialogs.cpp ui/panels/inspector.cpp ui/panels/cards/card_details.cpp)
forbid(app "stderr[,);]|std::cerr" "written to stderr without sayOnStderr()" app/command_line.cpp app/calibscope/report.cpp)

if(findings)
    message(FATAL_ERROR "${findings}")
endif()
