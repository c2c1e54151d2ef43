import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { LICENCES_FILE } from '../../packages/web/index.ts'
import { packagesRoot, SURFACES } from './surfaces.ts'

interface Manifest {
  readonly version: string
  readonly license: string
  readonly dependencies: Readonly<Record<string, string>>
}

/**
 * A peer dependency, because a project must have only one version of it. The types of that version must match the types
 * of the partner's signers.
 */
const PEER = '@solana/kit'
/** The oldest version of kit for which the types compile and a real transfer works. `npm run kit-range` tests this. */
export const OLDEST_KIT = '3.0.1'

const readManifest = async (name: string): Promise<Manifest> =>
  JSON.parse(await readFile(path.join(packagesRoot, name, 'package.json'), 'utf8')) as Manifest

/** The range of kit's versions: from the oldest version up to the major version that the SDK is tested with. */
function kitRange(pinned: string): string {
  const [major = ''] = pinned.split('.')
  return `>=${OLDEST_KIT} <${BigInt(major) + 1n}`
}

/**
 * The package.json to publish for JavaScript that imports these packages.
 * @throws Error if an import isn't pinned by the SDK or by a bundled package.
 */
export async function manifestFor(imported: readonly string[]): Promise<object> {
  const sdk = await readManifest('sdk')
  const pinned = { ...(await readManifest('protocol')).dependencies, ...sdk.dependencies }
  const versionOf = (name: string): string => {
    const version = pinned[name]
    if (version === undefined)
      throw new Error(`${name} is imported, but none of our packages pins it`)
    return version
  }
  const exported = Object.entries(SURFACES).map(([surface, file]) => [
    surface,
    { types: `./types/sdk/${file}.d.ts`, default: `./${file}.js` },
  ])
  return {
    name: '@sotto/sdk',
    version: sdk.version,
    description:
      'Private transfers on Solana: quotes, orders, and wallet code that verifies before it signs.',
    license: sdk.license,
    type: 'module',
    sideEffects: false,
    engines: { node: '>=20.18' },
    exports: { ...(Object.fromEntries(exported) as object), './package.json': './package.json' },
    files: ['*.js', 'shared', 'types', LICENCES_FILE],
    dependencies: Object.fromEntries(
      imported.filter((name) => name !== PEER).map((name) => [name, versionOf(name)]),
    ),
    peerDependencies: { [PEER]: kitRange(versionOf(PEER)) },
  }
}
