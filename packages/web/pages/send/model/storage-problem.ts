/** The names of the errors with which browsers report that their storage is full, blocked or damaged. */
const NAMES: ReadonlySet<string> = new Set([
  'QuotaExceededError',
  'NS_ERROR_DOM_QUOTA_REACHED',
  'SecurityError',
  'InvalidStateError',
  'UnknownError',
])

/** True if the browser refuses to store data, or to read what it has stored. */
export const isStorageError = (error: unknown): boolean =>
  error instanceof DOMException && NAMES.has(error.name)

/** The `Problem` of such an error. `paid` says what is known about the money. */
export const storageProblem = (paid: string) => ({
  title: 'This browser doesn’t let this page store data',
  text: `The storage for this page is full, blocked or damaged. ${paid}`,
  nextStep:
    'Keep every recovery ticket and balance file that you have saved. Allow this page to store data (cookies), or free some space, and then try again.',
  canRetry: true,
})
