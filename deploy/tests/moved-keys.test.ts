import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { repositoryRoot } from '../../tools/bootstrap/paths.mjs'

const guideOf = (page: string): string =>
  readFileSync(path.join(repositoryRoot, 'docs/deployment', page), 'utf8')

/** The blocks of commands in a guide's note for installations of an older version. */
function blocksOf(page: string, note: string): string[] {
  const text = guideOf(page)
  const from = text.indexOf(note)
  if (from < 0) throw new Error(`${page} has no note "${note}"`)
  const section = text.slice(from, text.indexOf('\n## ', from))
  return [...section.matchAll(/```sh\n([^`]*)```/g)].map(([, block = '']) => block)
}

let root = ''
beforeEach(() => (root = mkdtempSync(path.join(tmpdir(), 'sotto-keys-'))))
afterEach(() => rmSync(root, { recursive: true }))

const write = (files: Readonly<Record<string, string>>) => {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
    writeFileSync(path.join(root, file), text)
  }
}
const read = (file: string): string | undefined =>
  existsSync(path.join(root, file)) ? readFileSync(path.join(root, file), 'utf8') : undefined
const run = (script: string, ...args: readonly string[]) =>
  spawnSync('sh', ['-c', script, ...args], { encoding: 'utf8' }).status

const COMPOSE = blocksOf('compose.md', '**From a version with one volume for all keys**')

/** Runs the script that the guide runs in a container, with folders of this test as the volumes. */
function moveKeys(step: 'copy' | 'remove') {
  const script = /-c '\n([^']*)' "\$1"/.exec(COMPOSE[0] ?? '')?.[1]
  if (script === undefined) throw new Error('compose.md has no script for the volumes')
  for (const folder of ['old', 'a', 'r']) mkdirSync(path.join(root, folder), { recursive: true })
  const user = `${process.getuid?.()}:${process.getgid?.()}`
  const here = script.replaceAll(/\/(old|a|r)\//g, `${root}/$1/`).replaceAll('10001:10001', user)
  return run(here, step)
}

it('the Compose guide copies the keys, starts the service, and removes the old copies only later', () => {
  const [copying = '', removing = '', ...others] = COMPOSE
  expect(others).toEqual([])
  expect(copying).toMatch(/\nmove_keys copy && docker compose up --detach\n$/)
  expect(removing).toBe('move_keys remove\n')
})

it.each([
  ['both roles', { 'old/authoriser.json': 'A', 'old/relayers/1.json': '1' }],
  [
    'workers only, with the authoriser in Vault',
    { 'old/relayers/1.json': '1', 'old/relayers/2': '2' },
  ],
  ['the API only, with the relayers in Vault', { 'old/authoriser.json': 'A' }],
  ['no role', { 'old/pepper': 'P' }],
])('the Compose guide moves the key files of %s', (_, files) => {
  write({ 'old/pepper': 'P', ...files })
  const moved = Object.entries(files).filter(([file]) => file !== 'old/pepper')
  const newOf = (file: string) =>
    file.replace('old/relayers/', 'r/').replace('old/authoriser', 'a/authoriser')
  expect(moveKeys('copy')).toBe(0)
  expect(moveKeys('copy')).toBe(0)
  for (const [file, key] of moved) expect([read(file), read(newOf(file))]).toEqual([key, key])
  expect(moveKeys('remove')).toBe(0)
  for (const [file, key] of moved) expect([read(file), read(newOf(file))]).toEqual([undefined, key])
  expect(read('old/pepper')).toBe('P')
})

it('the Compose guide overwrites no key, and removes a key only if its copy is identical', () => {
  write({ 'old/authoriser.json': 'A', 'old/relayers/1.json': '1', 'old/relayers/2.json': '2' })
  expect(moveKeys('remove')).not.toBe(0)
  write({ 'r/1.json': 'another key', 'r/2.json': '2' })
  expect(moveKeys('copy')).not.toBe(0)
  expect(moveKeys('remove')).not.toBe(0)
  expect([read('old/relayers/1.json'), read('r/1.json')]).toEqual(['1', 'another key'])
  expect([read('old/relayers/2.json'), read('r/2.json')]).toEqual([undefined, '2'])
  expect([read('old/authoriser.json'), read('a/authoriser.json')]).toEqual([undefined, 'A'])
})

it('the systemd guide overwrites no key, and removes the old key only if its copy is identical', () => {
  const [copy = '', remove = '', ...others] = blocksOf(
    'systemd.md',
    '**If your old units had all keys in one folder:**',
  )
    .filter((block) => block.includes('/var/lib/sotto/'))
    .map((block) => block.replaceAll('sudo ', '').replaceAll('/var/lib/sotto/', `${root}/`))
  expect([remove.includes('shred'), others]).toEqual([true, []])
  const [old, moved] = ['keys/authoriser.json', 'authoriser/authoriser.json']
  write({ [old]: 'A' })
  run(copy)
  expect(run(remove)).not.toBe(0)
  expect([read(old), read(moved)]).toEqual(['A', undefined])
  write({ [moved]: 'another key' })
  expect(run(copy)).not.toBe(0)
  expect(run(remove)).not.toBe(0)
  expect([read(old), read(moved)]).toEqual(['A', 'another key'])
  rmSync(path.join(root, moved))
  expect(run(copy)).toBe(0)
  expect([read(old), read(moved)]).toEqual(['A', 'A'])
  expect(run(remove)).toBe(0)
  expect([read(old), read(moved)]).toEqual([undefined, 'A'])
})
