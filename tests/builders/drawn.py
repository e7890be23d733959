"""Strategies for messages and notices, made from their types."""

from functools import cache
from typing import Final, NamedTuple, final

from hypothesis import strategies as st
from msgspec import inspect as shapes

LONGEST = 8


@final
class Values(NamedTuple):
    """Which whole numbers are drawn where a type does not say, and of which letters texts are."""

    least: int
    most: int
    letters: st.SearchStrategy[str]

    def of(self, shape: shapes.Type) -> st.SearchStrategy[object]:
        """Return a strategy for the values that a type takes."""
        match shape:
            case shapes.Metadata(type=inner):
                return self.of(inner)
            case shapes.StrType():
                return self._texts(shape)
            case shapes.IntType():
                return self._numbers(shape)
            case shapes.BoolType():
                return st.booleans()
            case shapes.NoneType():
                return st.none()
            case shapes.BytesType():
                return st.binary(max_size=20)
            case shapes.EnumType(cls=cls):
                return st.sampled_from(list(cls))
            case _:
                return self._several(shape)

    def _numbers(self, shape: shapes.IntType) -> st.SearchStrategy[object]:
        least = self.least if shape.ge is None else shape.ge
        most = self.most if shape.le is None else shape.le
        return st.integers(least, most if shape.lt is None else shape.lt - 1)

    def _texts(self, shape: shapes.StrType) -> st.SearchStrategy[str]:
        if shape.pattern is not None:
            return st.from_regex(shape.pattern, fullmatch=True)
        most = LONGEST if shape.max_length is None else min(shape.max_length, LONGEST)
        return st.text(self.letters, max_size=most)

    def _several(self, shape: shapes.Type) -> st.SearchStrategy[object]:
        match shape:
            case shapes.UnionType(types=types):
                return st.one_of([self.of(kind) for kind in types])
            case shapes.VarTupleType(item_type=item):
                return st.lists(self.of(item), max_size=3).map(tuple)
            case shapes.TupleType(item_types=types):
                return st.tuples(*map(self.of, types))
            case shapes.DictType(key_type=key, value_type=value):
                return st.dictionaries(self.of(key), self.of(value), max_size=3)
            case shapes.NamedTupleType(cls=cls, fields=fields):
                return st.tuples(*(self.of(field.type) for field in fields)).map(
                    lambda row: cls(*row)
                )
            case shapes.StructType(cls=cls):
                return messages(cls, self)
            case _:
                raise TypeError(f"no strategy for {shape}")

    def of_fields(self, shape: shapes.StructType) -> st.SearchStrategy[object]:
        """Return a strategy for the values of a class, made field by field."""
        given_always = {
            field.name: self.of(field.type) for field in shape.fields if field.required
        }
        optional = {
            field.name: self.of(field.type) for field in shape.fields if not field.required
        }
        return st.fixed_dictionaries(given_always, optional=optional).map(
            lambda values: shape.cls(**values)
        )


ANY: Final = Values(-(2**53 - 1), 2**53 - 1, st.characters(codec="utf-8"))
"""Whatever the wire carries."""

TOLD: Final = Values(0, 25, st.characters(codec="ascii"))
"""What may stand in a sentence: the numbers of a board, and letters that are one everywhere."""


@cache
def messages(kind: type, values: Values = ANY) -> st.SearchStrategy[object]:
    """Return the strategy for the values of one class, the same object each time.

    Making a strategy, and all that hypothesis finds out about it, takes longer than a draw.
    """
    shape = shapes.type_info(kind)
    if not isinstance(shape, shapes.StructType):
        raise TypeError(f"{kind} is no struct")
    return values.of_fields(shape)
