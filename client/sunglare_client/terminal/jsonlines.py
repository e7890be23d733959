"""The terminal for programs: every line it writes is one JSON object, in ASCII alone."""

import json
from collections.abc import Iterable
from typing import final

from sunglare_client.link.connection import Post
from sunglare_client.terminal.screen import Screen
from sunglare_client.text.json_line import json_line
from sunglare_client.text.printable import printable
from sunglare_protocol.codec import Form, encode_server


@final
class JsonScreen(Screen):
    """A stream of JSON objects: posts in the form of the wire, `say` for what a person reads."""

    def show(self, lines: Iterable[str]) -> None:
        """Write the lines as one object, if there are any."""
        said = [printable(line, ascii_only=self.ascii_only) for line in lines]
        if said:
            self._put({"say": said})

    def tell(self, line: str) -> None:
        """Write a line as an object of its own."""
        self.show([line])

    def post(self, post: Post) -> None:
        """Write a frame, news or the end as it came over the wire."""
        self._put(json.loads(encode_server(post, Form.JSON)))

    def _put(self, value: object) -> None:
        self._stream.write(json_line(value) + "\n")
        self._stream.flush()
