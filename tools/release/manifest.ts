import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { repositoryRoot } from '../bootstrap/paths.mjs'
import type { Package } from './packages.ts'

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license: string
  readonly engines?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}
type Versions = Readonly<Record<string, string>>

const read = async (folder: string): Promise<Manifest> =>
  JSON.parse(await readFile(path.join(repositoryRoot, folder, 'package.json'), 'utf8')) as Manifest

/**
 * The versions of npm packages that our packages pin. @throws Error if two of our packages pin different versions of
 * one package.
 */
async function pinnedVersions(): Promise<Versions> {
  const names = await readdir(path.join(repositoryRoot, 'packages'))
  const pinned: Record<string, string> = {}
  for (const folder of [...names.map((name) => `packages/${name}`), 'demo']) {
    const { name, version, dependencies, optionalDependencies } = await read(folder)
    const own = { [name]: version, ...dependencies, ...optionalDependencies }
    for (const [wanted, at] of Object.entries(own)) {
      if ((pinned[wanted] ??= at) !== at) {
        throw new Error(`${folder} pins ${wanted} ${at}, another package pins ${pinned[wanted]}`)
      }
    }
  }
  return pinned
}

/**
 * The package.json to publish for code that needs the npm packages in `needed`.
 * @throws Error if a needed package isn't pinned by any of our packages.
 */
export async function manifestOf(
  name: string,
  one: Package,
  needed: readonly string[],
): Promise<object> {
  const [own, root, pinned] = await Promise.all([read(one.source), read('.'), pinnedVersions()])
  const optional = own.optionalDependencies ?? {}
  const versionOf = (wanted: string): string => {
    const version = pinned[wanted]
    if (version === undefined)
      throw new Error(`${name} needs ${wanted}, which none of our packages pins`)
    return version
  }
  const required = needed.filter((wanted) => optional[wanted] === undefined)
  return {
    name: `@sotto/${name}`,
    version: own.version,
    description: one.description,
    license: own.license,
    type: 'module',
    engines: root.engines,
    bin: one.bin,
    exports: Object.fromEntries(
      [...one.exports, 'package.json'].map((file) => [`./${file}`, `./${file}`]),
    ),
    dependencies: Object.fromEntries(required.map((wanted) => [wanted, versionOf(wanted)])),
    ...(Object.keys(optional).length === 0 ? {} : { optionalDependencies: optional }),
  }
}
