"""Which tests are the quick ones of the outer shell: those that its mutants are tried against."""

from typing import Final

MODULES: Final = (
    "test_archive",
    "test_beats",
    "test_between_beats",
    "test_between_close_and_beat",
    "test_bygone",
    "test_clock_set_back",
    "test_faults_of_ours",
    "test_leaving",
    "test_lines_down",
    "test_lines_over_sockets",
    "test_loading",
    "test_lobby_over_sockets",
    "test_missed_windows",
    "test_operator_over_sockets",
    "test_operator_pause",
    "test_outages",
    "test_padding",
    "test_parking",
    "test_pauses",
    "test_questions_over_sockets",
    "test_record_sums",
    "test_resume_over_sockets",
    "test_restart_clocks",
    "test_rings",
    "test_rooms_over_sockets",
    "test_seat_clocks",
    "test_seats_of_accounts",
    "test_shell_*",
    "test_short_stops",
    "test_stalls",
    "test_starts_called_off",
    "test_step",
    "test_step_commands",
    "test_step_end",
    "test_step_records",
    "test_stopping",
    "test_the_table_over_sockets",
    "test_traps_of_logs",
    "test_traps_of_oracles",
    "test_traps_of_outlets",
    "test_truth_feed",
    "test_truth_feed_over_sockets",
    "test_watching_over_sockets",
)
"""Modules of quick tests that reach the outer shell, over real sockets too."""

SLOWER: Final = frozenset(
    {
        "test_a_flipped_bit_of_the_newest_record_is_refused_and_no_other_match_is",
        "test_no_log_line_ever_holds_a_ticket_a_token_a_seed_an_order_or_an_address",
        "test_no_text_for_a_peer_is_ever_made_of_anything_in_the_truth",
        "test_parked_matches_close_every_window_at_its_time_for_weeks",
    }
)
"""Tests of these modules that take two seconds and more, or reach none of the shell."""
