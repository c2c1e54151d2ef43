import { execFile } from 'node:child_process'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

/** The titles of the tests and groups that each file runs, by the file's path in the repository. */
export type TestTitles = ReadonlyMap<string, readonly string[]>

/** A test as `vitest list` writes it: the titles of its groups come before its own. */
type Listed = { readonly name: string; readonly file: string }

/** Asks vitest, which parses the test files and runs none. @throws if it can't. */
export async function listTestTitles(root: string): Promise<TestTitles> {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'test-titles-'))
  try {
    const titles = new Map<string, string[]>()
    for (const config of ['vitest.config.ts', 'vitest.long.config.ts']) {
      for (const one of await list(root, config, path.join(folder, `${config}.json`))) {
        const at = path.relative(root, one.file).split(path.sep).join('/')
        titles.set(at, [...(titles.get(at) ?? []), ...one.name.split(' > ')])
      }
    }
    return titles
  } finally {
    await fs.rm(folder, { recursive: true, force: true })
  }
}

async function list(root: string, config: string, file: string): Promise<Listed[]> {
  const vitest = path.join(root, 'node_modules/vitest/vitest.mjs')
  const args = [vitest, 'list', '--config', config, '--staticParse', `--json=${file}`]
  await promisify(execFile)(process.execPath, args, { cwd: root })
  return JSON.parse(await fs.readFile(file, 'utf8')) as Listed[]
}

/** The placeholders in a title for the values of a table's row. */
const VALUE = /%[sdifjo#]|\$\{[^}]*\}|\$[\w.]+/

/** True if a test of this title runs. A row of a table is named by its title with the row's values. */
export function runsTitled(titles: readonly string[], wanted: string): boolean {
  return titles.some((title) => {
    const parts = title.replace(/\s+/g, ' ').split(VALUE)
    if (parts.length === 1) return parts[0] === wanted
    // A title that is only a placeholder would match every test.
    if (parts.every((part) => part.trim() === '')) return false
    const escaped = parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    return title === wanted || new RegExp(`^${escaped.join('.+')}$`).test(wanted)
  })
}

/** Titles of tests in a file that only defines them, for test files that share a set-up to call. */
export function definedTitles(text: string): string[] {
  return [...text.matchAll(/\b(?:it|test)\(\s*(['"`])(.*?)\1/gs)].map(([, , title = '']) => title)
}

/** Functions after `#[test]`, not ignored. */
export function rustTitles(text: string): string[] {
  const code = text.replaceAll(/\/\/.*$/gm, '')
  return [...code.matchAll(/#\[test\]\s*fn (\w+)/g)].map(([, name = '']) => name)
}
