import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { LICENCES_FILE } from '../../packages/web/index.ts'
import { repositoryRoot } from '../bootstrap/paths.mjs'

const read = (...names: string[]) => readFileSync(path.join(repositoryRoot, ...names), 'utf8')
const NAMED = /^([\w-]+) (\d+\.\d+\.\d+\S*), \S/gm

const locked = (folder: string): string[] =>
  [...read(folder, 'Cargo.lock').matchAll(/^name = "(.+)"\nversion = "(.+)"$/gm)].map(
    ([, name, version]) => `${name} ${version}`,
  )

/**
 * The dependencies in a Cargo.toml that become part of the built code. Dependencies of build scripts and of tests are
 * left out.
 */
function direct(manifest: string): string[] {
  const sections = read(manifest).split(/^\[/m)
  const built = sections.filter(
    (one) => /^dependencies\]/.test(one) || /wasm32.*dependencies\]/.test(one),
  )
  return built.flatMap((one) =>
    [...one.matchAll(/^([\w-]+) = (?!.*path = )/gm)].map(([, name = '']) => name),
  )
}

it.each(['program', 'wasm'])('%s: the licence file names only locked versions', (folder) => {
  const named = [...read(folder, LICENCES_FILE).matchAll(NAMED)].map(
    ([, name, at]) => `${name} ${at}`,
  )
  expect(named.length).toBeGreaterThan(1)
  expect(locked(folder)).toEqual(expect.arrayContaining(named))
})

it.each([
  ['program', 'program/Cargo.toml'],
  ['wasm', 'wasm/groth16/Cargo.toml'],
])('%s: every direct dependency in %s has licence terms', (folder, manifest) => {
  const named = [...read(folder, LICENCES_FILE).matchAll(NAMED)].map(([, name]) => name)
  const wanted = direct(manifest)
  expect(wanted.length).toBeGreaterThan(0)
  expect(named).toEqual(expect.arrayContaining(wanted))
})
