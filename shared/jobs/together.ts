/** Like `Promise.all`, but where one of them fails it waits for the others first, so that nothing goes on behind a failure. */
export async function together<T extends readonly unknown[] | []>(
  works: T,
): Promise<{ -readonly [N in keyof T]: Awaited<T[N]> }> {
  await Promise.allSettled(works)
  return Promise.all(works)
}
