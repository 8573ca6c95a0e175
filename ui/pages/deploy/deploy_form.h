// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/deployment.h"

#include <QWidget>

#include <vector>

class QCheckBox;
class QComboBox;
class QGridLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace calibscope {

class ElidedLabel;
class Expander;

/// Which model, where to, and how it is to be written and checked; the latter is folded at first.
class DeployForm : public QWidget
{
    Q_OBJECT

public:
    explicit DeployForm(Deployment& deployment, QWidget* parent = nullptr);

    void refresh();
    /// Opens the settings, and the keys go to the runner's.
    void editRunner();

    [[nodiscard]] Expander& settings() const { return *m_settings; }
    [[nodiscard]] QCheckBox& improves() const { return *m_improves; }
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
    };
    struct Word
    {
        QString id;
        QString title;
        QString help;
    };
    [[nodiscard]] Field field(const QString& label, QWidget* control);
    void addField(const QString& label, QWidget* control);
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
    void place();
    [[nodiscard]] QString settingsTitle() const;

    Deployment& m_deployment;
    Expander* m_settings;
    QGridLayout* m_grid;  ///< of the settings
    QCheckBox* m_improves;
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
