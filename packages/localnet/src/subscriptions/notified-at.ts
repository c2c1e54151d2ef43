/** The form of notifications. Unlike answers, they name the slot but no version. */
export function notifiedAt<T>(slot: number, value: T): { context: object; value: T } {
  return { context: { slot }, value }
}
