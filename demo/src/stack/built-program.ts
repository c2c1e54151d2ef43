import { build, type Plugin } from 'esbuild'
import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'

/**
 * The name of the environment variable with the URL of a process that builds programs for other processes. The name
 * must not start with `SOTTO_`, because the service refuses unknown variables with that prefix.
 */
export const SHARED_PROGRAMS = 'TEST_PROGRAMS'

const built = new Map<string, Promise<string>>()

/**
 * Bundles one of our programs into a single JavaScript file and returns the file's path. This file starts four times as
 * fast as a thousand separately compiled modules, and runs as a deployed program does. Most packages from npm aren't
 * bundled. Each process builds the file once from the current sources. With `SHARED_PROGRAMS`, another process builds
 * it for all processes.
 *
 * @param main the path of the program's main module.
 */
export function builtProgram(main: string): Promise<string> {
  const shared = process.env[SHARED_PROGRAMS]
  return once(main, () => (shared === undefined ? bundle(main) : ask(shared, main)))
}

/** Like `builtProgram`, but this process always builds the file itself. */
export const buildProgram = (main: string): Promise<string> => once(main, () => bundle(main))

function once(main: string, build: () => Promise<string>): Promise<string> {
  let program = built.get(main)
  if (program === undefined) {
    program = build()
    built.set(main, program)
  }
  return program
}

async function ask(shared: string, main: string): Promise<string> {
  const response = await fetch(shared, { method: 'POST', body: main })
  const text = await response.text()
  if (!response.ok) throw new Error(`${main} could not be built: ${text}`)
  return text
}

async function bundle(main: string): Promise<string> {
  // The file must be in a folder of the program's package, because Node finds unbundled imports in that package's
  // node_modules.
  const folder = join(await packageFolder(main), 'dist', 'programs')
  const { outputFiles } = await build({
    entryPoints: [main],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'error',
    plugins: [oursAndManyFiles, placedAt(folder)],
  })
  const [file] = outputFiles
  if (file === undefined) throw new Error(`the build of ${main} wrote no file`)
  const hash = createHash('sha256').update(file.contents).digest('hex').slice(0, 12)
  const path = join(folder, `${basename(main, '.ts')}-${hash}.mjs`)
  if (await stat(path).catch(() => undefined)) return path
  await mkdir(folder, { recursive: true })
  // Other processes may build the same file at the same time. Each process writes a file of its own and then renames
  // it. So no process reads an incomplete file.
  const part = `${path}.${process.pid}`
  await writeFile(part, file.contents)
  await rename(part, path)
  return path
}

async function packageFolder(file: string): Promise<string> {
  const folder = dirname(file)
  if (await stat(join(folder, 'package.json')).catch(() => undefined)) return folder
  if (folder === dirname(folder)) throw new Error(`${file} does not belong to a package`)
  return packageFolder(folder)
}

/**
 * Packages with very many modules. Loading these modules one by one takes most of a command's start time. The packages
 * contain only plain modules, so they can be bundled.
 */
const MANY_FILES = /^(@solana|@solana-program|@noble|zod|@modelcontextprotocol|poseidon-lite)(\/|$)/

/** Bundles our own packages and the packages of `MANY_FILES`. All other packages stay outside of the bundle. */
const oursAndManyFiles: Plugin = {
  name: 'ours-and-many-files',
  setup: ({ onResolve }) => {
    onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === 'entry-point' || path.startsWith('@sotto/') || MANY_FILES.test(path)
        ? undefined
        : { path, external: true },
    )
  },
}

/** Makes every module find the files next to its source file, although its code is in the bundle. */
const placedAt = (folder: string): Plugin => ({
  name: 'placed-at',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.m?[jt]s$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8')
      const away = relative(folder, path).replaceAll('\\', '/')
      const own = `new URL(${JSON.stringify(away)}, import.meta.url).href`
      const loader = path.endsWith('ts') ? 'ts' : 'js'
      return { contents: text.replaceAll('import.meta.url', own), loader }
    })
  },
})
