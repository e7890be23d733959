"""Which tests are the quick ones of the outer shell: those that its mutants are tried against."""

from typing import Final

MODULES: Final = (
    "archive/test_files",
    "archive/test_layers_of_files",
    "base/test_clock_set_back",
    "client/test_leaving",
    "end_to_end/test_*_over_sockets",
    "end_to_end/test_account_of_a_bot",
    "end_to_end/test_an_id_is_no_key",
    "end_to_end/test_between_close_and_beat",
    "end_to_end/test_chat_after_the_end",
    "end_to_end/test_renewed_tokens",
    "end_to_end/test_seats_of_accounts",
    "end_to_end/test_shell_lines",
    "end_to_end/test_shell_talk",
    "end_to_end/test_starts_called_off",
    "end_to_end/test_traps_of_oracles",
    "end_to_end/test_traps_of_outlets",
    "lobby/test_*",
    "match/clock/test_seats",
    "match/pace/test_*",
    "match/test_frames",
    "match/test_padding",
    "match/test_past",
    "match/test_step*",
    "match/test_truth_feed",
    "matchmaking/test_rated",
    "matchmaking/test_room_opener",
    "ops/test_archive",
    "ops/test_saved_replays",
    "ops/test_saved_sizes",
    "page/test_http",
    "ports/test_lease",
    "rooms/test_*",
    "runtime/test_*",
    "secrecy/test_between_beats",
    "sqlite/test_record_sums",
    "transport/test_*_at_gateways",
    "transport/test_socket_transport",
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
