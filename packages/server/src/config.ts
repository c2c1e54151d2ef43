import { stepAtLeast, type PriceStep } from '@sotto/protocol'
import { join } from 'node:path'
import { assertNone, PREFIX, type Mistake } from './config/mistake.ts'
import type { KeyReference } from './config/key-reference.ts'
import { nearestName } from './config/nearest-name.ts'
import { readSettingsFile } from './config/read-file.ts'
import { readSecretFiles, secretFileNames } from './config/read-secret-files.ts'
import { rules } from './config/rules.ts'
import { settings } from './config/sections.ts'
import { DELAY_MAX_DEFAULT } from './config/sections/transfers.ts'
import { textOf } from './config/setting.ts'
import { unusedKeyServices } from './config/unused-settings.ts'
import type { Role, Values } from './config/values.ts'

export { ConfigError } from './config/mistake.ts'
export type { KeyReference } from './config/key-reference.ts'
export type { Role } from './config/values.ts'

/**
 * Every setting, with defaults filled in. A setting's full name is `SOTTO_` followed by the name of its member here.
 */
export type Config = Values & {
  readonly KEYS: string
  readonly DELAY_MAX_SECONDS: number
  readonly UNIT_PRICE_MIN: PriceStep
  readonly AUTHORISER_KEY: KeyReference
  readonly PRICES: NonNullable<Values['PRICES']>
  readonly SCREENER: NonNullable<Values['SCREENER']>
  /**
   * Seconds between two rounds of upkeep: comparing the books with the chain, adjusting the priority fee, destroying
   * keys and similar work.
   */
  readonly UPKEEP_SECONDS: number
  /** The path of each secret's file, by the setting's name. When a secret changes, it is read again from this path. */
  readonly secretPaths: Readonly<Record<string, string>>
}

/** The source of a setting. */
export type Source = 'default' | 'environment' | 'file'

export interface ResolvedConfig {
  readonly config: Config
  /** The source of each setting. `file` means the configuration file or a secret's own file. */
  readonly sources: Readonly<Record<string, Source>>
}

const FILE = 'CONFIG'
const knownNames = [...Object.keys(settings), ...secretFileNames, FILE]

/**
 * Reads the settings from variables that start with `SOTTO_` and from a file. SOTTO_CONFIG or `path` names the file. An
 * empty variable counts as absent. The environment overrides the file. `roles` are the process's roles, if they differ
 * from SOTTO_ROLE; a command that ends by itself has none.
 *
 * @throws ConfigError that lists every mistake, including unknown names.
 */
export function resolveConfig(
  environment: NodeJS.ProcessEnv = process.env,
  path: string | undefined = environment[`${PREFIX}${FILE}`],
  roles?: readonly Role[],
): ResolvedConfig {
  const fromEnvironment = ofEnvironment(environment)
  const fromFile = path === undefined || path === '' ? {} : readSettingsFile(path)
  const { given, paths, mistakes } = readSecretFiles(merge(fromFile, fromEnvironment))
  const values: Record<string, unknown> = {}
  const all: Mistake[] = [...mistakes, ...unknownOnes(fromEnvironment, fromFile)]
  for (const [name, schema] of Object.entries(settings)) {
    const parsed = schema.safeParse(given[name])
    if (parsed.success) values[name] = parsed.data
    else if (!all.some((one) => one.name === `${name}_FILE`)) {
      all.push(mistakeOf(name, given[name], parsed.error.issues[0]?.message ?? 'is wrong'))
    }
  }
  const wrong = new Set(all.map(({ name }) => name.replace(/_FILE$/, '')))
  const names = new Set(Object.keys(given))
  for (const rule of [...rules, unusedKeyServices(roles)]) {
    const found = rule(values, names)
    all.push(...found.filter(({ name }) => !wrong.has(name)))
    for (const { name } of found) wrong.add(name)
  }
  assertNone(all)
  const sources = Object.keys(settings).map((name): [string, Source] => {
    if (!(name in given)) return [name, 'default']
    return [name, name in fromEnvironment ? 'environment' : 'file']
  })
  return {
    config: withDefaults(values as Values, paths),
    sources: Object.fromEntries(sources),
  }
}

/**
 * Reads the configuration without the settings' sources.
 * @throws ConfigError that lists every mistake, including unknown names.
 */
export function readConfig(environment?: NodeJS.ProcessEnv, path?: string): Config {
  return resolveConfig(environment, path).config
}

function ofEnvironment(environment: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      name.startsWith(PREFIX) && value !== undefined && value !== ''
        ? [[name.slice(PREFIX.length), value]]
        : [],
    ),
  )
}

/**
 * Merges the settings of the environment and the file. A secret may be set directly, or by its `_FILE` setting. Either
 * form in the environment overrides both forms in the file.
 */
function merge(
  file: Readonly<Record<string, string>>,
  environment: Readonly<Record<string, string>>,
): Record<string, string> {
  const kept = Object.entries(file).filter(([name]) => {
    const other = name.endsWith('_FILE') ? name.slice(0, -'_FILE'.length) : `${name}_FILE`
    return !(
      other in environment &&
      (secretFileNames.includes(name) || secretFileNames.includes(other))
    )
  })
  return { ...Object.fromEntries(kept), ...environment }
}

/** Variables of the command `sotto`, which a shell may have set for both programs. */
const ofCommand: ReadonlySet<string> = new Set([
  ...['URL', 'API_KEY', 'API_KEY_FILE', 'KEYPAIR', 'HOME', 'LOCAL_CHAIN', 'WEBHOOK_SECRET'],
])

function unknownOnes(...sources: readonly Readonly<Record<string, string>>[]): Mistake[] {
  const unknown = sources.flatMap(Object.keys).filter((name) => !knownNames.includes(name))
  return [...new Set(unknown)].map((name) => {
    if (ofCommand.has(name)) {
      const problem = 'is not a setting of this service, but a variable of the command sotto'
      return { name, problem, fix: `remove it: unset ${PREFIX}${name}` }
    }
    const nearest = nearestName(name, knownNames)
    const fix = nearest === undefined ? undefined : `did you mean ${PREFIX}${nearest}?`
    return { name, problem: 'is not a setting of this service', fix }
  })
}

function mistakeOf(name: string, given: string | undefined, message: string): Mistake {
  const { meaning, example } = textOf(settings[name as keyof Values])
  const fix = `for example ${PREFIX}${name}=${example}`
  return { name, problem: given === undefined ? `is required: ${meaning}` : message, fix }
}

/**
 * The default of the minimum priority fee. On a public cluster, a transaction without a priority fee may wait for a
 * long time. A local chain has room for every transaction.
 */
const leastPrice = ({ CLUSTER, UNIT_PRICE_MAX }: Values): bigint =>
  CLUSTER === 'localnet' || UNIT_PRICE_MAX === 0 ? 0n : 1_024n

function withDefaults(values: Values, secretPaths: Config['secretPaths']): Config {
  const {
    KEYS,
    DATA,
    TREE,
    DATABASE_URL,
    AUTHORISER_KEY,
    PRICES,
    SCREENER,
    UPKEEP_SECONDS,
    CLUSTER,
  } = values
  const { DELAY_MAX_SECONDS, DELIVERY_WINDOW_SECONDS, UNIT_PRICE_MIN } = values
  const keys = KEYS ?? join(DATA, 'keys')
  return {
    ...values,
    KEYS: keys,
    TREE: TREE ?? (DATABASE_URL === undefined ? join(DATA, 'tree') : undefined),
    AUTHORISER_KEY: AUTHORISER_KEY ?? { kind: 'file', name: join(keys, 'authoriser.json') },
    PRICES: PRICES ?? [values.PRICES_FILE === undefined ? 'none' : 'fixed'],
    DELAY_MAX_SECONDS: DELAY_MAX_SECONDS ?? Math.min(DELAY_MAX_DEFAULT, DELIVERY_WINDOW_SECONDS),
    UNIT_PRICE_MIN: UNIT_PRICE_MIN ?? stepAtLeast(leastPrice(values)),
    SCREENER: SCREENER ?? [values.DENY_LIST_FILE === undefined ? 'none' : 'deny-list'],
    // Every round of upkeep sends requests to the nodes, and public nodes limit requests.
    UPKEEP_SECONDS: UPKEEP_SECONDS ?? (CLUSTER === 'localnet' ? 5 : 120),
    secretPaths,
  }
}
