/** The suites that `.ci/run` runs on LocalStack: every endpoint against the document, and tables that are cut into chunks. */
export const quickSuites = ['test/api/every-endpoint.test.ts', 'test/e2e/chunks.test.ts']
