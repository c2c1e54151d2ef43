import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { repositoryRoot } from '../../tools/bootstrap/paths.mjs'

export const UNITS_FOLDER = path.join(repositoryRoot, 'deploy/systemd')

/** Reads a setting in a section of a unit. Returns all values of the setting, in order. */
export type Unit = (section: string, name: string) => readonly string[]

/** The units' file names. */
export const unitNames = (): string[] =>
  readdirSync(UNITS_FOLDER).filter((name) => /\.(service|target)$/.test(name))

export function readUnit(name: string): Unit {
  const values = new Map<string, string[]>()
  let section = ''
  for (const line of readFileSync(path.join(UNITS_FOLDER, name), 'utf8').split('\n')) {
    if (line === '' || line.startsWith('#')) continue
    if (line.startsWith('[')) {
      section = line.slice(1, -1)
      continue
    }
    const at = line.indexOf('=')
    if (at < 0) throw new Error(`${name}: no setting: ${line}`)
    const key = `${section}.${line.slice(0, at)}`
    values.set(key, [...(values.get(key) ?? []), line.slice(at + 1)])
  }
  return (of, key) => values.get(`${of}.${key}`) ?? []
}

/** The variables of an environment file in `etc`. */
export function readVariables(name: string): Record<string, string> {
  const lines = readFileSync(path.join(UNITS_FOLDER, 'etc', name), 'utf8').split('\n')
  return assignments(lines.filter((line) => line !== '' && !line.startsWith('#')))
}

export const assignments = (words: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    words.map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]),
  )
