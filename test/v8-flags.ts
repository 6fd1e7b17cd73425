/**
 * What Node.js is told about processes that run services for tests. Most functions live in them for seconds: compiling those that are
 * called a few hundred times took an eighth of the processor time that starts of a local cloud take.
 */
export const v8Flags = [
  '--invocation-count-for-maglev=3000',
  '--invocation-count-for-turbofan=20000',
  // The expressions of the recognisers are otherwise compiled for their first search and again for the second.
  '--no-regexp-tier-up',
  // While heaps grow they are otherwise marked again and again: 61 times in three files of tests, 8 times with 256 MiB.
  '--initial-heap-size=512',
]
