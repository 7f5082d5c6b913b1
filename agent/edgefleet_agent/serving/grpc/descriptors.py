"""Builds Protobuf files from tables: messages, enumerations, services. Each has a descriptor pool of its own, so that a process
may also import a client's generated messages.

One line a field: name, number, type; `*` repeats, `{type}` is a map from string, `{key:type}` from another type, `|` marks
alternatives.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

_Field = descriptor_pb2.FieldDescriptorProto
_SCALARS = {
    "double": _Field.TYPE_DOUBLE,
    "float": _Field.TYPE_FLOAT,
    "int64": _Field.TYPE_INT64,
    "uint64": _Field.TYPE_UINT64,
    "int32": _Field.TYPE_INT32,
    "bool": _Field.TYPE_BOOL,
    "string": _Field.TYPE_STRING,
    "bytes": _Field.TYPE_BYTES,
    "uint32": _Field.TYPE_UINT32,
}

Methods = Mapping[str, tuple[str, str]]
"""Name of a method -> its request and its response; `*` before one: a stream of them."""


class DescribedFile:
    """A Protobuf file: its serialized descriptor, the classes of its outer messages, and its services by full name."""

    def __init__(
        self,
        name: str,
        package: str,
        messages: Mapping[str, str],
        enums: Mapping[str, tuple[str, ...]],
        services: Mapping[str, Methods],
    ) -> None:
        self.name = name
        self.package = package
        self.services = {f"{package}.{service}": methods for service, methods in services.items()}
        self._enums = enums
        file = self._describe(messages)
        for service, methods in services.items():
            described = file.service.add(name=service)
            for method, (request, response) in methods.items():
                described.method.add(
                    name=method,
                    input_type=f".{package}.{request.lstrip('*')}",
                    output_type=f".{package}.{response.lstrip('*')}",
                    client_streaming=request.startswith("*"),
                    server_streaming=response.startswith("*"),
                )
        self.serialized: bytes = file.SerializeToString()
        pool = descriptor_pool.DescriptorPool()
        pool.AddSerializedFile(self.serialized)
        self._pool = pool
        self.classes: dict[str, Any] = {
            each: message_factory.GetMessageClass(pool.FindMessageTypeByName(f"{package}.{each}"))
            for each in messages
            if "." not in each
        }

    def has(self, symbol: str) -> bool:
        """Whether the file describes a symbol: a message, service, method, field or value, by its full name."""
        try:
            self._pool.FindFileContainingSymbol(symbol)
        except KeyError:
            return False
        return True

    def _describe(self, tables: Mapping[str, str]) -> Any:
        file = descriptor_pb2.FileDescriptorProto(name=self.name, package=self.package, syntax="proto3")
        messages: dict[str, Any] = {}
        for name in sorted(tables, key=lambda each: each.count(".")):
            outer, _, inner = name.rpartition(".")
            messages[name] = messages[outer].nested_type.add(name=inner) if outer else file.message_type.add(name=name)
        for name, values in self._enums.items():
            outer, _, inner = name.rpartition(".")
            described = (messages[outer] if outer else file).enum_type.add(name=inner)
            for number, value in enumerate(values):
                described.value.add(name=value, number=number)
        for name, fields in tables.items():
            for text in filter(None, fields.split(", ")):
                self._add_field(messages[name], name, text)
        return file

    def _add_field(self, message: Any, message_name: str, text: str) -> None:
        name, number, kind = text.split(" ")
        field = message.field.add(name=name, number=int(number), label=_Field.LABEL_OPTIONAL)
        if kind.startswith("{"):
            entry_name = f"{name.title().replace('_', '')}Entry"  # as the compiler of .proto files names it
            entry = message.nested_type.add(name=entry_name)
            entry.options.map_entry = True
            key, _, value = kind[1:-1].rpartition(":")
            self._set_type(entry.field.add(name="key", number=1, label=_Field.LABEL_OPTIONAL), key or "string")
            self._set_type(entry.field.add(name="value", number=2, label=_Field.LABEL_OPTIONAL), value)
            field.label = _Field.LABEL_REPEATED
            self._set_type(field, f"{message_name}.{entry_name}")
            return
        if kind.startswith("|"):
            if not message.oneof_decl:
                parameter = message_name.endswith(("Parameter", "SettingValue"))
                message.oneof_decl.add(name="parameter_choice" if parameter else "choice")
            field.oneof_index = 0
        if kind.startswith("*"):
            field.label = _Field.LABEL_REPEATED
        self._set_type(field, kind.lstrip("*|"))

    def _set_type(self, field: Any, kind: str) -> None:
        if kind in _SCALARS:
            field.type = _SCALARS[kind]
        else:
            field.type = _Field.TYPE_ENUM if kind in self._enums else _Field.TYPE_MESSAGE
            field.type_name = f".{self.package}.{kind}"
