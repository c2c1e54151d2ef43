import { expect, test } from 'vitest'
import { testTitles } from './test-titles.ts'

const isRun = (text: string, path = 'testing/pay.test.ts') =>
  testTitles({ path, text, lines: 1 }).has('pays once')

test.each([
  ['a test', "it('pays once', () => {})"],
  ['a test in a group', "describe('x', () => { test('pays once', () => {}) })"],
  ['a test under a condition', "it.runIf(true)('pays once', () => {})"],
  ['a row of a table', "test.each([['pays once', 1]])('%s', () => {})"],
  ['a table of single texts', "test.each(['pays once'])('%s', () => {})"],
  [
    'a row of a table elsewhere',
    "const ROWS = [['pays once', 1]] as const\ntest.each(ROWS)('%s', () => {})",
  ],
  [
    'a name in an object of cases',
    "const CASES = { 'pays once': 1 }\ntest.each(Object.entries(CASES))('%s', () => {})",
  ],
  [
    'a function that names its test',
    "function pays(name: string) { test(name, () => {}) }\npays('pays once')",
  ],
])('%s is run', (_name, text) => expect(isRun(text)).toBe(true))

test.each([
  ['a comment', "// test('pays once', () => {})"],
  ['other text', "const a = 'pays once'"],
  ['a part of a title', "test('pays once or twice', () => {})"],
  ['a test that is skipped', "test.skip('pays once', () => {})"],
  ['a test still to be written', "test.todo('pays once')"],
  ['a test in a group that is skipped', "describe.skip('x', () => { it('pays once', () => {}) })"],
  ['a table that is skipped', "test.skip.each(['pays once'])('%s', () => {})"],
  ['text inside a row', "test.each([['x', 'pays once']])('%s', () => {})"],
])('%s is not', (_name, text) => expect(isRun(text)).toBe(false))

test('of Rust counts what stands behind its mark, outside comments', () => {
  const path = 'program/src/pay.rs'
  const titles = (text: string) => [...testTitles({ path, text, lines: 1 })]
  expect(titles('#[test]\n    fn pays_once() {}')).toEqual(['pays_once'])
  expect(titles('// #[test]\nfn pays_once() {}')).toEqual([])
  expect(titles('#[test]\n#[ignore]\nfn pays_once() {}')).toEqual([])
})
