import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { HARMLESS } from './fixtures/harmless-misuse.ts'
import { IDL_INSTRUCTIONS } from './fixtures/idl.ts'
import { LANDS, MISUSED, misuseOf, type Misuse } from './fixtures/misuse.ts'
import { renderMisuse } from './fixtures/misuse-page.ts'

const found = new Map<string, readonly Misuse[]>()
const all = () =>
  [...found].flatMap(([name, misuses]) => misuses.map((misuse) => ({ name, ...misuse })))

beforeAll(async () => {
  for (const name of MISUSED) found.set(name, await misuseOf(name))
})

test('every misuse that lands is listed as harmless with a reason', () => {
  const landed = all().filter(({ results }) => results.includes(LANDS))
  const names = landed.map(({ name, subject, kind }) => `${name} ${subject} ${kind}`)
  expect(names.sort()).toEqual(Object.keys(HARMLESS).sort())
})

test('every account of the IDL is misused in every applicable way', () => {
  for (const { name, accounts = [] } of IDL_INSTRUCTIONS) {
    for (const account of accounts) {
      const kinds = all()
        .filter((one) => one.name === name && one.subject === account.name)
        .map(({ kind }) => kind)
      const expected = ['a stranger', 'another of its accounts']
      if (account.isSigner === true) expected.push('unsigned')
      if (account.isWritable) expected.push('read-only')
      expect(kinds, `${name} ${account.name}`).toEqual(expect.arrayContaining(expected))
    }
  }
})

test('only a few kinds of misuse are refused outside the program', () => {
  const foreign = all().filter(({ results }) =>
    results.some((result) => /runtime|inner/.test(result)),
  )
  // In these cases, the program moves money or creates an account before it checks the access. The runtime then refuses
  // the instruction.
  const kinds = new Set(foreign.map(({ subject, kind }) => `${subject} ${kind}`))
  expect([...kinds].sort()).toEqual([
    'payer another of its accounts',
    'payer read-only',
    'sender read-only',
    'senderToken read-only',
    'source read-only',
    'vault read-only',
  ])
})

test('the committed page of misuses is current', () => {
  const file = fileURLToPath(new URL('../MISUSE.md', import.meta.url))
  expect(readFileSync(file, 'utf8')).toBe(renderMisuse(found))
})
