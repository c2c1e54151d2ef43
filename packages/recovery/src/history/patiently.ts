/** A pause before each further attempt, so that a node that limits requests gets time. */
const PAUSES_MS = [300, 900, 2_700, 8_100]

/** Repeats a request a few times before it fails. A request isn't repeated if `isFinal` returns true for its error. */
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
