import type { Config, Role } from '../config.ts'
import type { Mistake } from './mistake.ts'

/** Finds servers of one process that would listen on the same port. The roles may differ from those of the settings. */
export function portMistakes(
  { PORT, METRICS_PORT }: Pick<Config, 'PORT' | 'METRICS_PORT'>,
  roles: readonly Role[],
): Mistake[] {
  if (PORT === 0 || PORT !== METRICS_PORT || !roles.includes('api')) return []
  const problem = `is ${PORT}, the same as SOTTO_PORT`
  return [{ name: 'METRICS_PORT', problem, fix: 'choose another port, for example 9464' }]
}

const YEAR_MS = 366 * 86_400_000

/**
 * Finds settings whose time is in the past or too far in the future at `nowMs`. Only `config check` reports them,
 * because a service must be able to restart after such a time has passed.
 */
export function dateMistakes(
  { SECURITY_EXPIRES: expiresMs }: Pick<Config, 'SECURITY_EXPIRES'>,
  nowMs: number,
): Mistake[] {
  if (expiresMs === undefined) return []
  const name = 'SECURITY_EXPIRES'
  const fix = 'check that the contacts are still right, and set a time within the next year'
  if (expiresMs <= nowMs) {
    return [{ name, problem: 'is in the past, so security.txt is not served', fix }]
  }
  return expiresMs - nowMs > YEAR_MS ? [{ name, problem: 'is more than a year ahead', fix }] : []
}
