// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/deployment.h"

#include <QWidget>

#include <vector>

class QCheckBox;
class QComboBox;
class QGridLayout;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace calibscope {

class ElidedLabel;
class Expander;
class FieldGrid;
class RunForm;

/// Which model, where to, and how it is to be written and checked; the latter is folded at first.
class DeployForm : public QWidget
{
    Q_OBJECT

public:
    explicit DeployForm(Deployment& deployment, QWidget* parent = nullptr);

    void refresh();
    /// Opens the settings, and the keys go to the runner's.
    void editRunner();

    [[nodiscard]] RunForm& run() const { return *m_run; }
    [[nodiscard]] Expander& settings() const { return *m_settings; }
    [[nodiscard]] QCheckBox& improves() const { return *m_improves; }
    [[nodiscard]] QComboBox& places() const { return *m_places; }
    [[nodiscard]] QLineEdit& runner() const { return *m_runner; }
    [[nodiscard]] QSpinBox& draws() const { return *m_draws; }

Q_SIGNALS:
    void modelRequested();   ///< the user wants to choose it
    void outputRequested();  ///< likewise

private:
    struct Word
    {
        QString id;
        QString title;
        QString help;
    };
    [[nodiscard]] QGridLayout* makePaths();
    void makeChoices();
    void makeCheck();
    [[nodiscard]] QWidget* pathRow(ElidedLabel*& path, const QString& button, const QString& help,
                                   void (DeployForm::*wanted)());
    [[nodiscard]] QComboBox* choice(const QString& name, const QString& help,
                                    const std::vector<Word>& words, QString DeployOptions::*option);
    [[nodiscard]] QSpinBox* number(const QString& ofNone, const QString& help, int most,
                                   int DeployOptions::*option);
    void setOption(QString DeployOptions::*option, const QString& value);
    [[nodiscard]] QString settingsTitle() const;

    Deployment& m_deployment;
    RunForm* m_run;
    Expander* m_settings;
    FieldGrid* m_fields;  ///< of the settings
    QCheckBox* m_improves;
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
