import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { PROGRAM_ERRORS } from '@sotto/protocol'

const FOLDER = fileURLToPath(new URL('.', import.meta.url))
/** Errors that only broken cryptography could reach; a test in Rust shows them. */
const UNREACHABLE = new Set(['HashFailed'])

test('every error of the program is reached by a test of the built program', () => {
  const tests = readdirSync(FOLDER).filter((name) => name.endsWith('.test.ts'))
  const text = tests
    .filter((name) => name !== 'error-coverage.test.ts')
    .map((name) => readFileSync(`${FOLDER}${name}`, 'utf8'))
    .join('\n')
  const unreached = PROGRAM_ERRORS.filter(({ name }) => !text.includes(`'${name}'`))
  expect(new Set(unreached.map(({ name }) => name))).toEqual(UNREACHABLE)
})

test('codes are unique and follow each other, so that appending is the only change', () => {
  const codes = PROGRAM_ERRORS.map(({ code }) => code)
  expect(codes).toEqual(codes.map((_, index) => 7_000 + index))
})
