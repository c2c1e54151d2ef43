import type { ResolvedConfig } from '../config.ts'
import { PREFIX } from './mistake.ts'
import { settings } from './sections.ts'
import { textOf } from './setting.ts'

const HIDDEN = '(hidden)'

/** Returns the URL without the parts that may be a credential. */
function withoutCredentials(given: string): string {
  const { protocol, host, pathname, search, username } = new URL(given)
  const isBare = username === '' && search === '' && (pathname === '/' || pathname === '')
  return `${protocol}//${host}${isBare ? '' : `/${HIDDEN}`}`
}

function shown(name: keyof typeof settings, value: unknown): string {
  const { secret } = textOf(settings[name])
  if (value === undefined) return '(none)'
  if (secret === 'value') return HIDDEN
  const hide = (one: unknown): string => {
    if (secret === 'url') return withoutCredentials(String(one))
    return typeof one === 'object' && one !== null ? Object.values(one).join(':') : String(one)
  }
  if (value instanceof Map) return [...value].map(([key, one]) => `${key}=${one}`).join(',')
  return Array.isArray(value) ? value.map(hide).join(',') : hide(value)
}

/** Shows the resolved configuration to an operator: each setting with its source, without secrets. */
export function showConfig({ config, sources }: ResolvedConfig): Record<string, string> {
  const names = Object.keys(settings) as (keyof typeof settings)[]
  return Object.fromEntries(
    names.map((name) => [
      `${PREFIX}${name}`,
      `${shown(name, config[name])} (${sources[name] ?? 'default'})`,
    ]),
  )
}
