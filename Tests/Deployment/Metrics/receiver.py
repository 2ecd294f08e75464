#!/usr/bin/env python3
"""A receiver of OTLP/HTTP that reads traces in JSON as OpenTelemetry's own messages.

    receiver.py PORT FILE

It listens at 127.0.0.1, prints its port, and appends one line of JSON for each span to the file.
"""

from __future__ import annotations

import base64
import http.server
import json
import sys
from typing import Any

from google.protobuf import json_format
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest


def _with_bytes(node: Any) -> Any:
    """Return the JSON with ids as protocol buffers have them: OTLP writes them as hexadecimal digits."""
    if isinstance(node, list):
        return [_with_bytes(item) for item in node]
    if not isinstance(node, dict):
        return node
    ids = ("traceId", "spanId", "parentSpanId")
    return {name: base64.b64encode(bytes.fromhex(value)).decode() if name in ids else _with_bytes(value)
            for name, value in node.items()}


def _value(value: Any) -> Any:
    return getattr(value, value.WhichOneof("value"))


def _spans(body: bytes) -> list[dict[str, Any]]:
    request = json_format.ParseDict(_with_bytes(json.loads(body)), ExportTraceServiceRequest())
    found = []
    for resource in request.resource_spans:
        described = {attribute.key: _value(attribute.value) for attribute in resource.resource.attributes}
        for scope in resource.scope_spans:
            for span in scope.spans:
                found.append({
                    "trace": span.trace_id.hex(), "span": span.span_id.hex(), "parent": span.parent_span_id.hex(),
                    "name": span.name, "kind": span.kind, "start": span.start_time_unix_nano,
                    "end": span.end_time_unix_nano, "status": span.status.code, "resource": described,
                    "attributes": {attribute.key: _value(attribute.value) for attribute in span.attributes}})
    return found


class _Handler(http.server.BaseHTTPRequestHandler):
    file = ""

    def do_POST(self) -> None:  # noqa: N802  (a name of http.server)
        body = self.rfile.read(int(self.headers["Content-Length"]))
        is_wanted = self.path == "/v1/traces" and self.headers["Content-Type"] == "application/json"
        if is_wanted:
            with open(self.file, "a", encoding="utf-8") as file:
                file.writelines(json.dumps(span) + "\n" for span in _spans(body))
        self.send_response(200 if is_wanted else 404)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002
        """Be silent."""


if __name__ == "__main__":
    _Handler.file = sys.argv[2]
    server = http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), _Handler)
    print(server.server_port, flush=True)
    server.serve_forever()
