import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { PROGRAM_ERRORS } from '@sotto/protocol'
import { readErrorsPage, renderErrors } from './fixtures/errors-page.ts'

const page = readFileSync(fileURLToPath(new URL('../ERRORS.md', import.meta.url)), 'utf8')

test('every error of the program has a test that provokes it', () => {
  // Each test in ERRORS.md fails if it no longer provokes its error: see fixtures/watch-errors.ts.
  expect([...readErrorsPage(page).keys()]).toEqual(PROGRAM_ERRORS.map(({ name }) => name))
  expect(renderErrors(readErrorsPage(page))).toBe(page)
})

test('error codes are unique and consecutive', () => {
  const codes = PROGRAM_ERRORS.map(({ code }) => code)
  expect(codes).toEqual(codes.map((_, index) => 7_000 + index))
})
