import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { repositoryRoot } from '../../tools/bootstrap/paths.mjs'
import { MUTANTS } from './mutants.ts'

/**
 * The source files that a planted bug changes, with the bug in them, by path from the repository's root.
 * @throws Error if no bug has this name, or if a text that the bug replaces doesn't occur exactly once.
 */
export async function sourcesWith(name: string): Promise<Record<string, string>> {
  const mutant = MUTANTS.find((one) => one.name === name)
  if (mutant === undefined) {
    const names = MUTANTS.map((one) => one.name).join(', ')
    throw new Error(`there is no mutant "${name}"; the mutants are ${names}`)
  }
  const sources: Record<string, string> = {}
  for (const { path: file, find, replace } of mutant.edits) {
    const text = sources[file] ?? (await readFile(path.join(repositoryRoot, file), 'utf8'))
    const parts = text.split(find)
    if (parts.length !== 2) {
      throw new Error(`the mutant's text occurs ${parts.length - 1} times in ${file}`)
    }
    sources[file] = parts.join(replace)
  }
  return sources
}
