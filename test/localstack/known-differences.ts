/** What LocalStack does otherwise than AWS, by the full name of the test that shows it. */
export const differences: Record<string, string> = {
  'GET /, GET /openapi.json and GET /docs need no token':
    'Serves the API below a path of its own and tells functions HTTP in capitals for the scheme, so the address of the docs is wrong.',
}
