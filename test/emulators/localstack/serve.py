"""Runs LocalStack on the host, without Docker and without the downloads that its packages begin with.

Functions run as processes of NODE, and DynamoDB Local runs from the folder DYNAMODB_LOCAL, as Maven has it.
"""

import os

import keys
from functions import ProcessExecutor
from localstack.runtime.main import main
from localstack.services.dynamodb import packages, server
from localstack.services.lambda_.invocation import runtime_executor

DYNAMODB_LOCAL = os.environ["DYNAMODB_LOCAL"]


def dynamodb_command(self: server.DynamodbServer) -> list[str]:
    main_class = "com.amazonaws.services.dynamodbv2.local.main.ServerRunner"
    options = ["-Xmx256m", f"-Djava.library.path={DYNAMODB_LOCAL}", "-cp", f"{DYNAMODB_LOCAL}/*"]
    return ["java", *options, main_class, "-inMemory", "-port", str(self.port)]


server.DynamodbServer._create_shell_command = dynamodb_command
packages.DynamoDBLocalPackageInstaller.install = lambda *_: None
packages.DynamoDBLocalPackageInstaller.get_java_env_vars = lambda _: {}
# Whoever imports it later gets this one: executors are asked for when a function is first called.
runtime_executor.get_runtime_executor = lambda: ProcessExecutor
keys.install()
main()
