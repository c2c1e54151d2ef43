/**
 * Thrown if another service didn't answer as required. Code and message may be logged, so they never contain a request,
 * a URL, a key or an answer.
 */
export class RemoteError extends Error {
  override readonly name = 'RemoteError'
  /** The service and the kind of failure, for example `vault_403` or `pyth_timeout`. */
  readonly code: string
  /** The HTTP status; undefined if there was no answer with a status. */
  readonly status: number | undefined

  constructor(service: string, reason: string | number, advice?: string) {
    super(`${service} ${reasonText(reason)}${advice === undefined ? '' : `; ${advice}`}`)
    this.code = `${service}_${reason}`
    this.status = typeof reason === 'number' ? reason : undefined
  }
}

function reasonText(reason: string | number): string {
  if (typeof reason === 'number') return `answered with status ${reason}`
  return reason === 'timeout' ? "didn't answer in time" : `failed: ${reason}`
}
