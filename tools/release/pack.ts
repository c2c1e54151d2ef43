import { execFile } from 'node:child_process'
import { copyFile, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { repositoryRoot } from '../bootstrap/paths.mjs'
import { manifestOf } from './manifest.ts'
import { buildPages, PACKAGES, PUBLISHED, writeContents, type PublishedName } from './packages.ts'

const run = promisify(execFile)

/** Matches a link to a file that exists only in the repository. */
const RELATIVE_LINK = /\[([^\]]+)\]\((?!https?:)[^)]*\)/g

/** A packed package, with the data that npm reports. */
export interface Packed {
  readonly name: string
  readonly filename: string
  /** Size of the tarball in bytes. */
  readonly size: number
  readonly files: readonly { readonly path: string; readonly size: number }[]
}

/** Empties `folder`, and writes one folder for each published package into it. Returns the paths of these folders. */
export async function buildPackages(folder: string): Promise<string[]> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await buildPages()
  const folders = PUBLISHED.map((name) => path.join(folder, name))
  await Promise.all(PUBLISHED.map((name) => buildPackage(name, path.join(folder, name))))
  return folders
}

async function buildPackage(name: PublishedName, folder: string): Promise<void> {
  if (name === 'sdk') {
    const build = ['--import', 'tsx', 'tools/sdk-package/main.ts', folder]
    await run(process.execPath, build, { cwd: repositoryRoot })
    return
  }
  const one = PACKAGES[name]
  await mkdir(folder, { recursive: true })
  const manifest = await manifestOf(name, one, await writeContents(one, folder))
  await writeFile(path.join(folder, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`)
  const source = path.join(repositoryRoot, one.source)
  const readme = await readFile(path.join(source, 'README.md'), 'utf8')
  await writeFile(path.join(folder, 'README.md'), readme.replaceAll(RELATIVE_LINK, '$1'))
  const own = path.join(source, 'LICENSE')
  const isOwn = (await stat(own).catch(() => undefined)) !== undefined
  await copyFile(isOwn ? own : path.join(repositoryRoot, 'LICENSE'), path.join(folder, 'LICENSE'))
}

/**
 * Packs folders with `npm pack` and writes the tarballs to `target`. If `target` is undefined, only reports what would
 * be packed.
 */
export async function packFolders(
  folders: readonly string[],
  target: string | undefined,
): Promise<Packed[]> {
  const where = target === undefined ? ['--dry-run'] : ['--pack-destination', target]
  const args = ['pack', '--json', '--loglevel', 'error', ...where, ...folders]
  const { stdout } = await run('npm', args, { cwd: repositoryRoot, maxBuffer: 64 * 1_024 * 1_024 })
  const packed = JSON.parse(stdout) as Packed[] | Record<string, Packed>
  return Array.isArray(packed) ? packed : Object.values(packed)
}
