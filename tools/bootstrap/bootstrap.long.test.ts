import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isInstalled } from './install-state.mjs'
import { nodeVersionMin, tooOldMessage } from './node-version.mjs'
import { repositoryRoot } from './paths.mjs'

// These tests use a separate repository. Its only dependency is a workspace called vitest, so an installation needs no
// registry. In that repository, the command `test` runs the following program, which prints its arguments.
const program = `
const waits = process.argv.includes('wait')
if (waits) {
  process.on('SIGTERM', () => process.exit(7))
  setInterval(() => {}, 1000)
}
console.log(JSON.stringify(process.argv.slice(2)))
if (!waits) process.exit(3)
`
type Manifest = { name: string; version: string; workspaces: string[] }
let folder: string

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sotto-bootstrap-'))
  for (const name of ['bootstrap', 'bootstrap.mjs']) {
    fs.cpSync(path.join(repositoryRoot, 'tools', name), path.join(folder, 'tools', name), {
      recursive: true,
    })
  }
  write('packages/vitest/package.json', { name: 'vitest', version: '1.0.0' })
  fs.writeFileSync(path.join(folder, 'packages/vitest/vitest.mjs'), program)
  const manifest = { name: 'root', version: '1.0.0', workspaces: ['packages/*'] }
  write('package.json', manifest)
  writeLock(manifest)
})

afterEach(() => {
  fs.rmSync(folder, { recursive: true, force: true })
})

test('a command in a fresh clone installs the dependencies and then runs', async () => {
  const run = await bootstrap('test', 'a b', '--json').ended
  expect(run.errors).toContain('Installing')
  expect(run.output).toBe('["run","a b","--json"]\n')
  expect(run.code).toBe(3)
})

test('an installation is not repeated until the lockfile changes', async () => {
  await bootstrap('install').ended
  expect((await bootstrap('install').ended).errors).toBe('')
  write('packages/other/package.json', { name: 'other', version: '1.0.0' })
  writeLock({ name: 'root', version: '1.0.0', workspaces: ['packages/*'] }, ['other'])
  expect((await bootstrap('install').ended).errors).toContain('Installing')
})

test('an interrupted installation is repeated', async () => {
  await bootstrap('install').ended
  // npm writes its hidden lockfile last, so the file is missing after npm was killed.
  fs.rmSync(path.join(folder, 'node_modules/.package-lock.json'))
  expect((await bootstrap('install').ended).errors).toContain('Installing')
})

test('only one of two simultaneous commands installs', async () => {
  const runs = await Promise.all([bootstrap('install').ended, bootstrap('install').ended])
  expect(runs.map((run) => run.code)).toEqual([0, 0])
  expect(runs.filter((run) => run.errors.includes('Installing'))).toHaveLength(1)
})

test('a waiting command names the lock folder that a killed installation left', async () => {
  const lock = path.join(folder, '.sotto/installing')
  fs.mkdirSync(lock, { recursive: true })
  const waiting = bootstrap('install')
  await expect.poll(waiting.errors).toContain(`If none is running, delete the folder ${lock}.`)
  fs.rmdirSync(lock)
  const run = await waiting.ended
  expect(run.errors).toContain('Installing')
  expect(run.code).toBe(0)
})

test('a missing package matters only if it is for this platform', async () => {
  await bootstrap('install').ended
  const file = path.join(folder, 'package-lock.json')
  const lock = JSON.parse(fs.readFileSync(file, 'utf8')) as { packages: Record<string, unknown> }
  const optional = { version: '1.0.0', optional: true, integrity: 'sha512-x' }
  lock.packages['node_modules/here'] = { ...optional, os: [process.platform], cpu: [process.arch] }
  fs.writeFileSync(file, JSON.stringify(lock))
  expect(isInstalled(folder)).toBe(false)
  lock.packages['node_modules/here'] = { ...optional, os: ['another'], cpu: [process.arch] }
  fs.writeFileSync(file, JSON.stringify(lock))
  expect(isInstalled(folder)).toBe(true)
})

test('a command passes its signals on to the program', async () => {
  const running = bootstrap('test', 'wait')
  await running.printed
  running.child.kill('SIGTERM')
  expect((await running.ended).code).toBe(7)
})

test('an unknown command prints the known commands', async () => {
  const run = await bootstrap('fly').ended
  expect(run.code).toBe(2)
  expect(run.errors).toMatch(/Unknown command "fly"[^]*demo[^]*check/)
})

test('an old Node is refused with the required version', () => {
  expect(tooOldMessage('20.17.9')).toMatch(/needs Node 20\.18\.0 or newer; this is Node 20\.17\.9/)
  expect(tooOldMessage('9.99.99')).not.toBeNull()
  expect(tooOldMessage('20.18.0')).toBeNull()
  expect(tooOldMessage('24.0.0-nightly')).toBeNull()
})

test('package.json requires the same version of Node as the bootstrap', () => {
  const text = fs.readFileSync(path.join(repositoryRoot, 'package.json'), 'utf8')
  const manifest = JSON.parse(text) as { engines: { node: string } }
  expect(`${manifest.engines.node}.0`).toBe(`>=${nodeVersionMin}`)
})

function bootstrap(...args: string[]) {
  const child = spawn(process.execPath, [path.join(folder, 'tools/bootstrap.mjs'), ...args])
  let output = ''
  let errors = ''
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  const printed = new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      resolve()
    })
  })
  const ended = new Promise<{ code: number | null; output: string; errors: string }>((resolve) => {
    child.on('close', (code) => resolve({ code, output, errors }))
  })
  return { child, printed, ended, errors: () => errors }
}

function write(file: string, content: unknown) {
  fs.mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
  fs.writeFileSync(path.join(folder, file), JSON.stringify(content))
}

function writeLock(manifest: Manifest, more: string[] = []) {
  const packages: Record<string, unknown> = { '': manifest }
  for (const name of ['vitest', ...more]) {
    packages[`node_modules/${name}`] = { resolved: `packages/${name}`, link: true }
    packages[`packages/${name}`] = { version: '1.0.0' }
  }
  write('package-lock.json', { ...manifest, lockfileVersion: 3, requires: true, packages })
}
