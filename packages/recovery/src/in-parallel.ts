/**
 * Calls `work` for each item, with at most `width` calls in progress at once. The results are in the order of the
 * items.
 * @throws the first error. After it, no new call starts.
 */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  width: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results = new Array<Result>(items.length)
  const pending = items.entries()
  let hasFailed = false
  const worker = async (): Promise<void> => {
    for (const [index, item] of pending) {
      if (hasFailed) return
      try {
        results[index] = await work(item)
      } catch (error) {
        hasFailed = true
        throw error
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker))
  return results
}
