"""Which tests are proofs: long ones of which `make test` plays a few cases, `make proofs` all.

Some three hundred cases of many thousands would take a good part of the time.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Final

import pytest

KEPT: Final = {
    "arena/test_arena.py::test_the_same_seed_plays_the_same_matches_in_one_process_or_two": 0,
    "arena/test_strength.py::test_a_baseline_bot_beats_the_random_bot": 0,
    "arena/test_strength.py::test_no_order_of_a_baseline_bot_is_refused_in_the_first_turns": 1,
    "arena/test_strength.py::test_the_bots_together_use_every_kind_of_order": 0,
    "arena/test_verify.py::test_a_changed_byte_is_found_wherever_it_stands": 0,
    "arena/test_verify.py::test_a_file_that_was_cut_anywhere_is_told_as_that": 1,
    "arena/test_verify.py::test_a_header_that_says_otherwise_than_the_records_is_named": 2,
    "arena/test_verify.py::test_a_match_is_what_its_file_says": 2,
    "arena/test_verify_dice.py::test_every_die_of_a_match_follows_from_its_seed": 2,
    "arena/test_verify_layers.py::test_a_changed_frame_is_named": 3,
    "arena/test_verify_layers.py::test_a_message_that_no_record_makes_is_found_by_the_fold": 2,
    "arena/test_verify_layers.py::test_a_tail_that_is_missing_is_named": 3,
    "arena/test_verify_layers.py::test_an_analysis_of_another_form_is_found_without_the_rules": 3,
    "arena/test_verify_layers.py::"
    "test_other_words_in_what_no_chain_holds_are_found_by_the_fold": 3,
    "arena/test_verify_log.py::test_nothing_is_proved_where_no_seat_had_a_part_in_the_dice": 0,
    "arena/test_why_agents.py::"
    "test_no_turn_of_a_match_has_both_a_search_of_a_place_and_word_of_none": 0,
    "arena/test_why_data.py::"
    "test_an_inconclusive_answer_of_a_match_has_a_reason_and_a_full_one_none": 4,
    "arena/test_why_data.py::test_every_request_of_a_match_is_told_with_its_outcome": 1,
    "arena/test_why_fights.py::test_every_fight_of_a_match_is_told_for_each_who_was_found": 1,
    "arena/test_why_not_seen.py::"
    "test_a_signal_is_the_sum_of_its_terms_and_found_if_it_is_none_below_zero": 1,
    "arena/test_why_not_seen.py::test_a_sense_roll_is_told_with_the_sum_that_decided_it": 3,
    "arena/test_why_not_seen.py::test_every_scan_is_explained_for_every_foreign_ship_in_play": 2,
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
    "bench/test_runs.py::test_the_bench_tells_what_padding_slots_and_keyed_dice_cost": 0,
    "bench/test_runs.py::"
    "test_the_bench_tells_when_a_server_listens_again_and_what_loading_a_match_costs": 0,
    "canary/test_canary.py::test_a_planted_fault_is_heard": 3,
    "canary/test_canary.py::test_nothing_leaves_that_its_reader_has_not_been_told": 1,
    "client/test_bots.py::test_the_same_seed_and_views_give_the_same_orders": 3,
    "client/test_cli.py::test_every_command_has_help": 2,
    "client/test_full_screen.py::"
    "test_no_panel_is_empty_and_every_piece_stands_on_the_map_or_is_counted": 2,
    "client/test_full_screen.py::"
    "test_the_lines_that_keys_write_give_the_same_orders_when_they_are_typed": 2,
    "client/test_full_screen.py::test_what_others_have_named_reaches_no_terminal_as_it_is": 2,
    "client/test_full_screen_replay.py::test_no_panel_is_empty_through_whatever_eyes": 1,
    "client/test_cli.py::test_no_server_is_exit_code_3_and_one_sentence": 1,
    "client/test_cli.py::test_wrong_usage_is_exit_code_2": 2,
    "client/test_examples.py::test_every_example_of_an_error_is_taken_in_whole_matches": 3,
    "client/test_examples.py::test_who_errs_about_the_window_is_told_verbs_that_do_something": 3,
    "client/test_export.py::"
    "test_with_the_eyes_of_a_side_matches_that_differ_elsewhere_give_the_same_file": 2,
    "client/test_hunter.py::test_the_hunter_clearly_beats_the_random_bot_from_either_seat": 0,
    "client/test_labels.py::test_no_handle_of_a_whole_match_is_ever_shown": 1,
    "client/test_searcher.py::"
    "test_the_searcher_beats_the_random_bot_with_agents_and_with_garrisons": 0,
    "documents/test_docs_code.py::test_the_bot_of_the_readme_plays_a_match": 0,
    "documents/test_docs_code.py::test_the_duel_of_the_bot_page_comes_to_an_end": 0,
    "documents/test_readme_bot.py::test_the_bot_of_the_readme_wins_the_same_games_every_time": 0,
    "documents/test_screens.py::test_a_picture_shows_what_the_screen_draws": 4,
    "end_to_end/test_a_match_over_sockets.py::test_house_bots_play_a_match_to_its_end": 0,
    "end_to_end/test_a_match_over_sockets.py::test_what_was_sent_is_the_fold_of_the_record": 1,
    "end_to_end/test_hostile_peers.py::test_a_silent_connection_is_closed_after_a_while": 0,
    "end_to_end/test_load.py::test_when_all_come_back_at_once_after_a_kill_no_order_is_lost": 0,
    "end_to_end/test_playing_on_over_sockets.py::"
    "test_a_command_line_that_does_not_fit_is_told_so": 1,
    "end_to_end/test_playing_on_over_sockets.py::"
    "test_bots_play_on_to_the_end_and_the_record_is_verified": 0,
    "end_to_end/test_sealed_dice_over_sockets.py::"
    "test_a_match_between_seats_that_pledge_is_checked_with_their_logs": 0,
    "end_to_end/test_sealed_dice_over_sockets.py::"
    "test_a_match_with_filled_up_frames_is_checked_with_its_logs": 0,
    "end_to_end/test_sigkill.py::test_a_house_bot_plays_on_after_a_restart": 0,
    "end_to_end/test_sigkill.py::test_a_match_that_was_about_to_start_starts": 0,
    "end_to_end/test_sigstop.py::test_a_match_outlives_a_server_that_is_stopped_and_goes_on": 0,
    "end_to_end/test_sigstop.py::test_a_window_lasts_as_much_longer_as_the_server_was_stopped": 1,
    "end_to_end/test_sigterm.py::"
    "test_what_was_accepted_is_kept_and_what_was_not_answered_can_be_sent_again": 1,
    "end_to_end/test_slow_readers.py::"
    "test_a_spectator_that_never_reads_skips_to_the_newest_frame": 0,
    "end_to_end/test_slow_readers.py::"
    "test_spectators_that_never_read_take_less_than_a_mebibyte_each": 0,
    "golden/test_goldens.py::test_a_match_tells_everybody_what_its_transcript_says": 4,
    "host/test_loading.py::test_a_state_is_read_from_a_snapshot_as_it_was": 6,
    "host/test_loading.py::test_with_and_without_snapshots_everybody_is_sent_the_same": 3,
    "host/test_record_sums.py::"
    "test_a_flipped_bit_of_the_newest_record_is_refused_and_no_other_match_is": 0,
    "match/analysis/test_best_scans.py::test_no_legal_scan_is_better_than_those_that_are_told": 1,
    "match/analysis/test_true_spots.py::test_a_piece_is_where_it_may_be": 1,
    "match/fog/test_token_marks.py::"
    "test_a_mark_belongs_to_one_unit_from_the_first_sight_to_the_last": 1,
    "match/test_replay.py::test_the_fold_of_a_journal_is_the_match_that_was_played": 1,
    "match/test_replay.py::test_the_fold_of_a_prefix_is_the_match_at_that_point": 2,
    "match/turn/test_firing_arcs.py::test_bots_fire_the_weapons_that_need_a_relation": 0,
    "outlets/test_outlet_matrix.py::test_a_planted_fault_shows_in_its_cell": 3,
    "page/test_accessibility.py::test_a_match_that_runs_is_for_every_reader": 0,
    "page/test_accessibility.py::test_the_lists_are_for_every_reader": 0,
    "page/test_agreement.py::test_page_and_terminal_make_the_same_of_every_frame_of_a_match": 1,
    "page/test_replays.py::"
    "test_a_file_that_is_not_whole_is_shown_as_far_as_it_goes_with_one_sentence": 0,
    "page/test_replays.py::test_keys_lead_through_time": 0,
    "page/test_replays.py::"
    "test_on_every_screen_nothing_is_wider_than_it_and_the_board_has_room": 0,
    "page/test_replays.py::test_the_embedded_page_is_the_board_and_the_time_alone": 0,
    "page/test_replays.py::test_the_theme_follows_the_system_until_the_reader_chooses": 0,
    "page/test_watching.py::"
    "test_a_truth_that_lags_is_not_for_strangers_whom_nobody_has_granted_it": 0,
    "page/test_watching.py::test_tv_shows_the_most_eventful_match_and_moves_on_when_it_ends": 0,
    "page/test_watching.py::test_whoever_looks_back_stays_there_while_the_match_goes_on": 0,
    "page/test_watching.py::test_without_a_running_match_tv_plays_the_latest_replay": 0,
    "rules/arcs/test_arcs_against_shapely.py::"
    "test_placements_on_the_grid_with_their_many_ties_agree_with_the_definition": 3,
    "rules/arcs/test_arcs_against_shapely.py::test_random_placements_agree_with_the_definition": 3,
    "rules/cloak/test_tracker_modes.py::"
    "test_window_and_dice_of_one_tracker_part_as_rarely_as_the_table_says": 2,
    "scenarios/test_blip_parade.py::test_the_prober_does_more_damage_than_the_random_bot": 0,
    "scenarios/test_blip_parade.py::"
    "test_the_prober_identifies_and_scans_more_than_the_random_bot": 0,
    "scenarios/test_blip_parade.py::"
    "test_the_prober_uses_every_kind_of_order_that_the_scenario_asks_for": 0,
    "scenarios/test_orlog.py::"
    "test_agents_land_are_searched_for_and_the_ground_is_bombarded_in_orlog": 0,
    "scenarios/test_redondo.py::"
    "test_four_admirals_use_most_kinds_of_orders_and_give_no_illegal_one": 0,
    "second_reading/test_ground.py::"
    "test_both_readings_agree_on_what_is_held_and_what_attacks_do": 1,
    "secrecy/test_order_costs.py::"
    "test_every_weapon_ordered_to_fire_heats_its_piece_and_one_with_one_shot_is_spent": 0,
    "secrecy/test_planted_leaks_found.py::"
    "test_a_planted_leak_is_found_by_the_suite_that_is_named_first": 3,
    "secrecy/test_planted_leaks_found.py::test_a_suite_finds_nothing_where_nothing_is_planted": 1,
    "secrecy/test_refused_alike.py::"
    "test_an_order_or_question_that_names_what_is_not_held_is_refused_in_the_same_bytes": 3,
    "secrecy/test_served_worlds.py::"
    "test_whoever_is_not_that_side_gets_the_same_bytes_whatever_fleet_a_side_has": 1,
    "secrecy/test_timing.py::test_three_milliseconds_after_hidden_events_are_found": 0,
    "secrecy/test_vain_requests.py::test_the_bots_ask_and_fire_on_orlog_at_what_they_can_reach": 0,
    "traps/test_views.py::test_no_audience_is_ever_told_the_name_of_a_foreign_piece": 5,
    "two_worlds/test_leaks.py::"
    "test_a_planted_leak_is_printed_with_the_command_that_shows_it_again": 0,
    "two_worlds/test_leaks.py::test_an_interrupted_run_goes_on_where_it_was": 0,
    "two_worlds/test_planted_leaks.py::test_the_paired_worlds_find_a_planted_leak": 1,
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
