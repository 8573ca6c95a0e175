# The sources of each library, a paragraph for each folder. A folder that is a list (calibrators/algorithms and the like) is
# read by CMakeLists.txt instead: there adding a file is all.
set(kernel_sources
    kernels/all_finite.cpp kernels/bin_indices.cpp kernels/block_errors.cpp kernels/centred_bins.cpp kernels/element_codes.cpp
    kernels/float_ends.cpp kernels/greater_keys.cpp kernels/half_floats.cpp kernels/kept_patterns.cpp
    kernels/level_sums.cpp kernels/logs.cpp kernels/power_sums.cpp kernels/range_bins.cpp kernels/square_sums.cpp
    kernels/targets.cpp kernels/timer_resolution.cpp kernels/unshuffle.cpp)

# Everything that is pure: no HDF5, no Qt. First what computes with values.
set(number_sources
    base/cache_folder.cpp base/csv.cpp base/digest.cpp base/finding.cpp base/folder_files.cpp base/glob.cpp base/hex.cpp base/json_object.cpp base/location.cpp base/natural_order.cpp base/nearest_word.cpp base/number_text.cpp
    base/parameter.cpp base/settings.cpp base/utf8.cpp base/whole_file.cpp
    tensor/element_type.cpp tensor/layout_override.cpp tensor/npy_header.cpp tensor/npz_writer.cpp tensor/safetensors_header.cpp tensor/tensor_info.cpp tensor/tensor_selection.cpp
    stats/centred_bins.cpp stats/edge_growth.cpp stats/exact_number.cpp stats/exact_powers.cpp stats/exact_sum.cpp
    stats/extents.cpp stats/first_not_finite.cpp stats/growth_epochs.cpp stats/growth_rules.cpp stats/histogram.cpp
    stats/largest_values.cpp stats/lossless_sketch.cpp stats/magnitude_sketch.cpp stats/moments.cpp
    stats/order_counter.cpp stats/percentile.cpp stats/profile.cpp stats/sample_extreme.cpp stats/slice.cpp stats/sorted_values.cpp
    stats/suspicions.cpp stats/tool_edges.cpp tensor/position_mask.cpp tensor/value_boxes.cpp tensor/value_source.cpp
    quant/binned_error.cpp quant/element_format.cpp quant/integers.cpp quant/number_format.cpp quant/quantizer.cpp quant/raised_scales.cpp
    quant/reconstruction.cpp quant/scheme.cpp quant/small_float.cpp quant/tensor_quantization.cpp stats/zero_blocks.cpp stats/zero_ends.cpp stats/constant_ends.cpp
    calibrators/calibrator.cpp calibrators/calibrator_list.cpp calibrators/odd_data.cpp calibrators/own_program.cpp
    calibrators/aimet/aimet_answer.cpp calibrators/aimet/averaged_density.cpp
    calibrators/aimet/density_least_cost.cpp calibrators/aimet/density_least_error.cpp
    calibrators/aimet/density_percentile.cpp calibrators/aimet/grown_counts.cpp
    calibrators/aimet/least_divergence.cpp
    calibrators/centred/centred_search.cpp
    calibrators/curve/curve_choice.cpp calibrators/curve/threshold_search.cpp
    calibrators/entropy/entropy_plain.cpp calibrators/entropy/entropy_search.cpp
    calibrators/entropy/entropy_settings.cpp calibrators/entropy/entropy_trial.cpp
    calibrators/entropy/fractional_search.cpp calibrators/entropy/rescaled_counts.cpp
    calibrators/histogram/histogram_mass.cpp calibrators/histogram/histogram_parameters.cpp
    calibrators/histogram/histogram_percentile.cpp
    calibrators/l2/l2_iteration.cpp calibrators/l2/row_sums.cpp calibrators/l2/scale_sum_source.cpp
    calibrators/l2/scale_sums.cpp
    calibrators/mse/mse_search.cpp calibrators/mse/quantization_error.cpp calibrators/mse/swept_error.cpp
    calibrators/observer/observed_batches.cpp calibrators/observer/observed_histogram.cpp
    calibrators/observer/observed_search.cpp calibrators/observer/torch_sum.cpp
    calibrators/percentile/batch_orders.cpp
    calibrators/ppq/level_loss.cpp
    calibrators/window/window_search.cpp calibrators/window/window_target.cpp calibrators/window/window_trial.cpp
    metrics/divergence.cpp metrics/error_blocks.cpp metrics/error_counter.cpp metrics/error_summary.cpp metrics/error_tally.cpp metrics/estimate.cpp
    metrics/metric_list.cpp metrics/sketched_ratio.cpp metrics/spread_bounds.cpp metrics/threshold_ratio.cpp
    formats/block_code.cpp formats/block_format.cpp formats/format_errors.cpp formats/format_presets.cpp formats/granularity.cpp
    formats/headroom.cpp formats/rate_points.cpp formats/scale_search.cpp
    formats/weighted_scales.cpp)

# What is said of them.
set(core_sources
    recipes/candidates.cpp recipes/channel_choices.cpp recipes/choice_edit.cpp recipes/choice_json.cpp
    recipes/decided_tensor.cpp recipes/diagnosis.cpp recipes/estimate.cpp
    recipes/make_choice.cpp recipes/min_max_reference.cpp recipes/outcome.cpp
    recipes/own_files.cpp recipes/preset.cpp recipes/preset_list.cpp recipes/propagation.cpp recipes/recipe.cpp
    recipes/recipe_json.cpp recipes/recipe_list.cpp recipes/sample_study.cpp recipes/scale_rows.cpp recipes/session_format.cpp recipes/stand_in.cpp recipes/steps.cpp
    graph/graph_layout.cpp graph/named_tensors.cpp graph/tensor_graph.cpp
    compare/common_bins.cpp compare/comparison.cpp compare/match.cpp compare/statistics.cpp
    report/describe/algorithms_page.cpp report/describe/channels_page.cpp report/describe/index_page.cpp
    report/describe/markdown.cpp report/describe/page_parts.cpp report/describe/ranking_page.cpp
    report/describe/report_data.cpp report/describe/sections.cpp report/describe/tensor_page.cpp
    report/html/html.cpp report/html/output_folder.cpp report/html/summary_json.cpp report/html/tensor_snippets.cpp
    report/python/block_code.cpp report/python/calibrator_code.cpp report/python/python_code.cpp report/python/python_snippet.cpp
    report/tables/check_report.cpp report/tables/comparison_table.cpp report/tables/deploy_plan.cpp report/tables/end_report.cpp
    report/tables/format_tables.cpp
    report/tables/gate.cpp report/tables/ladder_report.cpp report/tables/layer_report.cpp results/improvement_results.cpp report/tables/output.cpp report/tables/pasted_text.cpp
    report/tables/samples_table.cpp report/tables/scales_table.cpp report/tables/stats_table.cpp
    report/tables/steps_table.cpp
    report/tables/table.cpp report/tables/tensor_table.cpp
    protocol/arrays.cpp protocol/cbor_check.cpp protocol/codec.cpp protocol/envelope.cpp protocol/frame_reader.cpp
    protocol/wire.cpp
    protocol/codec/slice_fields.cpp protocol/codec/stats_fields.cpp protocol/codec/values.cpp
    spread/batch_columns.cpp spread/file_listing.cpp spread/joined_tensors.cpp spread/merged_profiles.cpp
    spread/profile_fields.cpp
    spread/profile_index.cpp spread/ranks.cpp spread/stored_profile.cpp spread/tensor_sums.cpp spread/unit_counts.cpp)

# ONNX models, and files of other tools.
set(model_sources
    exchange/aimet_values.cpp exchange/entry_lints.cpp exchange/entry_matches.cpp exchange/exchange_formats.cpp
    exchange/from_outcome.cpp exchange/loose_json.cpp exchange/ort_ranges.cpp exchange/scale_file.cpp
    exchange/text_lines.cpp exchange/yaml_scalar.cpp
    model/adjoint_model.cpp model/adjoint_rules.cpp model/bias_plan.cpp model/check_integers.cpp model/check_model.cpp model/drawn_model.cpp model/external_data.cpp model/fold_factors.cpp model/fold_search.cpp model/graph_edits.cpp
    model/graph_cut.cpp model/graph_index.cpp model/graph_ports.cpp model/graph_tensors.cpp model/indexed_constants.cpp model/input_file.cpp model/integer_ops.cpp
    model/layer_changes.cpp model/layer_rules.cpp model/layer_stages.cpp model/model_layers.cpp
    model/lift.cpp model/lifted_node.cpp model/model_file.cpp model/moved_values.cpp
    model/new_names.cpp model/node_attributes.cpp model/operand_cut.cpp model/pair_plan.cpp model/parse_model.cpp model/probed_model.cpp
    model/quantize_file.cpp model/quantize_lints.cpp model/quantize_model.cpp model/quantize_options.cpp
    model/quantized_tensors.cpp model/tensor_values.cpp model/type_scope.cpp model/weight_plan.cpp
    model/widest_scale.cpp model/wire_walk.cpp model/write_model.cpp)

# What reads dumps: HDF5, the passes over values.
set(dump_sources
    dump/batch_first.cpp dump/container.cpp dump/dataset_masks.cpp dump/doubt_names.cpp dump/dump_file.cpp dump/dump_writer.cpp dump/element_blocks.cpp dump/element_decoder.cpp dump/element_locations.cpp dump/file_check.cpp dump/ggml_blocks.cpp dump/header_reader.cpp dump/integer_file.cpp
    dump/layout.cpp
    dump/numbered_runs.cpp dump/part_chain.cpp dump/profile_dump.cpp dump/profile_writer.cpp dump/recorded_digest.cpp dump/slab_plan.cpp dump/small_float.cpp dump/stated_type.cpp dump/stored_files.cpp dump/stored_tensors.cpp dump/zip_archive.cpp
    dump/hdf5/box_copy.cpp dump/hdf5/chunk_decoder.cpp dump/hdf5/file_driver.cpp dump/hdf5/filters.cpp
    dump/hdf5/library.cpp dump/hdf5/lzf.cpp
    dump/hdf5/lzf_filter.cpp dump/hdf5/new_file.cpp dump/hdf5/open_file.cpp dump/hdf5/other_files.cpp dump/hdf5/other_filters.cpp dump/hdf5/piece_writer.cpp dump/hdf5/raw_slabs.cpp
    dump/hdf5/read_attributes.cpp dump/hdf5/read_facts.cpp dump/hdf5/read_values.cpp dump/hdf5/storage.cpp
    dump/hdf5/type_facts.cpp dump/hdf5/virtual_storage.cpp dump/hdf5/walk.cpp
    dump/structure/attribute_value.cpp dump/structure/attributes_check.cpp dump/structure/check_structure.cpp 
    dump/structure/chunk_table.cpp dump/structure/dataset_check.cpp dump/structure/file_blocks.cpp dump/structure/fractal_heap.cpp
    dump/structure/global_heap.cpp dump/structure/local_heap.cpp
    dump/structure/object_header.cpp dump/structure/shared_messages.cpp dump/structure/stored_bytes.cpp
    dump/structure/stored_type.cpp dump/structure/superblock.cpp dump/structure/tree_one.cpp
    dump/structure/tree_two.cpp
    dump/layouts/draft.cpp dump/layouts/keras_axes.cpp dump/layouts/operator_names.cpp dump/layouts/path_words.cpp
    dump/layouts/recorded_axes.cpp dump/layouts/recorded_op.cpp
    dump/layouts/shape_survey.cpp
    collect/analyse.cpp collect/at_once.cpp collect/channel_values.cpp collect/check_values.cpp
    collect/collect_joined.cpp collect/collect_profile.cpp collect/collect_slice.cpp collect/collect_strip.cpp
    collect/compare_tensors.cpp collect/encode_tensor.cpp
  collect/map_format.cpp collect/held_values.cpp collect/locate_values.cpp 
    collect/propagated.cpp collect/sample_extremes.cpp collect/sample_reader.cpp collect/slice_tally.cpp
    collect/tensor_outcomes.cpp
    collect/type_offer.cpp samples/arranged_calibration.cpp samples/arrangement.cpp
    samples/growth_counts.cpp samples/held_out.cpp samples/largest_error.cpp samples/ordered_ends.cpp samples/resampled_band.cpp
    samples/study_samples.cpp samples/unit_facts.cpp)

# Layers' outputs from their operands: matrix products.
set(layer_sources
    layers/calibrated_anew.cpp layers/channel_factors.cpp layers/equalizations.cpp layers/find_geometry.cpp layers/found_layers.cpp layers/improvements.cpp layers/layer_costs.cpp layers/layer_decisions.cpp
    layers/layer_errors.cpp layers/layer_pass.cpp layers/layer_plan.cpp layers/layer_reading.cpp layers/operand_search.cpp layers/output_sums.cpp
    layers/positions.cpp layers/products.cpp layers/sample_split.cpp layers/unit_errors.cpp layers/wanted_layers.cpp layers/weight_inputs.cpp layers/weight_rounding.cpp)

# What is done with them: plans, and the engine's loop.
set(engine_sources
    deploy/end_file.cpp deploy/end_noise.cpp deploy/export_scales.cpp deploy/improvement_file.cpp deploy/imported_scales.cpp deploy/materialize.cpp
    deploy/check/agreement.cpp deploy/check/check_feeds.cpp deploy/check/check_plan.cpp deploy/check/check_steps.cpp
    deploy/check/checked_layers.cpp deploy/check/ladder.cpp deploy/check/npy.cpp deploy/check/prepare_check.cpp deploy/check/runner_job.cpp
    deploy/check/stored_quantization.cpp
    deploy/decisions/decisions.cpp deploy/decisions/session_decisions.cpp deploy/decisions/written_scales.cpp
    deploy/names/dump_names.cpp deploy/names/folded_decisions.cpp deploy/names/graph_names.cpp deploy/names/graph_ops.cpp deploy/names/layer_rows.cpp
    deploy/names/name_map.cpp deploy/names/placed_scales.cpp
    engine/cache_files.cpp engine/engine_loop.cpp engine/engine_parts.cpp engine/host_methods.cpp
    engine/layer_methods.cpp engine/methods.cpp engine/process_guard.cpp engine/program_host.cpp engine/result_cache.cpp engine/shown.cpp
    engine/format_methods.cpp engine/slice_methods.cpp engine/subject.cpp engine/watched_child.cpp)

# Ranks, in programs that may be one of several: with MPI the first list, without it the second.
set(rank_sources mpi/launched.cpp mpi/relayed_ranks.cpp)
set(mpi_sources mpi/rank_server.cpp)
set(without_mpi_sources mpi/without_mpi.cpp)
