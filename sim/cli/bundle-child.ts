import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { repositoryRoot } from '../../tools/bootstrap/paths.mjs'
import { bundleProgram } from '../../tools/release/bundle-program.ts'
import { sourcesWith } from '../mutants/plant-mutant.ts'

/** A folder that Git ignores, in which the packages of the repository are found. */
const FOLDER = path.join(repositoryRoot, 'dist')

/**
 * Bundles the code of the simulator's processes, with a planted bug if there is one, and removes the bundle when `use`
 * has ended. A bundle starts in a tenth of a second, where a process that loads each source by itself takes some
 * seconds. It also runs faster, because the loader of single sources gives each function its name when the function is
 * made, and a run makes millions of functions.
 */
export async function withBundledChild<T>(
  mutant: string | undefined,
  use: (file: string) => Promise<T>,
): Promise<T> {
  const replaced = mutant === undefined ? {} : await sourcesWith(mutant)
  await mkdir(FOLDER, { recursive: true })
  const folder = await mkdtemp(path.join(FOLDER, 'sim-'))
  try {
    const urlOf = (file: string) =>
      `new URL(${JSON.stringify(pathToFileURL(path.join(repositoryRoot, file)).href)})`
    await bundleProgram({ entries: { child: 'sim/cli/child.ts' }, folder, urlOf, replaced })
    return await use(path.join(folder, 'child.mjs'))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
