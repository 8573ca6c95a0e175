# The sources of the window, a paragraph for each folder.
set(ui_sources
    charts/bins_content.cpp charts/curve_content.cpp charts/error_content.cpp
    charts/budget_content.cpp charts/curve_content.cpp charts/error_content.cpp
    charts/heat_content.cpp charts/histogram_content.cpp charts/histogram_painter.cpp
    charts/layers_content.cpp charts/learning_content.cpp
    charts/marks.cpp charts/operand_channels_content.cpp charts/rate_content.cpp charts/running_content.cpp charts/scale_rows_content.cpp charts/shares_content.cpp charts/slice_colors.cpp
    charts/slice_content.cpp charts/sqnr_content.cpp
    charts/threshold_layer.cpp charts/whiskers.cpp
    document/autosave.cpp document/best_gains.cpp document/card_choice.cpp document/compare_edits.cpp document/comparison.cpp
    document/decision_export.cpp document/decisions.cpp document/deploy_command.cpp document/deploy_results.cpp
    document/deployment.cpp document/document.cpp
    document/dump_summary.cpp document/dump_tensors.cpp document/edits.cpp document/external_rights.cpp
    document/history.cpp document/imported_range.cpp document/layer_reader.cpp document/manual_range.cpp
    document/decided_sqnr.cpp document/matrix_reader.cpp document/measured_gains.cpp document/message_log.cpp document/outcome_rows.cpp
    document/output_folder.cpp document/previews.cpp
    document/python_choices.cpp document/questions.cpp document/session_document.cpp
    document/session_files.cpp document/session_keeper.cpp document/tensor_text.cpp
    document/sqnr_overview.cpp document/tensor_diagnosis.cpp document/unsaved_work.cpp
    document/window_dumps.cpp document/workbench.cpp document/workbench_json.cpp document/workspace.cpp
    models/candidate_style.cpp models/card_order.cpp models/channel_model.cpp models/comparison_model.cpp models/deploy_model.cpp
    models/format_marks.cpp models/import_model.cpp models/improve_model.cpp models/inspector_facts.cpp
    models/format_model.cpp models/import_model.cpp models/improve_model.cpp models/inspector_facts.cpp
    models/layer_model.cpp
    models/match_model.cpp models/matrix_model.cpp models/outcome_text.cpp
    models/result_columns.cpp models/result_model.cpp models/steps_model.cpp
    models/row_list.cpp models/table_model.cpp models/tensor_filter.cpp models/tensor_filter_model.cpp models/tensor_flags.cpp models/tensor_model.cpp
    pages/browse/browse_page.cpp pages/browse/browse_plots.cpp pages/browse/reading_words.cpp
    pages/calibrators/calibrators_page.cpp pages/calibrators/explain_view.cpp pages/calibrators/format_plots.cpp pages/calibrators/heat_cells.cpp pages/calibrators/matrix_view.cpp pages/calibrators/waterfall_delegate.cpp
    pages/calibrators/calibrators_page.cpp pages/calibrators/explain_view.cpp pages/calibrators/formats_view.cpp pages/calibrators/heat_cells.cpp pages/calibrators/matrix_view.cpp pages/calibrators/waterfall_delegate.cpp
    pages/channels/channel_controls.cpp pages/channels/channel_marks.cpp pages/channels/channel_plots.cpp
    pages/channels/channel_side.cpp pages/channels/channels_page.cpp
    pages/compare/compare_header.cpp pages/compare/compare_page.cpp pages/compare/compare_plots.cpp
    pages/compare/compare_tables.cpp pages/compare/match_dialog.cpp pages/compare/match_panel.cpp
    pages/deploy/deploy_form.cpp pages/deploy/deploy_page.cpp pages/deploy/field_grid.cpp pages/deploy/run_form.cpp
    pages/graph/graph_content.cpp pages/graph/graph_page.cpp
    pages/improve/budget_view.cpp pages/improve/improve_page.cpp
    pages/layers/layer_details.cpp pages/layers/layers_page.cpp pages/layers/operands_view.cpp
    pages/slice/found_bar.cpp pages/slice/slice_axes.cpp pages/slice/slice_controls.cpp
    pages/slice/slice_facts.cpp pages/slice/slice_page.cpp pages/slice/slice_side.cpp
    pages/start/start_page.cpp
    pages/summary/best_offer.cpp pages/summary/summary_page.cpp pages/summary/summary_rows.cpp
    panels/browse_marks.cpp panels/curves_view.cpp panels/diagnosis_strip.cpp panels/dump_choice.cpp
    panels/inspector.cpp panels/kept_zoom.cpp panels/layout_override_editor.cpp panels/layout_strip.cpp
    panels/manual_threshold.cpp panels/neighbour_chips.cpp panels/result_table.cpp panels/small_multiples.cpp panels/status_line.cpp
    panels/sqnr_strip.cpp panels/steps_bar.cpp panels/summary_card.cpp panels/tensor_header.cpp panels/tensor_panel.cpp
    panels/workspace_tabs.cpp
    panels/cards/add_menu.cpp panels/cards/calibrator_card.cpp panels/cards/card_details.cpp
    panels/cards/card_list.cpp
    plot/axis_scale.cpp plot/decimate.cpp plot/export_dialog.cpp plot/label_layout.cpp plot/number_label.cpp
    plot/picture.cpp plot/plot_accessible.cpp plot/plot_frame.cpp plot/plot_handle.cpp plot/plot_interaction.cpp
    plot/plot_painter.cpp plot/plot_table.cpp plot/plot_table_view.cpp plot/plot_view.cpp
    plot/plot_view_state.cpp plot/plot_zoom.cpp plot/svg_device.cpp plot/table_menu.cpp plot/x_link.cpp
    queries/addresses.cpp
    queries/background_reader.cpp queries/channels_reader.cpp queries/drift_reader.cpp
    queries/dump_requests.cpp
    queries/engine.h queries/query.h queries/engine_calls.cpp queries/engine_client.cpp queries/engine_link.cpp queries/engine_router.cpp queries/engine_watch.cpp
    queries/explain_rows.cpp queries/file_watch.cpp
    queries/live_outcomes.cpp queries/mailbox.cpp queries/pair_reader.cpp queries/preview_queue.cpp queries/ratio_reader.cpp
    queries/remote_machines.cpp
    queries/slice_reader.cpp queries/study_reader.cpp queries/tensor_questions.cpp queries/tool_run.cpp
    report/paper.cpp report/paper_report.cpp report/report_dialog.cpp report/report_files.cpp report/report_job.cpp
    report/report_pictures.cpp report/report_writer.cpp report/session_report.cpp
    theme/chart_colors.cpp theme/icons.cpp theme/name_parts.cpp theme/palettes.cpp theme/plain_text.cpp theme/sqnr_limits.cpp theme/theme.cpp
    widgets/batch_scrubber.cpp widgets/card_frame.cpp widgets/expander.cpp widgets/filter_examples.cpp
    widgets/go_to_dialog.cpp widgets/message_bar.cpp widgets/parameter_form.cpp
    widgets/parts_label.cpp widgets/plot_splitter.cpp
    widgets/row_table.cpp widgets/segments.cpp widgets/state_notice.cpp widgets/tensor_delegates.cpp
    widgets/workspace_page.cpp
    window/action_table.cpp window/actions.cpp window/calibrator_controller.cpp window/decision_actions.cpp
    window/compare_controller.cpp
    window/decision_controller.cpp window/deploy_controller.cpp window/file_controller.cpp window/help_browser.cpp window/help_dialogs.cpp window/help_window.cpp
    window/history_dialog.cpp
    window/samples_dialog.cpp
    window/import_controller.cpp window/internal_error.cpp window/layout_controller.cpp
    window/main_window.cpp window/menu_table.cpp window/message_controller.cpp window/preferences.cpp
    window/preferences_controller.cpp window/remote_dialog.cpp window/report_controller.cpp window/running_window.cpp
    window/scale_export.cpp
    window/session_controller.cpp window/tensor_list_controller.cpp)
