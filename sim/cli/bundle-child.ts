import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { repositoryRoot } from '../../tools/bootstrap/paths.mjs'
import { bundleProgram } from '../../tools/release/bundle-program.ts'
import { sourcesWith } from '../mutants/plant-mutant.ts'

/**
 * The bundle's folder, which Git ignores. The folder is inside the repository, so that a bundle can import the
 * repository's packages.
 */
const FOLDER = path.join(repositoryRoot, 'dist')

/**
 * Bundles the code of the simulator's processes and calls `use` with the bundle's file. Deletes the bundle afterwards.
 * If `mutant` is given, the bundle contains that planted bug.
 *
 * A process that runs a bundle starts in a tenth of a second. A process that loads each source file separately needs a
 * few seconds. Such a process also runs more slowly: the loader of separate files names each function when the function
 * is created, and a run creates millions of functions.
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
