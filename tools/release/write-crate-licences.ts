// `npx tsx tools/release/write-crate-licences.ts`: writes THIRD-PARTY-LICENSES.txt in program/ and in wasm/. The files
// have the licence terms of the crates in the built program and in the built modules. Run it after a Cargo.lock has
// changed. It needs cargo and cargo's registry, so `npm run check` can't run it. A test compares the committed files
// with the lockfiles instead.
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import {
  LICENCES_FILE,
  licencesText,
  termsIn,
  usualTerms,
  type ThirdParty,
} from '../../packages/web/index.ts'
import { repositoryRoot } from '../bootstrap/paths.mjs'

const run = promisify(execFile)

/** Each folder with a Cargo.lock, with cargo's options for each build that the folder's `build.sh` runs. */
const BUILDS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  program: [['-Z', 'json-target-spec', '--target', './sbpf-target.json']],
  wasm: [
    ['-p', 'sotto-groth16', '--target', 'wasm32-unknown-unknown'],
    ['-p', 'sotto-poseidon', '--target', 'wasm32-unknown-unknown'],
    ['-p', 'sotto-groth16-native', '--target', 'x86_64-unknown-linux-musl'],
  ],
}

const RUST: ThirdParty = {
  name: 'The standard library of Rust, MIT OR Apache-2.0',
  terms: 'It is used under the Apache License 2.0, whose text is in this file.\n',
}
/** The executable for Linux contains musl. */
const MUSL: ThirdParty = {
  name: 'musl 1.2, MIT',
  terms: `Copyright © 2005-2020 Rich Felker, et al.\n\n${await usualTerms(repositoryRoot, 'MIT')}`,
}
const MORE: Readonly<Record<string, readonly ThirdParty[]>> = {
  program: [RUST],
  wasm: [RUST, MUSL],
}

interface Metadata {
  readonly packages: readonly {
    readonly name: string
    readonly version: string
    readonly license: string | null
    readonly manifest_path: string
    readonly source: string | null
  }[]
}

/**
 * The names and versions of the crates in a build. Procedural macros are left out, because they run only during the
 * build.
 */
async function builtCrates(cwd: string, options: readonly string[]): Promise<string[]> {
  const shown = ['-e', 'normal,no-proc-macro', '--prefix', 'none', '-f', '{p}']
  // Reading a target description is an unstable feature of the compiler. This variable enables it, as in build.sh.
  const env = { ...process.env, RUSTC_BOOTSTRAP: '1' }
  const { stdout } = await run('cargo', ['tree', '--locked', ...options, ...shown], { cwd, env })
  return stdout.split('\n').map((line) => line.split(' ').slice(0, 2).join(' '))
}

async function crateTerms(folder: string): Promise<ThirdParty[]> {
  const cwd = path.join(repositoryRoot, folder)
  const named = await Promise.all((BUILDS[folder] ?? []).map((one) => builtCrates(cwd, one)))
  const wanted = new Set(named.flat())
  const args = ['metadata', '--locked', '--format-version', '1']
  const { stdout } = await run('cargo', args, { cwd, maxBuffer: 64 * 1_024 * 1_024 })
  const crates = (JSON.parse(stdout) as Metadata).packages.filter(
    ({ name, version, source }) => source !== null && wanted.has(`${name} v${version}`),
  )
  const parts = crates.map(async ({ name, version, license, manifest_path }) => {
    const licence = license ?? ''
    const own = await termsIn(path.dirname(manifest_path))
    const terms = own === '' ? await usualTerms(repositoryRoot, licence) : own
    if (terms === undefined) throw new Error(`${name} ${version} states no terms`)
    return { name: `${name} ${version}, ${licence}`, terms }
  })
  return Promise.all(parts)
}

for (const folder of Object.keys(BUILDS)) {
  const parts = [...(await crateTerms(folder)), ...(MORE[folder] ?? [])]
  await writeFile(path.join(repositoryRoot, folder, LICENCES_FILE), licencesText(parts))
}
