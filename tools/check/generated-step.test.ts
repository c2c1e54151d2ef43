import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { compareGenerated } from './generated-step.ts'

let root: string
beforeEach(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'sotto-generated-'))
})
afterEach(() => fs.rmSync(root, { recursive: true, force: true }))

test('a generated file passes if it equals the committed file', async () => {
  fs.writeFileSync(path.join(root, 'a.txt'), 'made')
  expect((await compare('made')).problems).toEqual([])
})

test('a stale file fails the check and stays unchanged', async () => {
  fs.writeFileSync(path.join(root, 'a.txt'), 'stale')
  expect((await compare('made')).problems).toEqual(['a.txt would change'])
  expect(fs.readFileSync(path.join(root, 'a.txt'), 'utf8')).toBe('stale')
})

test('a file that was never committed fails the check and is deleted', async () => {
  expect((await compare('made')).problems).toEqual(['a.txt would change'])
  expect(fs.readdirSync(root)).toEqual([])
})

test('a failing command fails the check', async () => {
  fs.writeFileSync(path.join(root, 'a.txt'), 'made')
  const outcome = await compareGenerated(root, {
    command: [process.execPath, '-e', 'console.error("no source"); process.exit(4)'],
    files: ['a.txt'],
  })
  expect(outcome.problems.join()).toMatch(/code 4[^]*no source/)
})

async function compare(content: string) {
  const target = JSON.stringify(path.join(root, 'a.txt'))
  const program = `require('fs').writeFileSync(${target}, ${JSON.stringify(content)})`
  return compareGenerated(root, { command: [process.execPath, '-e', program], files: ['a.txt'] })
}
