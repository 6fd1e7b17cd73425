/** The suites that `.ci/run` runs on LocalStack: every endpoint with its rights and errors, jobs over all they pass, and chunked tables. */
export const quickSuites = [
  'test/api/every-endpoint.test.ts',
  'test/api/every-error.test.ts',
  'test/api/errors.test.ts',
  'test/api/access.test.ts',
  'test/api/flow.test.ts',
  'test/e2e/chunks.test.ts',
]
