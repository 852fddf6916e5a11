"""A model that is a function, behind OpenAI's chat completions, on 127.0.0.1. Standard library only."""

import json
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def serve(policy: Callable[[list[dict]], object]) -> str:
    """The base URL; `policy` turns messages into an action: a text, or `{"text", "calls"}`."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer({"object": "list", "data": [{"id": "stub", "object": "model", "owned_by": "nobody"}]})

        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            message = _message(policy(asked["messages"]))
            finish = "tool_calls" if message.get("tool_calls") else "stop"
            usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
            whole = {"id": "stub", "created": 0, "model": "stub", "usage": usage}
            if asked.get("stream"):
                for place, call in enumerate(message.get("tool_calls") or []):
                    call["index"] = place
                piece = {"index": 0, "delta": message, "finish_reason": finish}
                self._stream({**whole, "object": "chat.completion.chunk", "choices": [piece]})
            else:
                choice = {"index": 0, "message": message, "finish_reason": finish}
                self._answer({**whole, "object": "chat.completion", "choices": [choice]})

        def _answer(self, value: dict) -> None:
            body = json.dumps(value).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def _stream(self, value: dict) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.end_headers()
            self.wfile.write(f"data: {json.dumps(value)}\n\ndata: [DONE]\n\n".encode())

        def log_message(self, *_: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_address[1]}/v1"


def _message(action: object) -> dict:
    if isinstance(action, str):
        return {"role": "assistant", "content": action}
    calls = [
        {
            "id": f"call_{place}",
            "type": "function",
            "function": {"name": call["name"], "arguments": json.dumps(call["arguments"])},
        }
        for place, call in enumerate(action["calls"])
    ]
    return {"role": "assistant", "content": action["text"] or None, **({"tool_calls": calls} if calls else {})}
