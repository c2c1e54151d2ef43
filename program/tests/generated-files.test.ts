import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { PROGRAM_FILE } from './fixtures/chain.ts'

const run = (script: string) =>
  execFileSync(
    process.execPath,
    ['--import', 'tsx', fileURLToPath(new URL(`../${script}`, import.meta.url)), '--check'],
    { encoding: 'utf8', stdio: 'pipe' },
  )

test('the committed vectors equal the output of their generator', () => {
  expect(() => run('generate-vectors.ts')).not.toThrow()
})

test('the committed TypeScript matches the committed program and its source', () => {
  expect(() => run('generate-client.ts')).not.toThrow()
})

test('the committed program has the SHA-256 in the file next to it', () => {
  const hash = createHash('sha256').update(readFileSync(PROGRAM_FILE)).digest('hex')
  expect(readFileSync(`${PROGRAM_FILE}.sha256`, 'utf8')).toBe(`${hash}  sotto_program.so\n`)
})

test('no path of the building machine is in the program', () => {
  const text = readFileSync(PROGRAM_FILE, 'latin1')
  expect(text).not.toMatch(/\/(root|home|work|tmp|usr|Users)\//)
})
