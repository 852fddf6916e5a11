"""A memory for very long streams: what came last, in bounded space."""

from __future__ import annotations

from typing import Generic, TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class Latest(Generic[Key, Value]):
    """A dictionary of the `size` to `2 * size` keys put in last: two generations, of which the older is dropped."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._young: dict[Key, Value] = {}
        self._old: dict[Key, Value] = {}

    def __contains__(self, key: Key) -> bool:
        return key in self._young or key in self._old

    def get(self, key: Key, default: Value) -> Value:
        """The value last put under the key."""
        return self._young[key] if key in self._young else self._old.get(key, default)

    def put(self, key: Key, value: Value) -> None:
        """Remember it, and forget the older generation when the younger is full."""
        if len(self._young) >= self._size:
            self._young, self._old = {}, self._young
        self._young[key] = value
