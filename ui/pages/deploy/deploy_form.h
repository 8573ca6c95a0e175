// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/deployment.h"

#include <QWidget>

#include <vector>

class QComboBox;
class QGridLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace calibscope {

class ElidedLabel;

/// Which model, where to, and how it is to be written and checked.
class DeployForm : public QWidget
{
    Q_OBJECT

public:
    explicit DeployForm(Deployment& deployment, QWidget* parent = nullptr);

    void refresh();
    [[nodiscard]] QComboBox& places() const { return *m_places; }
    [[nodiscard]] QLineEdit& runner() const { return *m_runner; }
    [[nodiscard]] QSpinBox& draws() const { return *m_draws; }

Q_SIGNALS:
    void modelRequested();   ///< the user wants to choose it
    void outputRequested();  ///< likewise

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    /// A control with its label before it.
    struct Field
    {
        QLabel* label;
        QWidget* control;
        bool isWide;  ///< takes a line of its own
    };
    struct Word
    {
        QString id;
        QString title;
        QString help;
    };
    void addField(const QString& label, QWidget* control, bool isWide = false);
    void makePaths();
    void makeChoices();
    void makeCheck();
    [[nodiscard]] QWidget* pathRow(ElidedLabel*& path, const QString& button, const QString& help,
                                   void (DeployForm::*wanted)());
    [[nodiscard]] QComboBox* choice(const QString& name, const QString& help,
                                    const std::vector<Word>& words, QString DeployOptions::*option);
    [[nodiscard]] QSpinBox* number(const QString& ofNone, const QString& help, int most,
                                   int DeployOptions::*option);
    void setOption(QString DeployOptions::*option, const QString& value);
    void place();

    Deployment& m_deployment;
    QGridLayout* m_grid;
    std::vector<Field> m_fields;
    int m_columns = 0;  ///< of fields beside each other, as they are placed; 0: not yet
    ElidedLabel* m_model = nullptr;
    ElidedLabel* m_output = nullptr;
    QComboBox* m_places = nullptr;
    QComboBox* m_activations = nullptr;
    QComboBox* m_biases = nullptr;
    QComboBox* m_target = nullptr;
    QComboBox* m_weightsTo = nullptr;
    QLineEdit* m_runner = nullptr;
    QSpinBox* m_samples = nullptr;
    QSpinBox* m_draws = nullptr;
};

}  // namespace calibscope
