import { execFile } from 'node:child_process'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

/** For each test file, by its path in the repository: the titles of its tests and groups. */
export type TestTitles = ReadonlyMap<string, readonly string[]>

/**
 * A test in the output of `vitest list`. `name` has the titles of the test's groups, followed by the test's own title.
 */
type Listed = { readonly name: string; readonly file: string }

/**
 * Lists the titles with vitest, which only parses the test files here. If `files` isn't empty, lists only the titles of
 * these files.
 * @throws Error if vitest fails.
 */
export async function listTestTitles(
  root: string,
  files: readonly string[] = [],
): Promise<TestTitles> {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'test-titles-'))
  try {
    const titles = new Map<string, string[]>()
    for (const config of ['vitest.config.ts', 'vitest.long.config.ts']) {
      for (const one of await list(
        root,
        [...files, '--config', config],
        path.join(folder, `${config}.json`),
      )) {
        const at = path.relative(root, one.file).split(path.sep).join('/')
        titles.set(at, [...(titles.get(at) ?? []), ...one.name.split(' > ')])
      }
    }
    return titles
  } finally {
    await fs.rm(folder, { recursive: true, force: true })
  }
}

async function list(root: string, args: readonly string[], file: string): Promise<Listed[]> {
  const vitest = path.join(root, 'node_modules/vitest/vitest.mjs')
  const all = [vitest, 'list', ...args, '--staticParse', `--json=${file}`]
  await promisify(execFile)(process.execPath, all, { cwd: root })
  return JSON.parse(await fs.readFile(file, 'utf8')) as Listed[]
}

/** Matches placeholders in a title, which vitest replaces with values from a table row. */
const VALUE = /%[sdifjo#]|\$\{[^}]*\}|\$[\w.]+/

/** True if a test with this title runs. If the test has a table, `wanted` may contain the values of one row. */
export function runsTitled(titles: readonly string[], wanted: string): boolean {
  return titles.some((title) => {
    const parts = title.replace(/\s+/g, ' ').split(VALUE)
    if (parts.length === 1) return parts[0] === wanted
    // A title that consists only of a placeholder would match every test, so it matches none.
    if (parts.every((part) => part.trim() === '')) return false
    const escaped = parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    return title === wanted || new RegExp(`^${escaped.join('.+')}$`).test(wanted)
  })
}

/** The titles of the tests in a module that defines tests for several test files. */
export function definedTitles(text: string): string[] {
  return [...text.matchAll(/\b(?:it|test)\(\s*(['"`])(.*?)\1/gs)].map(([, , title = '']) => title)
}

/** The names of functions after `#[test]`. Ignored tests are left out. */
export function rustTitles(text: string): string[] {
  const code = text.replaceAll(/\/\/.*$/gm, '')
  return [...code.matchAll(/#\[test\]\s*fn (\w+)/g)].map(([, name = '']) => name)
}
