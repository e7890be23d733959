"""Which tests are proofs: long ones of which `make test` plays a few cases, `make proofs` all.

Some seven hundred cases of fifteen thousand would take nearly half of the time.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Final

import pytest

KEPT: Final = {
    "advice/test_short_cuts.py::test_the_short_ways_of_advice_come_to_what_the_long_ones_do": 1,
    "arena/test_arena.py::test_the_same_seed_plays_the_same_matches_in_one_process_or_two": 0,
    "arena/test_arena_ends.py::test_an_interruption_ends_all_processes_and_is_told": 1,
    "arena/test_arena_ends.py::test_nothing_is_left_when_the_client_is_killed": 1,
    "arena/test_arena_outputs.py::test_but_for_the_speeds_the_lines_are_the_same_in_every_run": 0,
    "arena/test_bars.py::test_a_person_sees_a_bar_that_comes_to_its_end": 1,
    "arena/test_bars.py::test_where_no_person_looks_nothing_is_written_besides_the_result": 1,
    "arena/test_beliefs_and_truth.py::"
    "test_no_enemy_is_where_the_map_of_a_side_says_that_it_cannot_be": 1,
    "arena/test_contest.py::test_a_series_comes_out_as_it_was_stored": 4,
    "arena/test_isolation.py::test_a_bot_that_fails_loses_its_window_and_the_match_goes_on": 1,
    "arena/test_isolation.py::test_after_a_few_processes_a_seat_gives_no_orders_any_more": 0,
    "arena/test_isolation.py::test_nonsense_on_the_line_ends_the_process_that_sends_it": 0,
    "arena/test_kept_matches.py::"
    "test_a_kept_match_has_what_each_bot_noted_in_a_layer_of_its_side": 1,
    "arena/test_spymaster_strength.py::"
    "test_the_spymaster_beats_the_bots_that_were_the_strongest": 0,
    "arena/test_strength.py::test_a_baseline_bot_beats_the_random_bot": 0,
    "arena/test_strength.py::test_no_order_of_a_baseline_bot_is_refused_in_the_first_turns": 1,
    "arena/test_strength.py::test_the_bots_together_use_every_kind_of_order": 0,
    "arena/test_surveyor_strength.py::test_the_surveyor_beats_the_bots_that_were_the_strongest": 0,
    "arena/test_verify.py::test_a_changed_byte_is_found_wherever_it_stands": 0,
    "arena/test_verify.py::test_a_file_that_was_cut_anywhere_is_told_as_that": 0,
    "arena/test_verify.py::test_a_header_that_says_otherwise_than_the_records_is_named": 1,
    "arena/test_verify.py::test_a_match_is_what_its_file_says": 1,
    "arena/test_verify.py::test_a_match_with_filled_up_frames_is_what_its_file_says": 0,
    "arena/test_verify.py::test_no_die_has_two_numbers_of_sides_under_one_key": 0,
    "arena/test_verify_dice.py::test_a_changed_roll_is_told_with_its_key": 2,
    "arena/test_verify_dice.py::test_every_die_of_a_match_follows_from_its_seed": 1,
    "arena/test_verify_dice.py::"
    "test_the_dice_of_a_match_that_is_played_on_follow_from_its_own_seed": 1,
    "arena/test_verify_layers.py::test_a_changed_frame_is_named": 1,
    "arena/test_verify_layers.py::test_a_message_that_is_missing_is_named": 1,
    "arena/test_verify_layers.py::test_a_message_that_no_record_makes_is_found_by_the_fold": 1,
    "arena/test_verify_layers.py::test_a_tail_that_is_missing_is_named": 1,
    "arena/test_verify_layers.py::test_an_analysis_of_another_form_is_found_without_the_rules": 1,
    "arena/test_verify_layers.py::"
    "test_another_analysis_than_the_records_make_is_found_by_the_fold": 1,
    "arena/test_verify_layers.py::"
    "test_other_words_in_what_no_chain_holds_are_found_by_the_fold": 1,
    "arena/test_verify_log.py::test_a_changed_link_and_a_missing_frame_are_named": 0,
    "arena/test_verify_log.py::test_a_keyframe_that_says_otherwise_is_named": 0,
    "arena/test_verify_log.py::test_a_log_of_filled_up_frames_fits": 0,
    "arena/test_verify_log.py::test_a_match_without_the_own_entropy_is_found": 1,
    "arena/test_verify_log.py::test_a_seat_that_came_back_is_checked_from_its_keyframe_on": 1,
    "arena/test_verify_log.py::test_nothing_is_proved_where_no_seat_had_a_part_in_the_dice": 0,
    "arena/test_verify_log.py::test_what_the_seat_was_told_otherwise_is_named_with_its_line": 2,
    "arena/test_verify_notes.py::test_a_log_with_notes_is_checked_as_one_without": 0,
    "arena/test_verify_notes.py::test_a_record_with_notes_is_checked_as_sharply": 0,
    "arena/test_why_agents.py::"
    "test_no_turn_of_a_match_has_both_a_search_of_a_place_and_word_of_none": 0,
    "arena/test_why_data.py::"
    "test_an_inconclusive_answer_of_a_match_has_a_reason_and_a_full_one_none": 1,
    "arena/test_why_data.py::test_every_request_of_a_match_is_told_with_its_outcome": 1,
    "arena/test_why_fights.py::test_every_fight_of_a_match_is_told_for_each_who_was_found": 1,
    "arena/test_why_not_seen.py::test_a_piece_and_a_turn_may_be_named": 0,
    "arena/test_why_not_seen.py::test_a_search_that_could_find_somebody_is_told_with_its_die": 0,
    "arena/test_why_not_seen.py::test_a_sense_roll_is_told_with_the_sum_that_decided_it": 1,
    "arena/test_why_not_seen.py::"
    "test_a_signal_is_the_sum_of_its_terms_and_found_if_it_is_none_below_zero": 1,
    "arena/test_why_not_seen.py::test_a_token_is_told_with_how_far_off_the_own_pieces_were": 0,
    "arena/test_why_not_seen.py::test_all_that_scans_found_is_told_and_nothing_else": 1,
    "arena/test_why_not_seen.py::test_every_find_of_listening_and_sweeping_is_told": 1,
    "arena/test_why_not_seen.py::"
    "test_every_identification_is_told_and_no_spotter_contradicts_it": 1,
    "arena/test_why_not_seen.py::test_every_line_names_a_section_of_the_rule_book": 1,
    "arena/test_why_not_seen.py::test_every_scan_is_explained_for_every_foreign_ship_in_play": 1,
    "arena/test_why_not_seen.py::"
    "test_no_piece_on_a_surface_map_is_said_to_see_what_is_held_as_a_token_alone": 1,
    "arena/test_why_not_seen.py::test_what_a_scan_did_not_reach_lay_outside_or_behind_a_body": 1,
    "arena/test_why_tokens.py::"
    "test_everything_identified_or_exposed_in_a_match_is_told_with_who_did_it": 1,
    "arena/test_why_tokens.py::"
    "test_of_no_hidden_unit_in_a_match_somebody_is_named_who_would_have_exposed_it": 1,
    "bench/test_runs.py::test_the_bench_counts_the_releases_on_the_beat_and_those_that_slipped": 0,
    "bench/test_runs.py::test_the_bench_counts_the_windows_and_frames_of_the_matches_it_plays": 0,
    "bench/test_runs.py::test_the_bench_tells_how_large_a_record_file_is": 0,
    "bench/test_runs.py::"
    "test_the_bench_tells_what_a_piece_costs_and_how_every_part_grows_with_the_pieces": 0,
    "bench/test_runs.py::"
    "test_the_bench_tells_what_a_spectator_costs_and_whether_another_match_notices": 0,
    "bench/test_runs.py::"
    "test_the_bench_tells_what_gateways_and_workers_cost_and_how_soon_a_match_is_taken_over": 0,
    "bench/test_runs.py::test_the_bench_tells_what_is_wanted_beside_what_it_came_to": 0,
    "bench/test_runs.py::test_the_bench_tells_what_padding_slots_and_keyed_dice_cost": 0,
    "bench/test_runs.py::"
    "test_the_bench_tells_when_a_server_listens_again_and_what_loading_a_match_costs": 0,
    "canary/test_canary.py::test_a_planted_fault_is_heard": 3,
    "canary/test_canary.py::test_nothing_leaves_that_its_reader_has_not_been_told": 1,
    "client/test_authoring.py::test_a_moment_may_be_of_a_bot_beside_it_and_with_its_past": 0,
    "client/test_bots.py::"
    "test_some_ships_of_the_random_bot_are_drawn_to_an_asteroid_and_land_there": 0,
    "client/test_bots.py::test_the_same_seed_and_views_give_the_same_orders": 1,
    "client/test_cli.py::test_every_command_has_help": 2,
    "client/test_cli.py::test_no_server_is_exit_code_3_and_one_sentence": 1,
    "client/test_cli.py::test_wrong_usage_is_exit_code_2": 2,
    "client/test_completion.py::test_every_legal_order_is_offered_word_by_word": 2,
    "client/test_examples.py::test_every_example_of_an_error_is_taken_in_whole_matches": 3,
    "client/test_examples.py::test_who_errs_about_the_window_is_told_verbs_that_do_something": 3,
    "client/test_export.py::"
    "test_with_the_eyes_of_a_side_matches_that_differ_elsewhere_give_the_same_file": 2,
    "client/test_full_screen.py::test_a_list_that_does_not_fit_says_how_much_more_there_is": 0,
    "client/test_full_screen.py::"
    "test_no_panel_is_empty_and_every_piece_stands_on_the_map_or_is_counted": 1,
    "client/test_full_screen.py::test_the_lines_before_come_back_with_the_arrow": 0,
    "client/test_full_screen.py::"
    "test_the_lines_that_keys_write_give_the_same_orders_when_they_are_typed": 1,
    "client/test_full_screen.py::test_the_square_that_is_pointed_at_is_reversed_and_no_other": 1,
    "client/test_full_screen.py::test_what_others_have_named_reaches_no_terminal_as_it_is": 1,
    "client/test_full_screen_replay.py::test_commands_are_typed_as_well": 0,
    "client/test_full_screen_replay.py::test_no_panel_is_empty_through_whatever_eyes": 1,
    "client/test_full_screen_replay.py::test_numbers_choose_whose_eyes": 0,
    "client/test_ground_pictures.py::"
    "test_in_an_animation_no_map_comes_or_goes_and_all_pictures_are_of_one_size": 0,
    "client/test_ground_pictures.py::test_nothing_stands_beyond_the_paper": 1,
    "client/test_ground_pictures.py::"
    "test_png_has_the_colour_of_each_side_where_svg_has_its_shapes": 1,
    "client/test_ground_pointing.py::"
    "test_the_lines_that_keys_write_on_a_surface_give_the_same_orders_when_typed": 1,
    "client/test_horizon.py::test_in_whole_matches_nothing_is_out_of_sight_uncounted": 2,
    "client/test_hunter.py::test_the_hunter_clearly_beats_the_random_bot_from_either_seat": 0,
    "client/test_hunter.py::test_two_hunters_use_every_kind_of_order_that_the_hunt_knows": 0,
    "client/test_hunting.py::test_ground_units_take_part": 1,
    "client/test_labels.py::test_no_handle_of_a_whole_match_is_ever_shown": 1,
    "client/test_layers.py::test_arcs_leave_no_square_out_however_far": 0,
    "client/test_lessons.py::test_on_the_smallest_full_screen_nothing_of_a_lesson_is_cut": 2,
    "client/test_lobby.py::test_on_the_full_screen_a_click_on_a_row_or_a_number_chooses": 1,
    "client/test_notes.py::"
    "test_a_record_is_saved_with_the_own_notes_in_it_when_the_match_is_over": 0,
    "client/test_pictures.py::test_png_shows_the_colour_of_each_piece_where_svg_has_it": 0,
    "client/test_replay_terminal.py::test_one_finds_ones_own_match_that_is_over_and_sees_it": 0,
    "client/test_searcher.py::"
    "test_the_searcher_beats_the_random_bot_with_agents_and_with_garrisons": 0,
    "cluster/test_archivist.py::"
    "test_an_archivist_that_finds_a_match_half_deleted_by_another_one_spoils_nothing": 0,
    "cluster/test_contrib_engine.py::test_an_engine_without_their_secret_does_not_join": 0,
    "cluster/test_engine_faults.py::test_a_server_that_answers_nothing_is_left_for_another_one": 0,
    "cluster/test_engine_faults.py::"
    "test_appends_wait_while_no_majority_is_there_and_are_stored_after_it": 0,
    "cluster/test_engine_faults.py::"
    "test_what_was_acknowledged_is_there_once_after_a_leader_froze": 0,
    "cluster/test_engine_faults.py::"
    "test_what_was_acknowledged_is_there_once_after_a_leader_is_killed": 0,
    "cluster/test_engines.py::test_what_a_cluster_stored_outlives_the_leader_of_its_stream": 0,
    "cluster/test_machines_killed.py::test_matches_outlive_whatever_of_a_cluster_is_killed": 0,
    "cluster/test_matchlogs.py::test_every_record_is_stored_once_however_the_engine_answers": 0,
    "cluster/test_matchlogs.py::"
    "test_one_of_two_writers_gets_each_number_however_the_engine_answers": 0,
    "cluster/test_nats_lease.py::test_no_owner_changes_while_the_engine_elects_a_leader": 0,
    "cluster/test_quick_match_of_a_cluster.py::"
    "test_a_worker_that_stood_still_keeps_no_queue_of_its_own_when_it_is_back": 0,
    "cluster/test_quick_match_of_a_cluster.py::"
    "test_those_who_were_put_together_find_their_room_after_its_worker_was_killed": 0,
    "cluster/test_quick_match_of_a_cluster.py::"
    "test_whoever_waits_for_a_worker_that_was_killed_is_put_together_by_another": 0,
    "cluster/test_store_faults.py::test_a_change_whose_answer_was_lost_is_made_once": 1,
    "cluster/test_store_faults.py::"
    "test_a_store_whose_engine_is_away_says_so_within_a_bounded_time": 0,
    "cluster/test_store_faults.py::test_names_and_rooms_outlive_a_leader_that_froze": 0,
    "cluster/test_store_faults.py::test_names_and_rooms_outlive_the_leader_of_a_bucket": 0,
    "documents/test_docs_code.py::test_the_bot_of_the_readme_plays_a_match": 0,
    "documents/test_docs_code.py::test_the_duel_of_the_bot_page_comes_to_an_end": 0,
    "documents/test_kit_bot.py::"
    "test_it_plays_a_scenario_with_launches_and_blips_without_a_fault": 0,
    "documents/test_readme_bot.py::test_the_bot_of_the_readme_wins_the_same_games_every_time": 0,
    "documents/test_screens.py::test_a_picture_shows_what_the_screen_draws": 2,
    "end_to_end/test_a_foreign_client.py::"
    "test_a_client_of_another_make_plays_against_a_house_bot": 1,
    "end_to_end/test_a_match_over_sockets.py::test_house_bots_play_a_match_to_its_end": 0,
    "end_to_end/test_a_match_over_sockets.py::test_what_was_sent_is_the_fold_of_the_record": 1,
    "end_to_end/test_halves_killed.py::test_connections_and_matches_outlast_their_worker": 2,
    "end_to_end/test_hostile_peers.py::test_a_silent_connection_is_closed_after_a_while": 0,
    "end_to_end/test_hosting.py::test_terms_are_for_a_new_match": 1,
    "end_to_end/test_hosting.py::test_terms_that_do_not_exist_are_told_what_there_is": 1,
    "end_to_end/test_limits_over_sockets.py::"
    "test_a_seat_of_our_library_gets_everything_through": 0,
    "end_to_end/test_load.py::test_when_all_come_back_at_once_after_a_kill_no_order_is_lost": 0,
    "end_to_end/test_on_the_line.py::"
    "test_frames_of_rated_matches_are_padded_unless_an_option_says_no": 1,
    "end_to_end/test_playing_on_over_sockets.py::"
    "test_a_command_line_that_does_not_fit_is_told_so": 1,
    "end_to_end/test_playing_on_over_sockets.py::"
    "test_bots_play_on_to_the_end_and_the_record_is_verified": 0,
    "end_to_end/test_replay_in_node.py::"
    "test_a_program_in_javascript_shows_what_every_audience_was_sent": 1,
    "end_to_end/test_sealed_dice_over_sockets.py::"
    "test_a_match_between_seats_that_pledge_is_checked_with_their_logs": 0,
    "end_to_end/test_sealed_dice_over_sockets.py::"
    "test_a_match_with_filled_up_frames_is_checked_with_its_logs": 0,
    "end_to_end/test_sigkill.py::test_a_house_bot_plays_on_after_a_restart": 0,
    "end_to_end/test_sigkill.py::test_a_match_that_was_about_to_start_starts": 0,
    "end_to_end/test_sigstop.py::test_a_match_outlives_a_server_that_is_stopped_and_goes_on": 0,
    "end_to_end/test_sigstop.py::test_a_window_lasts_as_much_longer_as_the_server_was_stopped": 0,
    "end_to_end/test_sigterm.py::"
    "test_what_was_accepted_is_kept_and_what_was_not_answered_can_be_sent_again": 1,
    "end_to_end/test_slow_readers.py::test_a_spectator_that_never_reads_chat_is_closed": 0,
    "end_to_end/test_slow_readers.py::"
    "test_a_spectator_that_never_reads_skips_to_the_newest_frame": 0,
    "end_to_end/test_slow_readers.py::"
    "test_spectators_that_never_read_take_less_than_a_mebibyte_each": 0,
    "end_to_end/test_the_cluster.py::"
    "test_a_worker_is_killed_in_the_middle_and_everybody_plays_on_to_the_end": 0,
    "end_to_end/test_the_cluster.py::"
    "test_it_stays_up_until_it_is_interrupted_and_can_be_played_on": 0,
    "end_to_end/test_the_door.py::test_a_handshake_that_comes_byte_by_byte_is_cut": 0,
    "end_to_end/test_the_door.py::test_lines_that_say_nothing_are_cut_and_are_never_too_many": 0,
    "end_to_end/test_the_full_screen.py::test_a_dumb_terminal_gets_plain_lines": 0,
    "end_to_end/test_the_full_screen.py::test_a_terminal_that_is_too_small_gets_lines": 0,
    "end_to_end/test_the_full_screen.py::"
    "test_a_turn_is_played_by_keys_on_a_terminal_that_changes_its_size": 0,
    "end_to_end/test_the_full_screen.py::test_every_capable_terminal_shows_the_full_screen": 1,
    "end_to_end/test_the_full_screen.py::test_whoever_watches_sees_the_board_and_what_happens": 0,
    "end_to_end/test_the_full_screen.py::test_without_colours_none_is_sent": 0,
    "end_to_end/test_the_terminal.py::test_keys_of_a_terminal_do_what_one_expects": 0,
    "end_to_end/test_the_terminal.py::"
    "test_the_map_is_in_view_and_the_typed_line_survives_what_comes": 0,
    "end_to_end/test_waiting_for_a_turn.py::test_a_time_that_is_none_is_wrong_usage": 1,
    "end_to_end/test_waiting_for_a_turn.py::test_a_wait_outlives_the_server": 0,
    "end_to_end/test_upgrading.py::"
    "test_what_an_earlier_version_left_is_checked_taken_up_and_can_be_gone_back_to": 1,
    "end_to_end/test_upgrading.py::"
    "test_whoever_played_before_an_upgrade_plays_on_or_is_told_why_not": 3,
    "end_to_end/test_whole_matches_at_a_terminal.py::"
    "test_a_script_plays_a_whole_match_by_lines_that_legal_has_named": 0,
    "end_to_end/test_whole_matches_at_a_terminal.py::"
    "test_a_whole_match_is_played_by_keys_on_the_full_screen": 0,
    "golden/test_goldens.py::test_a_match_tells_everybody_what_its_transcript_says": 2,
    "host/test_loading.py::test_a_state_is_read_from_a_snapshot_as_it_was": 6,
    "host/test_loading.py::test_with_and_without_snapshots_everybody_is_sent_the_same": 3,
    "host/test_names.py::test_every_letter_that_python_knows_is_of_a_script_that_is_listed": 0,
    "host/test_parking.py::test_parked_matches_close_every_window_at_its_time_for_weeks": 0,
    "host/test_rated.py::test_an_end_counts_once_though_the_server_ends_around_its_fold": 1,
    "host/test_rated.py::test_an_end_counts_once_though_the_server_is_killed_around_its_fold": 1,
    "host/test_record_sums.py::"
    "test_a_flipped_bit_of_the_newest_record_is_refused_and_no_other_match_is": 0,
    "host/test_two_owners.py::test_a_planted_fault_is_found": 1,
    "match/analysis/test_best_scans.py::test_no_legal_scan_is_better_than_those_that_are_told": 0,
    "match/analysis/test_true_spots.py::test_a_piece_is_where_it_may_be": 1,
    "match/fog/test_token_marks.py::"
    "test_a_mark_belongs_to_one_unit_from_the_first_sight_to_the_last": 1,
    "match/test_replay.py::test_the_fold_of_a_journal_is_the_match_that_was_played": 1,
    "match/test_replay.py::test_the_fold_of_a_prefix_is_the_match_at_that_point": 2,
    "match/turn/test_firing_arcs.py::test_bots_fire_the_weapons_that_need_a_relation": 0,
    "match/turn/test_systems_lost.py::"
    "test_a_threshold_check_takes_this_system_and_it_no_longer_works": 2,
    "end_to_end/test_copy_restored.py::"
    "test_a_kill_at_any_moment_leaves_a_copy_that_is_the_journal_as_it_was": 0,
    "ops/test_prometheus.py::"
    "test_every_expression_of_the_dashboard_and_the_alerts_gives_something": 0,
    "ops/test_prometheus.py::test_an_alert_is_raised_where_something_is_wrong_and_no_other_is": 0,
    "ops/test_tracing.py::test_a_collector_that_does_not_answer_costs_a_line_in_the_log": 0,
    "ops/test_container.py::test_a_match_outlives_its_container_on_the_volume": 0,
    "ops/test_drill.py::test_a_drill_on_a_database_with_a_fault_ends_with_1_and_names_it": 0,
    "ops/test_drill.py::test_a_drill_without_a_database_begins_with_an_empty_one": 0,
    "ops/test_installing.py::"
    "test_a_player_without_the_extra_has_the_client_and_is_told_how_to_get_the_server": 0,
    "ops/test_installing.py::test_a_server_that_pip_has_installed_plays_a_match_to_its_end": 0,
    "ops/test_installing.py::test_pip_puts_the_units_and_configurations_beside_the_programs": 0,
    "ops/test_installing.py::test_pipx_installs_both_programs": 0,
    "ops/test_installing.py::test_the_installed_server_says_every_setting": 0,
    "ops/test_installing.py::"
    "test_the_source_archive_has_what_the_repository_has_and_nothing_else": 0,
    "ops/test_under_systemd.py::"
    "test_the_confined_unit_serves_reads_its_settings_again_and_ends_in_order": 0,
    "outlets/test_outlet_matrix.py::test_a_planted_fault_shows_in_its_cell": 3,
    "page/test_accessibility.py::test_a_match_that_runs_is_for_every_reader": 0,
    "page/test_accessibility.py::"
    "test_a_replay_is_for_every_reader_through_one_pair_of_eyes_and_side_by_side": 0,
    "page/test_accessibility.py::test_the_lists_are_for_every_reader": 0,
    "page/test_agreement.py::test_page_and_terminal_make_the_same_of_every_frame_of_a_match": 1,
    "page/test_hindsight.py::test_a_file_without_the_layer_and_a_match_that_runs_offer_nothing": 0,
    "page/test_hindsight.py::test_the_buttons_say_what_is_on_and_keep_the_focus": 0,
    "page/test_hindsight.py::"
    "test_the_layers_are_offered_as_soon_as_a_match_that_is_watched_is_over": 0,
    "page/test_replays.py::test_a_file_that_is_dropped_on_the_page_is_shown": 0,
    "page/test_replays.py::"
    "test_a_file_that_is_not_whole_is_shown_as_far_as_it_goes_with_one_sentence": 0,
    "page/test_replays.py::"
    "test_a_shared_address_leads_to_the_same_moment_through_the_same_eyes": 0,
    "page/test_replays.py::test_keys_lead_through_time": 0,
    "page/test_replays.py::"
    "test_on_every_screen_nothing_is_wider_than_it_and_the_board_has_room": 0,
    "page/test_replays.py::test_scrubbing_shows_the_window_that_was_chosen": 0,
    "page/test_replays.py::test_the_embedded_page_is_the_board_and_the_time_alone": 0,
    "page/test_replays.py::"
    "test_the_story_is_told_aloud_and_pieces_and_surfaces_are_there_as_text": 0,
    "page/test_replays.py::test_the_theme_follows_the_system_until_the_reader_chooses": 0,
    "page/test_watching.py::test_a_room_that_waits_is_shown_when_it_starts": 0,
    "page/test_watching.py::"
    "test_a_truth_that_lags_is_not_for_strangers_whom_nobody_has_granted_it": 0,
    "page/test_watching.py::test_after_a_restart_of_the_server_the_page_comes_back_and_goes_on": 0,
    "page/test_watching.py::test_the_turn_that_is_shown_is_handed_to_a_terminal_by_keys_alone": 0,
    "page/test_watching.py::test_tv_shows_the_most_eventful_match_and_moves_on_when_it_ends": 0,
    "page/test_watching.py::"
    "test_whoever_is_granted_a_truth_that_lags_is_told_by_how_many_turns": 0,
    "page/test_watching.py::test_whoever_looks_back_stays_there_while_the_match_goes_on": 0,
    "page/test_watching.py::test_without_a_running_match_tv_plays_the_latest_replay": 0,
    "protocol/replay/test_replay_file.py::"
    "test_a_changed_byte_anywhere_is_survived_and_one_of_the_layers_told": 0,
    "rules/arcs/test_arcs_against_shapely.py::"
    "test_placements_on_the_grid_with_their_many_ties_agree_with_the_definition": 1,
    "rules/arcs/test_arcs_against_shapely.py::test_random_placements_agree_with_the_definition": 1,
    "rules/capital/test_capital.py::test_every_combination_of_modifiers_is_the_sum_of_its_rows": 3,
    "rules/cloak/test_tracker_modes.py::"
    "test_both_trackers_together_part_as_rarely_as_the_table_says": 0,
    "rules/cloak/test_tracker_modes.py::"
    "test_window_and_dice_of_one_tracker_part_as_rarely_as_the_table_says": 1,
    "scenarios/test_blip_parade.py::test_the_prober_does_more_damage_than_the_random_bot": 0,
    "scenarios/test_blip_parade.py::"
    "test_the_prober_identifies_and_scans_more_than_the_random_bot": 0,
    "scenarios/test_blip_parade.py::"
    "test_the_prober_uses_every_kind_of_order_that_the_scenario_asks_for": 0,
    "scenarios/test_orlog.py::"
    "test_agents_land_are_searched_for_and_the_ground_is_bombarded_in_orlog": 0,
    "scenarios/test_redondo.py::"
    "test_four_admirals_use_most_kinds_of_orders_and_give_no_illegal_one": 0,
    "second_reading/test_footprints.py::"
    "test_both_readings_agree_on_who_is_hidden_by_large_units": 1,
    "second_reading/test_ground.py::"
    "test_both_readings_agree_on_what_is_held_and_what_attacks_do": 1,
    "secrecy/test_order_costs.py::"
    "test_every_weapon_ordered_to_fire_heats_its_piece_and_one_with_one_shot_is_spent": 0,
    "secrecy/test_planted_leaks_found.py::"
    "test_a_planted_leak_is_found_by_the_suite_that_is_named_first": 2,
    "secrecy/test_planted_leaks_found.py::test_a_suite_finds_nothing_where_nothing_is_planted": 1,
    "secrecy/test_refused_alike.py::"
    "test_an_order_or_question_that_names_what_is_not_held_is_refused_in_the_same_bytes": 3,
    "secrecy/test_served_worlds.py::"
    "test_whoever_is_not_that_side_gets_the_same_bytes_whatever_fleet_a_side_has": 1,
    "secrecy/test_timing.py::test_the_test_rejects_chance_no_more_often_than_it_says": 0,
    "secrecy/test_timing.py::test_three_milliseconds_after_hidden_events_are_found": 0,
    "secrecy/test_vain_requests.py::"
    "test_the_bots_ask_and_fire_on_the_ground_at_what_they_can_reach": 0,
    "traps/test_views.py::test_a_snapshot_never_differs_from_what_the_stream_has_come_to": 4,
    "traps/test_views.py::"
    "test_no_audience_is_ever_told_the_class_of_a_foreign_piece_but_in_a_dossier": 2,
    "traps/test_views.py::test_no_audience_is_ever_told_the_name_of_a_foreign_piece": 2,
    "traps/test_views.py::test_one_thing_is_never_in_a_view_twice": 4,
    "traps/test_views.py::test_whoever_sees_a_carrier_never_learns_what_is_aboard": 2,
    "two_worlds/test_leaks.py::"
    "test_a_planted_leak_is_printed_with_the_command_that_shows_it_again": 0,
    "two_worlds/test_leaks.py::test_an_interrupted_run_goes_on_where_it_was": 0,
    "two_worlds/test_planted_leaks.py::test_the_paired_worlds_find_a_planted_leak": 1,
    "two_worlds/test_two_worlds.py::"
    "test_both_readings_of_the_rules_agree_on_batteries_missiles_and_impacts": 0,
    "two_worlds/test_two_worlds.py::"
    "test_both_readings_of_the_rules_agree_on_scans_shots_and_initiative": 1,
}
"""By test how many of its cases, the first ones, are no proofs."""


def mark_proofs(items: Iterable[pytest.Item]) -> None:
    """Mark the proofs among tests that stand in the order in which they were collected."""
    counted: Counter[str] = Counter()
    for item in items:
        name = name_of(item)
        if name in KEPT:
            counted[name] += 1
            if counted[name] > KEPT[name]:
                item.add_marker("proof")


def name_of(item: pytest.Item) -> str:
    """Return the name by which `KEPT` calls a test."""
    return item.nodeid.removeprefix("tests/").split("[")[0]
