import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parse } from 'yaml'
import { repositoryRoot } from '../../tools/bootstrap/paths.mjs'

export const COMPOSE_FOLDER = path.join(repositoryRoot, 'deploy/compose')

export interface ComposeService {
  readonly image: string
  readonly user?: string
  readonly read_only?: boolean
  readonly cap_drop?: readonly string[]
  readonly security_opt?: readonly string[]
  readonly ulimits?: Readonly<Record<string, number>>
  readonly environment?: Readonly<Record<string, string>>
  readonly networks: readonly string[]
  readonly secrets?: readonly string[]
  readonly volumes?: readonly string[]
  readonly pids_limit?: number
  readonly stop_grace_period?: string
  readonly healthcheck?: { readonly disable?: boolean; readonly test?: readonly string[] }
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
  readonly deploy?: {
    readonly resources?: { readonly limits?: Readonly<Record<string, string | number>> }
  }
}

export interface Compose {
  readonly services: Readonly<Record<string, ComposeService>>
  readonly networks: Readonly<Record<string, { ipam?: { config: { subnet: string }[] } }>>
  readonly volumes: Readonly<Record<string, object>>
  readonly secrets: Readonly<Record<string, { readonly file: string }>>
}

const read = (name: string) => readFileSync(path.join(COMPOSE_FOLDER, name), 'utf8')

/** The variables of .env.example, which an operator copies to .env. */
function exampleVariables(): Readonly<Record<string, string>> {
  const lines = read('.env.example').split('\n')
  return Object.fromEntries(
    lines
      .filter((line) => /^[A-Z]/.test(line))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )
}

/**
 * Replaces `${NAME:-default}` and `${NAME:?message}` with their values. @throws Error if a required variable isn't in
 * the example.
 */
function interpolate(text: string): string {
  const variables = exampleVariables()
  return text.replaceAll(
    /\$\{([A-Z_]+):([-?])([^}]*)\}/g,
    (_, name: string, kind, rest: string) => {
      const value = variables[name] ?? (kind === '-' ? rest : undefined)
      if (value === undefined) throw new Error(`.env.example has no ${name}: ${rest}`)
      return value
    },
  )
}

/**
 * Replaces variables in every string of a parsed file, as Docker does. A replaced string stays a string, even if it
 * looks like a number.
 */
function interpolated(value: unknown): unknown {
  if (typeof value === 'string') return interpolate(value)
  if (Array.isArray(value)) return value.map(interpolated)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, interpolated(one)]))
}

/** The content of compose.yaml, with the variables of .env.example. */
export const readCompose = (): Compose =>
  interpolated(parse(read('compose.yaml'), { merge: true })) as Compose

export const readCaddyfile = (): string => read('Caddyfile')
