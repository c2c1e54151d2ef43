import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { repositoryRoot } from '../../tools/bootstrap/paths.mjs'
import { MUTANTS } from './mutants.ts'

/**
 * The sources that a planted bug changes, by their paths from the repository's root, with the bug in them.
 * @throws Error if the bug isn't known, or if one of its texts doesn't occur exactly once.
 */
export async function sourcesWith(name: string): Promise<Record<string, string>> {
  const mutant = MUTANTS.find((one) => one.name === name)
  if (mutant === undefined) {
    const names = MUTANTS.map((one) => one.name).join(', ')
    throw new Error(`there is no mutant "${name}"; they are ${names}`)
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
