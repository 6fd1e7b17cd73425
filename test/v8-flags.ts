/**
 * What Node.js is told about processes that run services for tests. Most functions live in them for seconds: to compile those that are
 * called a few hundred times took a tenth of all processor time, and was never made good.
 */
export const v8Flags = ['--invocation-count-for-maglev=3000', '--invocation-count-for-turbofan=20000']
