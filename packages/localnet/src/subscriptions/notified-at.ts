/** The envelope of notifications: unlike answers, they name the slot and no version. */
export function notifiedAt<T>(slot: number, value: T): { context: object; value: T } {
  return { context: { slot }, value }
}
