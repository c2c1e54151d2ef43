import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { repositoryRoot } from '../bootstrap/paths.mjs'
import { findLicenceProblems, isAllowed, type LockedPackages } from './licences.ts'
import type { Outcome, Step } from './outcome.ts'
import { runCaptured } from './run-tool.ts'

/** The Cargo projects: the on-chain program and the WebAssembly modules. */
const CRATES = ['program/Cargo.toml', 'wasm/Cargo.toml']

/** Checks the licences of all dependencies, and checks that a bill of materials can be written. */
export const dependenciesStep: Step = {
  name: 'dependencies',
  run: async () => [
    await npmLicences(),
    ...(await Promise.all(CRATES.map(crateLicences))),
    await billOfMaterials(),
  ],
}

const WHY =
  'The licences of packages that partners install must require nothing except the inclusion of their text.'

async function npmLicences(): Promise<Outcome> {
  const file = path.join(repositoryRoot, 'package-lock.json')
  const { packages } = JSON.parse(await readFile(file, 'utf8')) as { packages: LockedPackages }
  const note = `${Object.keys(packages).length} packages`
  return { name: 'licences npm', problems: findLicenceProblems(packages), note, why: WHY }
}

interface Crate {
  readonly name: string
  readonly version: string
  readonly license: string | null
}

async function crateLicences(manifest: string): Promise<Outcome> {
  const name = `licences ${manifest}`
  const args = ['metadata', '--locked', '--format-version', '1', '--quiet', '--manifest-path']
  let captured
  try {
    captured = await runCaptured('cargo', [...args, path.join(repositoryRoot, manifest)])
  } catch {
    const missing = 'cargo is not installed'
    const isRequired = (process.env['CI'] ?? '') !== ''
    return isRequired
      ? { name, problems: [missing], why: WHY }
      : { name, problems: [], skipped: missing }
  }
  if (captured.code !== 0) return { name, problems: [captured.output.trim()], why: WHY }
  const { packages } = JSON.parse(captured.output) as { packages: Crate[] }
  const problems = packages
    .filter(({ license }) => !isAllowed(license ?? ''))
    .map((crate) => `${crate.name}@${crate.version} is under ${crate.license ?? 'no licence'}`)
  return { name, problems, note: `${packages.length} crates`, why: WHY }
}

/**
 * Checks that `npm sbom --sbom-format cyclonedx` can print the bill of materials. Doesn't write a file. The list
 * includes development tools. Without them, npm would omit packages that both a tool and the service use.
 */
async function billOfMaterials(): Promise<Outcome> {
  const name = 'bill of materials'
  const why = 'Operators must be able to list all components: SECURITY.md names the command.'
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--loglevel', 'silent']
  const { code, output } = await runCaptured('npm', args)
  if (code !== 0) return { name, problems: [output.trim() || 'npm sbom failed'], why }
  const { components } = JSON.parse(output) as { components: { name: string }[] }
  const missing = ['fastify', '@solana/kit', 'pg', 'snarkjs'].filter(
    (wanted) => !components.some((component) => component.name === wanted),
  )
  const problems = missing.map((wanted) => `the bill of materials does not contain ${wanted}`)
  return { name, problems, note: `${components.length} components`, why }
}
