import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { hashVerdict, toolchainVerdict } from '../verify/verdict.ts'
import { BUILDERS, findBuilder } from '../verify/builders.ts'
import { DEBIAN_PACKAGES, pinnedPackages, SNAPSHOT } from '../verify/debian-packages.ts'
import { readRecordedBuilds, sha256Of } from '../verify/recorded-builds.ts'
import { PROGRAM_FILE } from './fixtures/chain.ts'

const TOOLCHAIN = { rustc: '1.96.0', linker: '0.2.6' }

test('the committed program is the recorded build of the Debian toolchain', () => {
  const { debian } = readRecordedBuilds()
  expect(debian?.sha256).toBe(sha256Of(PROGRAM_FILE))
  expect(Object.keys(debian?.toolchain ?? {})).toEqual(Object.keys(BUILDERS.debian.readToolchain()))
  expect(Object.values(debian?.toolchain ?? {})).not.toContain('absent')
})

test('a missing toolchain is installed in the recorded versions', () => {
  const { rustc, LLVM, 'standard library source': source } = readRecordedBuilds().debian!.toolchain
  const versions = Object.entries(DEBIAN_PACKAGES)
  expect(versions.map(([name]) => name)).toEqual(
    expect.arrayContaining(['rustc-web', 'cargo-web', 'rust-web-src', 'llvm-22-dev']),
  )
  for (const [name, version] of versions) {
    const upstream = name.startsWith('llvm') ? `1:${LLVM!}-` : `${rustc!}+`
    expect(version.startsWith(upstream), `${name} ${version}`).toBe(true)
  }
  expect(DEBIAN_PACKAGES['rust-web-src']).toBe(source)
  // Without an exact version, apt would install the newest version.
  for (const wanted of pinnedPackages()) expect(wanted).toMatch(/^[a-z0-9.-]+=[0-9]/)
  expect(SNAPSHOT).toMatch(/^2026\d{4}T\d{6}Z$/)
})

test('every recorded builder exists', () => {
  for (const name of Object.keys(readRecordedBuilds())) expect(findBuilder(name)?.name).toBe(name)
})

test('another version of a tool gives exit code 2', () => {
  expect(toolchainVerdict(TOOLCHAIN, { ...TOOLCHAIN })).toBeUndefined()
  const verdict = toolchainVerdict(TOOLCHAIN, { ...TOOLCHAIN, linker: '0.2.7' })
  expect(verdict?.code).toBe(2)
  expect(verdict?.text).toMatch(/linker: recorded 0\.2\.6, here 0\.2\.7/)
  expect(toolchainVerdict(TOOLCHAIN, { rustc: '1.96.0' })?.text).toMatch(/linker: .*here none/)
})

test('another hash gives exit code 1', () => {
  const recorded = { toolchain: TOOLCHAIN, sha256: 'aa' }
  expect(hashVerdict(recorded, 'aa', 'aa')).toMatchObject({ code: 0 })
  expect(hashVerdict(recorded, 'aa', undefined)).toMatchObject({ code: 0 })
  const verdict = hashVerdict(recorded, 'bb', 'aa')
  expect(verdict.code).toBe(1)
  expect(verdict.text).toMatch(/recorded +aa\n +committed +aa\n +rebuilt +bb/)
  // A record that doesn't belong to the committed program is a difference too.
  expect(hashVerdict(recorded, 'aa', 'cc').code).toBe(1)
})

/** Runs the real command. In its PATH, this `cargo` comes before the machine's `cargo`. */
function runVerify(args: readonly string[], cargo = '#!/bin/sh\nexit 1\n') {
  const folder = mkdtempSync(join(tmpdir(), 'sotto-cargo-'))
  try {
    writeFileSync(join(folder, 'cargo'), cargo)
    chmodSync(join(folder, 'cargo'), 0o755)
    const script = fileURLToPath(new URL('../verify.ts', import.meta.url))
    const env = { ...process.env, PATH: `${folder}${delimiter}${process.env['PATH'] ?? ''}` }
    const command = ['--import', 'tsx', script, ...args]
    const { status, stdout } = spawnSync(process.execPath, command, { encoding: 'utf8', env })
    return { status, stdout }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('a build that fails gives exit code 3', () => {
  // This cargo reports a version, but builds nothing.
  const cargo = '#!/bin/sh\n[ "$2" = --version ] && echo "cargo-build-sbf 3.0.0"\n'
  const { status, stdout } = runVerify(['--builder', 'sbf'], cargo)
  expect(stdout).toContain('could not be built')
  expect(status).toBe(3)
})

test('a missing tool that cannot be installed gives exit code 2', () => {
  const { status, stdout } = runVerify(['--builder', 'sbf'])
  expect(stdout).toContain('Not installed here: cargo build-sbf')
  expect(status).toBe(2)
})

test.each([
  [['--bilder', 'sbf'], /--bilder/],
  [['--builder', 'gcc'], /no builder "gcc"/],
  [['extra'], /extra/],
])('a wrong command line (%s) gives exit code 64', (args, reason) => {
  const { status, stdout } = runVerify(args)
  expect(stdout).toMatch(reason)
  expect(status).toBe(64)
})
