/** The pause in milliseconds before each retry. A node that limits the request rate gets time to recover. */
const PAUSES_MS = [300, 900, 2_700, 8_100]

/**
 * Sends a request, and retries it a few times if it fails. There is no retry after an error for which `isFinal` returns
 * true.
 */
export async function patiently<T>(
  attempt: () => Promise<T>,
  isFinal: (error: unknown) => boolean = () => false,
): Promise<T> {
  for (const pauseMs of PAUSES_MS) {
    try {
      return await attempt()
    } catch (error) {
      if (isFinal(error)) throw error
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  }
  return attempt()
}
