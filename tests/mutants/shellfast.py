"""Which tests are the quick ones of the outer shell: those that its mutants are tried against."""

from typing import Final

MODULES: Final = (
    "client/test_leaving",
    "end_to_end/test_between_close_and_beat",
    "end_to_end/test_lines_over_sockets",
    "end_to_end/test_lobby_over_sockets",
    "end_to_end/test_operator_over_sockets",
    "end_to_end/test_questions_over_sockets",
    "end_to_end/test_resume_over_sockets",
    "end_to_end/test_rooms_over_sockets",
    "end_to_end/test_seats_of_accounts",
    "end_to_end/test_shell_lines",
    "end_to_end/test_shell_talk",
    "end_to_end/test_starts_called_off",
    "end_to_end/test_the_table_over_sockets",
    "end_to_end/test_traps_of_oracles",
    "end_to_end/test_traps_of_outlets",
    "end_to_end/test_truth_feed_over_sockets",
    "end_to_end/test_watching_over_sockets",
    "host/test_beats",
    "host/test_bygone",
    "host/test_clock_set_back",
    "host/test_faults_of_ours",
    "host/test_feed",
    "host/test_feeds",
    "host/test_files",
    "host/test_front",
    "host/test_loading",
    "host/test_lobby",
    "host/test_operator_pause",
    "host/test_outages",
    "host/test_parking",
    "host/test_record_sums",
    "host/test_releases",
    "host/test_rings",
    "host/test_rooms",
    "host/test_runner",
    "host/test_short_stops",
    "host/test_stalls",
    "host/test_stopping",
    "match/clock/test_seats",
    "match/pace/test_*",
    "match/test_frames",
    "match/test_padding",
    "match/test_step*",
    "match/test_truth_feed",
    "ops/test_archive",
    "secrecy/test_between_beats",
    "traps/test_logs",
)
"""Modules of quick tests, by path and pattern, that reach the shell, over real sockets too."""

SLOWER: Final = frozenset(
    {
        "test_a_flipped_bit_of_the_newest_record_is_refused_and_no_other_match_is",
        "test_no_log_line_ever_holds_a_ticket_a_token_a_seed_an_order_or_an_address",
        "test_no_text_for_a_peer_is_ever_made_of_anything_in_the_truth",
        "test_parked_matches_close_every_window_at_its_time_for_weeks",
    }
)
"""Tests of these modules that take two seconds and more, or reach none of the shell."""
