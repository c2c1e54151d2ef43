import path from 'node:path'
import { expect, it } from 'vitest'
import { definedTitles, listTestTitles, runsTitled, rustTitles } from './test-titles.ts'

it('lists this test', async () => {
  const file = 'tools/tidy/test-titles.test.ts'
  const titles = await listTestTitles(path.join(import.meta.dirname, '../..'), [file])
  expect(titles.get(file)).toContain('lists this test')
})

it.each([
  ['pays once', 'pays once'],
  ['pays %s once', 'pays a token once'],
  ['pays ${what} once', 'pays a token once'],
  ['pays %s once', 'pays %s once'],
])('the title "%s" matches the name "%s"', (title, wanted) => {
  expect(runsTitled([title], wanted)).toBe(true)
})

it.each([
  ['pays once', 'pays twice'],
  ['pays once', 'pays'],
  ['%s', 'pays once'],
  ['pays %s once', 'pays once'],
])('the title "%s" does not match the name "%s"', (title, wanted) => {
  expect(runsTitled([title], wanted)).toBe(false)
})

it('leaves out Rust tests that are ignored or commented out', () => {
  const text = '#[test]\nfn pays() {}\n#[test]\n#[ignore]\nfn waits() {}\n// #[test] fn gone() {}'
  expect(rustTitles(text)).toEqual(['pays'])
})

it('finds the tests in a file that defines tests for other files', () => {
  const text =
    "it('pays once', async () => {})\n  test(\n    'pays \"twice\"',\n    () => {},\n  )\nexit('x')"
  expect(definedTitles(text)).toEqual(['pays once', 'pays "twice"'])
})
