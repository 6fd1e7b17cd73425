"""Runs functions of LocalStack as processes of Node.js, which take their events from Lambda's runtime API."""

import json
import os
import subprocess
import tempfile
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import Empty, SimpleQueue

from localstack import config
from localstack.services.lambda_.invocation.lambda_models import FunctionVersion, InvocationResult
from localstack.services.lambda_.invocation.runtime_executor import RuntimeExecutor

NODE = os.environ["NODE"]
BOOTSTRAP = str(Path(__file__).with_name("bootstrap.mjs"))
API = "/2018-06-01/runtime"


class RuntimeApi(ThreadingHTTPServer):
    """The runtime API of one environment: hands an event out, and takes what came of it."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), RuntimeHandler)
        self.events: SimpleQueue[dict[str, str]] = SimpleQueue()
        """Each with its headers, and the payload."""
        self.outcomes: SimpleQueue[tuple[bytes, bool]] = SimpleQueue()
        """Payloads, and whether they are errors."""
        threading.Thread(target=self.serve_forever, daemon=True).start()


class RuntimeHandler(BaseHTTPRequestHandler):
    server: RuntimeApi
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        event = self.server.events.get()
        body = event.pop("payload").encode()
        self.send_response(200)
        for name, value in event.items():
            self.send_header(name, value)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.outcomes.put((body, self.path.endswith("/error")))
        self.send_response(202)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_) -> None:
        pass


class ProcessExecutor(RuntimeExecutor):
    """One environment of a function. A process that ends, or takes too long, is followed by another one at the next event."""

    def __init__(self, id: str, function_version: FunctionVersion) -> None:
        super().__init__(id, function_version)
        self.process: subprocess.Popen | None = None
        self.api: RuntimeApi | None = None
        self.output = tempfile.TemporaryFile()
        self.read = 0
        """How much of the output has been handed out, bytes."""

    def start(self, env_vars: dict[str, str]) -> None:
        self.environment = {name: str(value) for name, value in env_vars.items()}
        self._run()

    def _run(self) -> None:
        code = str(self.function_version.config.code.get_unzipped_code_location())
        self.api = RuntimeApi()
        environment = {
            **self.environment,
            "AWS_LAMBDA_RUNTIME_API": f"127.0.0.1:{self.api.server_port}",
            "AWS_CONFIG_FILE": "/dev/null",
            "AWS_SHARED_CREDENTIALS_FILE": "/dev/null",
            "AWS_EC2_METADATA_DISABLED": "true",
            "LAMBDA_TASK_ROOT": code,
            "TZ": "UTC",
        }
        streams = {"stdin": subprocess.DEVNULL, "stdout": self.output, "stderr": self.output}
        self.process = subprocess.Popen([NODE, BOOTSTRAP], env=environment, cwd=code, **streams)

    def stop(self) -> None:
        if self.process:
            self.process.kill()
            self.process.wait()
            self.api.shutdown()
            self.api.server_close()
        self.process = None

    def invoke(self, payload: dict[str, str]) -> InvocationResult:
        if not self.process or self.process.poll() is not None:
            self.stop()
            self._run()
        seconds = self.function_version.config.timeout
        self.api.events.put(
            {
                "Lambda-Runtime-Aws-Request-Id": payload["invoke-id"],
                "Lambda-Runtime-Deadline-Ms": str(int((time.time() + seconds) * 1000)),
                "Lambda-Runtime-Invoked-Function-Arn": payload["invoked-function-arn"],
                "Lambda-Runtime-Trace-Id": payload["trace-id"],
                "payload": payload["payload"],
            }
        )
        body, is_error = self._outcome(time.monotonic() + seconds, seconds)
        return InvocationResult(payload["invoke-id"], body, is_error, self._new_logs())

    def _outcome(self, deadline: float, seconds: int) -> tuple[bytes, bool]:
        while time.monotonic() < deadline:
            try:
                return self.api.outcomes.get(timeout=0.2)
            except Empty:
                if self.process and self.process.poll() is None:
                    continue
                return self._failure("Runtime.ExitError", "The runtime has exited"), True
        self.stop()
        return self._failure("Sandbox.Timedout", f"Task timed out after {seconds}.00 seconds"), True

    @staticmethod
    def _failure(kind: str, message: str) -> bytes:
        return json.dumps({"errorType": kind, "errorMessage": message}).encode()

    def _new_logs(self) -> str:
        logs = os.pread(self.output.fileno(), 2**24, self.read)
        self.read += len(logs)
        return logs.decode(errors="replace")

    def get_logs(self) -> str:
        return os.pread(self.output.fileno(), 2**24, 0).decode(errors="replace")

    def get_address(self) -> str:
        return "127.0.0.1"

    def get_endpoint_from_executor(self) -> str:
        return "127.0.0.1"

    def get_runtime_endpoint(self) -> str:
        return f"http://127.0.0.1:{config.GATEWAY_LISTEN[0].port}"

    @classmethod
    def prepare_version(cls, function_version: FunctionVersion) -> None:
        function_version.config.code.prepare_for_execution()

    @classmethod
    def cleanup_version(cls, function_version: FunctionVersion) -> None:
        pass
