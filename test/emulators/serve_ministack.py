"""Runs MiniStack with what it leaves out of an OpenAPI document that a REST API is made from.

MiniStack makes another API, with another id, whenever the document changes, and takes paths and functions from it only.
AWS documents that the API keeps its id (AWS::ApiGateway::RestApi, Body: "Update requires: No interruption"), that what was
there before is replaced, and that the document also holds gateway responses, answers of its own and time limits. All that
is handed to MiniStack's own functions here, which do the same for resources of a template.
"""

import sys

from ministack.app import main
from ministack.services import apigateway_v1 as gateway
from ministack.services.cloudformation import provisioners

import_rest_api = gateway._import_rest_api
import_operation = gateway._import_operation
update_rest_api = provisioners._apigw_rest_api_update


def operation_from_document(api_id, resource_id, http_method, operation, *security):
    import_operation(api_id, resource_id, http_method, operation, *security)
    integration = operation["x-amazon-apigateway-integration"]
    gateway._put_integration(api_id, resource_id, http_method, {**integration, "type": integration["type"].upper()})
    for status, response in operation.get("responses", {}).items():
        headers = {f"method.response.header.{name}": True for name in response.get("headers", {})}
        gateway._put_method_response(api_id, resource_id, http_method, status, {"responseParameters": headers})
    for response in integration.get("responses", {}).values():
        gateway._put_integration_response(api_id, resource_id, http_method, response["statusCode"], response)


def responses_from_document(api_id, document):
    gateway._gateway_responses[api_id] = {}
    for kind, response in document.get("x-amazon-apigateway-gateway-responses", {}).items():
        status, _, body = gateway._put_gateway_response(api_id, kind, response)
        if status >= 400:
            raise ValueError(body)


def api_from_document(document, data=None):
    api_id = import_rest_api(document, data)
    responses_from_document(api_id, document)
    return api_id


def same_api_from_document(api_id, old, new, *stack):
    if new.get("Body") == old.get("Body"):
        return update_rest_api(api_id, old, new, *stack)
    # AWS serves what was deployed, MiniStack the draft: with a root of another id, what CloudFormation removes afterwards by
    # the ids of before isn't what the document has just made.
    root = next(resource for resource in gateway._resources[api_id].values() if resource["path"] == "/")
    root = {**root, "id": gateway._new_id()[:8], "resourceMethods": {}}
    gateway._resources[api_id] = {root["id"]: root}
    for path, item in new["Body"]["paths"].items():
        gateway._import_path_item(api_id, path, item)
    responses_from_document(api_id, new["Body"])
    return update_rest_api(api_id, {**old, "Body": new["Body"]}, new, *stack)


gateway._import_operation = operation_from_document
gateway._import_rest_api = api_from_document
provisioners._RESOURCE_HANDLERS["AWS::ApiGateway::RestApi"]["update"] = same_api_from_document
sys.exit(main())
