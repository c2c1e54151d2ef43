import { execFile } from 'node:child_process'
import { cp, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { LICENCES_FILE } from '../../packages/web/index.ts'
import { repositoryRoot } from '../bootstrap/paths.mjs'
import { bundleProgram } from './bundle-program.ts'

const run = promisify(execFile)

/** The packages that are published. Our other packages are bundled into them. */
export const PUBLISHED = ['sdk', 'cli', 'server', 'prover', 'local'] as const
export type PublishedName = (typeof PUBLISHED)[number]

export interface Package {
  readonly description: string
  /** The folder with the package's README. Its LICENSE is also there if it differs from the repository's. */
  readonly source: string
  /** Names of commands, and the file that each command runs. */
  readonly bin: Readonly<Record<string, string>>
  /** Files that other packages may resolve, in addition to package.json. */
  readonly exports: readonly string[]
  /** Files and folders to copy. Keys are paths from the repository's root, values are paths in the package. */
  readonly copied: Readonly<Record<string, string>>
  /**
   * Files with the licence terms of third-party code in the copied files. The package gets one file with all of these
   * terms.
   */
  readonly licences?: readonly string[]
  /** Packages that the code resolves by name at run time, without importing them. */
  readonly resolved: readonly string[]
  readonly bundle?: {
    readonly entries: Readonly<Record<string, string>>
    /** URLs of files that the code opens, if they aren't at the places in `copied`. */
    readonly urls?: Readonly<Record<string, string>>
    readonly replaced?: Readonly<Record<string, string>>
    readonly splitting?: boolean
  }
}

/** The name of the folder with bundled code in each package. */
export const CODE = 'code'
const HASHES = {
  'packages/poseidon/src/poseidon.wasm': 'poseidon/poseidon.wasm',
  'packages/poseidon/src/poseidon-module.mjs': 'poseidon/poseidon-module.mjs',
  'packages/poseidon/src/level-thread.mjs': 'poseidon/level-thread.mjs',
}
const VIEWER = [
  ...['swagger-ui-bundle.js', 'swagger-ui.css'],
  ...['LICENSE', 'NOTICE', 'swagger-ui-bundle.js.LICENSE.txt'],
]
/** The licence terms of the crates in our WebAssembly modules and executables. */
const WASM_LICENCES = `wasm/${LICENCES_FILE}`
const PROVER_PARTS = ['sotto-prover.mjs', 'bin', 'src', 'wasm', 'native', 'witness', 'artefacts']

/** The JavaScript expression for the URL of a file that another package exports. */
const fileOf = (name: string) => `new URL(import.meta.resolve(${JSON.stringify(name)}))`

/** All published packages except the SDK. The SDK has its own build in tools/sdk-package. */
export const PACKAGES: Readonly<Record<Exclude<PublishedName, 'sdk'>, Package>> = {
  cli: {
    description: 'The command sotto: private transfers on Solana from a terminal.',
    source: 'packages/cli',
    bin: { sotto: `${CODE}/sotto.mjs` },
    exports: [],
    copied: HASHES,
    licences: [WASM_LICENCES],
    resolved: ['@sotto/prover'],
    // With splitting, each command loads only the code that it needs.
    bundle: { entries: { sotto: 'packages/cli/src/main.ts' }, splitting: true },
  },
  server: {
    description:
      'The service sotto-server: HTTP interface, settlement and the operator’s commands.',
    source: 'packages/server',
    bin: { 'sotto-server': `${CODE}/sotto-server.mjs` },
    exports: [`${CODE}/sotto-server.mjs`],
    copied: {
      ...HASHES,
      'packages/server/migrations': 'migrations',
      'packages/web/dist': 'web',
      ...Object.fromEntries(
        VIEWER.map((name) => [`node_modules/swagger-ui-dist/${name}`, `viewer/${name}`]),
      ),
    },
    // The licence terms of the pages' code are in the folders of the pages.
    licences: [WASM_LICENCES],
    resolved: ['@sotto/prover'],
    bundle: {
      entries: { 'sotto-server': 'packages/server/src/main.ts' },
      urls: {
        'packages/server/package.json': 'new URL("../package.json", import.meta.url)',
        'packages/prover/sotto-prover.mjs': fileOf('@sotto/prover/sotto-prover.mjs'),
        'packages/prover/artefacts/vkey.json': fileOf('@sotto/prover/artefacts/vkey.json'),
      },
      replaced: {
        // The package contains a copy of the viewer's files. It doesn't depend on the viewer's package, because that
        // package reports every installation to its maintainers.
        'packages/server/src/http/viewer-folder.ts': `import { fileURLToPath } from 'node:url'
          export const viewerFolder = () => fileURLToPath(new URL('../viewer', import.meta.url))`,
      },
    },
  },
  prover: {
    description:
      'The program sotto-prover, which proves settlements. A separate process, under the GPL.',
    source: 'packages/prover',
    bin: { 'sotto-prover': 'bin/sotto-prover' },
    exports: ['sotto-prover.mjs', 'artefacts/vkey.json'],
    copied: Object.fromEntries(PROVER_PARTS.map((name) => [`packages/prover/${name}`, name])),
    licences: [WASM_LICENCES],
    resolved: ['@noble/curves', 'snarkjs'],
  },
  local: {
    description: 'The command sotto-local: a local chain and the service on it, with test money.',
    source: 'demo',
    bin: { 'sotto-local': `${CODE}/sotto-local.mjs` },
    exports: [],
    copied: {
      'demo/src/stack/die-with-parent.mjs': `${CODE}/die-with-parent.mjs`,
      'program/artefacts/sotto_program.so': 'program/sotto_program.so',
      'program/artefacts/sotto_program.so.sha256': 'program/sotto_program.so.sha256',
    },
    licences: [`program/${LICENCES_FILE}`],
    resolved: ['@sotto/server'],
    bundle: {
      entries: { 'sotto-local': 'demo/start.ts', localnet: 'packages/localnet/src/main.ts' },
      urls: {
        '': 'new URL("../", import.meta.url)',
        'packages/localnet/src/main.ts': 'new URL("./localnet.mjs", import.meta.url)',
        'packages/server/src/main.ts': fileOf(`@sotto/server/${CODE}/sotto-server.mjs`),
      },
      replaced: {
        // These modules build programs and pages from the sources of a checkout. The published packages contain
        // programs and pages that are already built.
        'demo/src/stack/built-program.ts':
          'export const builtProgram = async (file: string): Promise<string> => file',
        'packages/web/index.ts': 'export const buildPages = async (): Promise<void> => {}',
        'demo/src/start-command.ts': "export const START_COMMAND = 'sotto-local'",
      },
    },
  },
}

/**
 * Matches files in copied folders that must not be published: .gitattributes, and temporary files of a killed build of
 * the pages.
 */
const UNPUBLISHED = /^\.gitattributes$|\.part-\d+$/

/**
 * Writes the code and the files of a package into `folder`. Returns the names of the npm packages that the code needs.
 */
export async function writeContents(one: Package, folder: string): Promise<string[]> {
  for (const [source, place] of Object.entries(one.copied)) {
    await cp(path.join(repositoryRoot, source), path.join(folder, place), {
      recursive: true,
      filter: (file) => !UNPUBLISHED.test(path.basename(file)),
    })
  }
  const licences = (one.licences ?? []).map((file) =>
    readFile(path.join(repositoryRoot, file), 'utf8'),
  )
  if (licences.length > 0) {
    await writeFile(path.join(folder, LICENCES_FILE), (await Promise.all(licences)).join('\n'))
  }
  if (one.bundle === undefined) return [...one.resolved]
  const imported = await bundleProgram({
    ...one.bundle,
    folder: path.join(folder, CODE),
    urlOf: (file) => urlIn(one, file),
  })
  await Promise.all(Object.values(one.bin).map((file) => makeExecutable(path.join(folder, file))))
  return [...new Set([...imported, ...one.resolved])].sort()
}

/**
 * Makes the file executable. If it has no first line that names the interpreter, adds one, because a shell reads the
 * interpreter of a command from that line.
 */
async function makeExecutable(file: string): Promise<void> {
  const text = await readFile(file, 'utf8')
  if (!text.startsWith('#!')) await writeFile(file, `#!/usr/bin/env node\n${text}`)
}

/** The URL expression for a file that the code opens. @throws Error if the package doesn't contain the file. */
function urlIn({ copied, bundle, source }: Package, file: string): string {
  const url = bundle?.urls?.[file]
  if (url !== undefined) return url
  // The path of a folder that the code opens may end with a slash. The paths in `copied` don't.
  const place = copied[file] ?? copied[file.replace(/\/$/, '')]
  if (place === undefined) {
    throw new Error(`${source} opens ${file}, which tools/release/packages.ts does not list`)
  }
  const relative = path.posix.relative(CODE, place)
  return `new URL(${JSON.stringify(relative.startsWith('.') ? relative : `./${relative}`)}, import.meta.url)`
}

/** Builds the send page and the console, which the service's package contains. */
export const buildPages = (): Promise<unknown> =>
  run(process.execPath, ['--import', 'tsx', 'packages/web/build.ts'], { cwd: repositoryRoot })
