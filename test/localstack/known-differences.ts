const ownResponses =
  "Ignores what the document says of the gateway's own answers: 403 Missing Authentication Token where nothing is."

/**
 * What LocalStack does otherwise than AWS, by the full name of the test that shows it: such a test fails there without
 * failing the run, and one that passes is reported, so that the list stays true. It is complete for `quickSuites`.
 */
export const differences: Record<string, string> = {
  'GET /, GET /openapi.json and GET /docs need no token':
    'Serves the API below a path of its own and tells functions HTTP in capitals for the scheme, so the address of the docs is wrong.',
  'every endpoint GET /nothing is not there': ownResponses,
  'every endpoint GET /rules/a/b/c is not there': ownResponses,
  'every endpoint DELETE /rules/ is not there': ownResponses,
  'every endpoint PATCH /rules/ is not there': ownResponses,
  'every endpoint GET /rules/list/more is not there': ownResponses,
}
