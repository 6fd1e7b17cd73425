/**
 * The suites for which there is time in `.ci/run`: every endpoint against the document, tables that are cut into chunks, and events
 * from buckets and onto the bus.
 */
export const quickSuites = [
  'test/api/every-endpoint.test.ts',
  'test/e2e/chunks.test.ts',
  'test/api/eventbridge.test.ts',
]
