/** A service's refusal. A faulty service may send anything in place of the last three members. */
interface Refusal {
  readonly code?: string
  readonly message: string
  readonly issues?: unknown
  readonly min?: unknown
  readonly max?: unknown
}

const ISSUES_MAX = 20

/**
 * The message of a service's refusal, with the faults that the service found in the request, and with the allowed
 * amounts. The code is left out, because it is shown next to the message.
 */
export function refusalMessage({ code, message, issues, min, max }: Refusal): string {
  const faults = Array.isArray(issues) ? issues.slice(0, ISSUES_MAX).flatMap(faultIn) : []
  const bounds = isUnits(min) && isUnits(max) ? [`allowed: ${min} to ${max} base units`] : []
  return [message.replace(`${code}: `, ''), ...faults, ...bounds].join('; ')
}

/** The next step after a refusal that a repetition of the request would get too. */
export const nextAfterRefusal = (code: string): string =>
  code === 'AMOUNT_OUT_OF_RANGE'
    ? 'give an amount within these bounds; for sends, "sotto tokens" shows them in whole coins'
    : 'correct the request'

const isUnits = (value: unknown): value is string =>
  typeof value === 'string' && /^[0-9]{1,20}$/.test(value)

function faultIn(issue: unknown): string[] {
  const { param, message } = (issue ?? {}) as {
    readonly param?: unknown
    readonly message?: unknown
  }
  if (typeof param !== 'string' || typeof message !== 'string') return []
  return [param === '' ? message : `${param}: ${message}`]
}
