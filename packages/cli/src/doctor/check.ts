/** The result of one check. Only `fail` prevents transfers. */
export interface Finding {
  readonly check: string
  readonly state: 'ok' | 'warn' | 'fail'
  readonly found: string
  /** What the user should do; undefined if the check passed. */
  readonly fix?: string
}

export const ok = (check: string, found: string): Finding => ({ check, state: 'ok', found })
export const warn = (check: string, found: string, fix: string): Finding => ({
  ...{ check, state: 'warn', found, fix },
})
export const fail = (check: string, found: string, fix: string): Finding => ({
  ...{ check, state: 'fail', found, fix },
})

/** The first line of an error. */
export function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return message.split('\n')[0] ?? message
}
