/** Waiting with an end: for promises that may take longer than the time there is. */

/** Resolves when all have settled or `ms` milliseconds are over, whichever is first. True: all have settled. */
export async function settledWithin(promises: readonly Promise<unknown>[], ms: number): Promise<boolean> {
  if (promises.length === 0) return true;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, ms, false);
  });
  const settled = Promise.allSettled(promises).then(() => true);
  const result = await Promise.race([settled, late]);
  clearTimeout(timer);
  return result;
}
