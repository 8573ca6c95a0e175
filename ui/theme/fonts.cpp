#include "ui/theme/fonts.h"

#include <QFontDatabase>
#include <QStringList>

#include <stdexcept>

// The resources of a static library are dropped by the linker unless named; Q_INIT_RESOURCE works
// outside of namespaces only.
static void initResources()
{
    Q_INIT_RESOURCE(resources);
}

namespace calibscope {

namespace {

bool addFontFiles()
{
    initResources();
    for (const char* file : {":/fonts/Roboto-Regular.ttf", ":/fonts/Roboto-Bold.ttf"})
        if (QFontDatabase::addApplicationFont(QString::fromLatin1(file)) < 0)
            throw std::runtime_error(std::string(file) +
                                     ": the bundled font could not be loaded; build anew");
    return true;
}

}  // namespace

void loadFonts()
{
    static const bool areLoaded = addFontFiles();
    static_cast<void>(areLoaded);
}

QString fontFamily()
{
    return QStringLiteral("Roboto");
}

QFont pictureFont(int pixelSize)
{
    QFont font(fontFamily());
    font.setPixelSize(pixelSize);
    font.setHintingPreference(QFont::PreferNoHinting);
    return font;
}

}  // namespace calibscope
