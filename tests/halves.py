"""The tests that look inside a server of one process, and so are left out where it is in halves.

With `SUNGLARE_HALVES` in the environment servers in a test's own process are a worker with a
gateway before it, over a real socket: whatever is tested over the players' wire holds there too.
"""

import os

IS_IN_HALVES = bool(os.environ.get("SUNGLARE_HALVES"))

ENGINE = os.environ.get("SUNGLARE_HALVES_NATS", "")
"""The address of a NATS server in the place of the socket: these tests have it for themselves."""

ONE_PROCESS = {
    "test_after_the_loss_of_a_disk_seats_names_and_ratings_are_there_on_the_copy": (
        "an engine keeps no file to be copied"
    ),
    "test_a_database_with_a_long_name_is_served_without_a_socket": (
        "the worker's own socket would have too long a name there"
    ),
    "test_the_log_tells_once_that_connections_are_turned_away": "asks the door itself",
    "test_seats_of_the_library_take_up_their_rematch_over_the_same_connections": "asks the door",
    "test_a_connection_that_ends_lets_go_of_seat_and_feeds": "looks at once, not a moment later",
    "test_an_outbox_is_that_of_a_seat_only_while_there_is_one": "looks at the outbox itself",
    "test_a_file_comes_in_pieces_that_join_from_any_byte_on": "counts waits for the outbox",
    "test_a_command_that_comes_as_the_server_ends_gets_no_answer_to_be_mistaken_for_its_own": (
        "stops a match whose server goes on; a gateway asks for it until there is an owner"
    ),
    "test_no_question_is_taken_while_the_answer_to_the_last_is_on_its_way": (
        "a gateway reads no question before the one before has its answer"
    ),
    "test_a_seat_that_comes_back_gets_one_frame_whole_and_what_followed_in_changes": (
        "a gateway is told what was missed in whole frames"
    ),
    "test_a_ticket_lasts_as_long_as_its_match_and_thirty_days_more": (
        "its clock leaps and stands: a gateway takes that for its own absence, and waits"
    ),
    "test_it_is_closed_after_ten_minutes": (
        "its clock leaps and stands: a gateway takes that for its own absence, and waits"
    ),
}
"""By name, with the reason."""
