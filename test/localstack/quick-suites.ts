/** The suites for which there is time in `.ci/run`: every endpoint against the document, and tables that are cut into chunks. */
export const quickSuites = ['test/api/every-endpoint.test.ts', 'test/e2e/chunks.test.ts']
