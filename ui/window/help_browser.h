// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTextBrowser>

namespace calibscope {

/// Pages of Markdown among the resources: links lead to their headings, pictures are as wide as the
/// text at most. A link to what is not there leads nowhere.
class HelpBrowser : public QTextBrowser
{
    Q_OBJECT

public:
    explicit HelpBrowser(QWidget* parent = nullptr);

    QVariant loadResource(int type, const QUrl& name) override;

protected:
    void doSetSource(const QUrl& url, QTextDocument::ResourceType type) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void showHeading(const QString& anchor);
    void fitPictures();

    int m_pictureWidth = 0;  ///< that the page was shown with
};

}  // namespace calibscope
