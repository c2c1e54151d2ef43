import { PROGRAM_SHA256 } from '@sotto/protocol'
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { repositoryRoot } from '../../tools/bootstrap/paths.mjs'
import { bundleServer } from './bundle-server.ts'
import { PLACES, PROGRAM_HASH_FILE } from './places.ts'

const run = promisify(execFile)
const PAGES = 'packages/web/build.ts'
const PROGRAM = 'program/artefacts/sotto_program.so'

/**
 * Empties `folder`, and writes all files that a server needs into it, except Node and the packages from npm.
 *
 * @returns the names of the npm packages that the service imports.
 * @throws Error if the hash of the committed program differs from the hash in the sources.
 */
export async function buildService(folder: string): Promise<string[]> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await run(process.execPath, ['--import', 'tsx', PAGES], { cwd: repositoryRoot })
  const imported = await bundleServer(folder)
  for (const [source, place] of Object.entries(PLACES)) {
    await cp(path.join(repositoryRoot, source), path.join(folder, place), { recursive: true })
  }
  await writeText(folder, PROGRAM_HASH_FILE, `${await programHash()}  ${path.basename(PROGRAM)}\n`)
  await writeText(folder, 'package.json', await manifest())
  return imported
}

async function writeText(folder: string, name: string, text: string): Promise<void> {
  const file = path.join(folder, name)
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, text)
}

/** Computes the hash of the committed program. Checks that the code expects the same hash. */
async function programHash(): Promise<string> {
  const bytes = await readFile(path.join(repositoryRoot, PROGRAM))
  const hash = createHash('sha256').update(bytes).digest('hex')
  if (hash !== PROGRAM_SHA256)
    throw new Error(`${PROGRAM} differs from the program of these sources`)
  return hash
}

/** The text of a package.json that declares the files as ES modules. It lists no dependencies. */
async function manifest(): Promise<string> {
  const text = await readFile(path.join(repositoryRoot, 'package.json'), 'utf8')
  const { name, version, license, engines } = JSON.parse(text) as Record<string, unknown>
  return `${JSON.stringify({ name, version, license, private: true, type: 'module', engines }, undefined, 2)}\n`
}
