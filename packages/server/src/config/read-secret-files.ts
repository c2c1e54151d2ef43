import { readFileSync } from 'node:fs'
import type { Mistake } from './mistake.ts'
import { settings } from './sections.ts'
import { textOf } from './setting.ts'

/** The suffix of a secret's name that gives the path of a file with its value. */
const SUFFIX = '_FILE'

/** Names of the settings that give secrets' files, such as `DATABASE_URL_FILE`. */
export const secretFileNames: readonly string[] = Object.entries(settings)
  .filter(([, schema]) => textOf(schema).secret !== undefined)
  .map(([name]) => `${name}${SUFFIX}`)

export interface WithSecrets {
  /** The settings, with the files' contents instead of their names. */
  readonly given: Readonly<Record<string, string>>
  /** The path of each setting that came from a file, so that it can be read again. */
  readonly paths: Readonly<Record<string, string>>
  readonly mistakes: readonly Mistake[]
}

/** Replaces the names of secrets' files by their contents. */
export function readSecretFiles(given: Readonly<Record<string, string>>): WithSecrets {
  const values: Record<string, string> = {}
  const paths: Record<string, string> = {}
  const mistakes: Mistake[] = []
  for (const [name, value] of Object.entries(given)) {
    if (!secretFileNames.includes(name)) {
      values[name] = value
      continue
    }
    const target = name.slice(0, -SUFFIX.length)
    if (target in given) {
      const problem = `and SOTTO_${target} are both set`
      mistakes.push({ name, problem, fix: 'remove one of them' })
      continue
    }
    const found = readSecret(value)
    if (found.problem !== undefined) {
      const fix = 'name a file that holds the secret and nothing else'
      mistakes.push({ name, problem: found.problem, fix })
      continue
    }
    values[target] = found.value
    paths[target] = value
  }
  return { given: values, paths, mistakes }
}

type Found = { readonly value: string; readonly problem?: undefined } | { readonly problem: string }

function readSecret(path: string): Found {
  let content: string
  try {
    content = readFileSync(path, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''
    return { problem: `names a file that can't be read${code}` }
  }
  // Editors and `echo` end a file with a line break, which no secret has.
  const value = content.trim()
  return value === '' ? { problem: 'names an empty file' } : { value }
}
