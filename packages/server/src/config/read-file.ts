import { readFileSync } from 'node:fs'
import { parse as parseToml } from 'smol-toml'
import { ConfigError } from './mistake.ts'
import { settings } from './sections.ts'
import { textOf as textsOf } from './setting.ts'

type Texts = Record<string, string>

/**
 * Reads the settings of a file, by their names without `SOTTO_`. A `.json` file is JSON, and any other file is TOML.
 * Names may be in lower case. The name of a table is put before the names of its members: `[vault] url` is `VAULT_URL`.
 * A table may have the name of a setting: `[prices] file` is `PRICES_FILE`.
 *
 * @throws ConfigError if the file can't be read or parsed. The error never quotes the file's content.
 */
export function readSettingsFile(path: string): Texts {
  const content = load(path)
  let parsed: unknown
  try {
    parsed = path.endsWith('.json') ? JSON.parse(content) : parseToml(content)
  } catch (error) {
    // A parser's message quotes the file, and the file may contain secrets. Therefore the error contains only the line
    // number, which the TOML parser reports.
    const line = error instanceof Error && 'line' in error ? `, line ${String(error.line)}` : ''
    const form = path.endsWith('.json') ? 'JSON' : 'TOML'
    throw new ConfigError(`the configuration file ${path} isn't ${form}${line}; correct it`)
  }
  if (!isTable(parsed)) {
    throw new ConfigError(`the configuration file ${path} must contain settings by their names`)
  }
  return flatten(path, parsed, '')
}

function load(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new ConfigError(
      `the configuration file ${path} can't be read; correct --config or SOTTO_CONFIG`,
      { cause },
    )
  }
}

const isTable = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)

/** The settings whose value may be a table. A table with any other name only groups settings. */
const tableNames: ReadonlySet<string> = new Set(
  Object.entries(settings).flatMap(([name, schema]) => (textsOf(schema).isTable ? [name] : [])),
)

function flatten(path: string, table: Record<string, unknown>, front: string): Texts {
  const texts: Texts = {}
  for (const [key, value] of Object.entries(table)) {
    const name = `${front}${key.toUpperCase().replaceAll('-', '_')}`
    const more =
      isTable(value) && !tableNames.has(name)
        ? flatten(path, value, `${name}_`)
        : { [name]: textOf(path, name, value) }
    for (const [one, text] of Object.entries(more)) {
      if (one in texts) {
        throw new ConfigError(`the configuration file ${path} sets ${one} twice; remove one`)
      }
      texts[one] = text
    }
  }
  return texts
}

/** Converts a value of the file to the text that the setting's environment variable would have. */
function textOf(path: string, name: string, value: unknown): string {
  if (typeof value === 'string' || typeof value === 'boolean') return String(value)
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value)
  if (Array.isArray(value)) return value.map((one) => textOf(path, name, one)).join(',')
  // The value of this setting is a table, such as the price feed of each mint.
  if (isTable(value)) {
    const pairs = Object.entries(value)
    return pairs.map(([key, one]) => `${key}=${textOf(path, name, one)}`).join(',')
  }
  throw new ConfigError(
    `the configuration file ${path} gives ${name} a value that is not a string, whole number, boolean or list of these; correct it`,
  )
}
