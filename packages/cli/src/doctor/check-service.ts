import { nowMs } from '../clock.ts'
import type { CliContext } from '../context.ts'
import { fail, ok, reasonOf, warn, type Finding } from './check.ts'

/**
 * A difference of at most this many milliseconds between the service's clock and this machine's clock is no fault.
 * Quotes are valid for one minute by the service's clock.
 */
const SKEW_MAX_MS = 30_000
const TIMEOUT_MS = 10_000

/** Checks whether the service responds, whether it is ready, and whether its clock agrees with this machine's clock. */
export async function checkService({ settings, signal }: CliContext): Promise<Finding[]> {
  const url = `${settings.url.replace(/\/+$/, '')}/readyz`
  const bothSignals = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)])
  let response: Response
  try {
    response = await fetch(url, { signal: bothSignals })
  } catch (error) {
    const fix = 'start the service (npm start), or correct --url or SOTTO_URL'
    return [fail('service', `${settings.url} does not answer: ${reasonOf(error)}`, fix)]
  }
  const isReady = response.ok
  const service = isReady
    ? ok('service', `${settings.url} is ready`)
    : fail('service', `${settings.url} answers ${response.status}`, 'ask its operator; see the log')
  return [service, checkClock(response.headers.get('date'))]
}

function checkClock(date: string | null): Finding {
  const thereMs = date === null ? NaN : Date.parse(date)
  if (Number.isNaN(thereMs)) return warn('clock', 'the service sends no time', 'check --url')
  // The header contains only whole seconds. That is precise enough for a limit of half a minute.
  const aheadMs = nowMs() - thereMs
  const text = `this machine is ${Math.round(Math.abs(aheadMs) / 1_000)} s ${aheadMs < 0 ? 'behind' : 'ahead of'} the service`
  if (Math.abs(aheadMs) <= SKEW_MAX_MS) return ok('clock', text)
  return warn('clock', text, 'set the clock by NTP, because quotes look expired or not yet valid')
}

/** Checks that there is an API key, that only its owner can read its file, and that the service accepts it. */
export async function checkApiKey(context: CliContext): Promise<Finding> {
  try {
    const client = await context.client()
    const { tokens } = await client.tokens({ signal: context.signal })
    return ok('API key', `accepted; ${tokens.length} assets`)
  } catch (error) {
    const { next, code } = error as { next?: string; code?: string }
    const fix =
      next ?? (code === 'UNAUTHORIZED' ? 'correct SOTTO_API_KEY' : 'check that the service runs')
    return fail('API key', reasonOf(error), fix)
  }
}
