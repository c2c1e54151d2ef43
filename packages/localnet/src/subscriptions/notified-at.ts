/**
 * Wraps a notification's value. Unlike the context of an answer, a notification's context has a slot but no version.
 */
export function notifiedAt<T>(slot: number, value: T): { context: object; value: T } {
  return { context: { slot }, value }
}
