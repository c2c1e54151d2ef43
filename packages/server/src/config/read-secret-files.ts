import { readFileSync } from 'node:fs'
import type { Mistake } from './mistake.ts'
import { settings } from './sections.ts'
import { textOf } from './setting.ts'

/** The suffix of settings whose value is the path of a secret's file. */
const SUFFIX = '_FILE'

/** Names of the settings that are paths of secrets' files, such as `DATABASE_URL_FILE`. */
export const secretFileNames: readonly string[] = Object.entries(settings)
  .filter(([, schema]) => textOf(schema).secret !== undefined)
  .map(([name]) => `${name}${SUFFIX}`)

export interface WithSecrets {
  /** The settings, with each path of a secret's file replaced by the secret. */
  readonly given: Readonly<Record<string, string>>
  /** The path of each secret that was read from a file, so that the secret can be read again. */
  readonly paths: Readonly<Record<string, string>>
  readonly mistakes: readonly Mistake[]
}

/** Replaces the path of each secret's file with the file's content. */
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
      const fix = 'name a file that contains only the secret'
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
  // Editors and `echo` end a file with a line break, which isn't part of the secret.
  const value = content.trim()
  return value === '' ? { problem: 'names an empty file' } : { value }
}
