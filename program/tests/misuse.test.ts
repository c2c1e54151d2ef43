import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { IDL_INSTRUCTIONS } from './fixtures/idl.ts'
import { LANDS, MISUSED, misuseOf, type Misuse } from './fixtures/misuse.ts'
import { renderMisuse } from './fixtures/misuse-page.ts'

const ANYONE_PAYS = 'Anyone may pay the rent.'
const OWN_CHOICE = 'The admin says where the money goes; only accounts of the pool are refused.'
const NO_SUCH_OWNER =
  'No mint changes its owner; the transfer itself is the token program’s affair.'
const NO_SUCH_COPY = 'Only the program makes such accounts, and only at their derived addresses.'
const SAME_WALLET =
  'The admin stands there twice and is the source; one of them being writable is enough.'
const AUTHORISED = 'Whoever holds the admin’s key may do it again.'

/** Everything that lands though something was changed, and why nobody is hurt. */
const HARMLESS: Readonly<Record<string, string>> = {
  'initialize payer a stranger': ANYONE_PAYS,
  'initialize tree a copy': 'Any empty account of the program’s can become the Tree.',
  'setConfig newAdmin a stranger': 'A new admin who signs is what it is for.',
  'setConfig newAdmin another of its accounts': 'The admin again: nothing is handed over.',
  'rotateAuthoriser the whole replay': AUTHORISED,
  'addAsset payer a stranger': ANYONE_PAYS,
  'addAsset payer another of its accounts': ANYONE_PAYS,
  'setAsset the whole replay': AUTHORISED,
  'addInventory admin read-only': 'Lamports leave the admin only for native SOL.',
  'addInventory source a copy': 'The admin may pay from any account of theirs.',
  'addInventory mint another owner': NO_SUCH_OWNER,
  'addInventory the whole replay': AUTHORISED,
  'addInventory, native admin read-only': SAME_WALLET,
  'addInventory, native source read-only': SAME_WALLET,
  'addInventory, native mint another owner': NO_SUCH_OWNER,
  'addInventory, native the whole replay': AUTHORISED,
  'removeInventory destination a copy': OWN_CHOICE,
  'removeInventory mint another owner': NO_SUCH_OWNER,
  'removeInventory, native destination a stranger': OWN_CHOICE,
  'removeInventory, native destination another of its accounts': OWN_CHOICE,
  'removeInventory, native mint another owner': NO_SUCH_OWNER,
  'collectFees destination a copy': OWN_CHOICE,
  'collectFees mint another owner': NO_SUCH_OWNER,
  'collectFees, native destination a stranger': OWN_CHOICE,
  'collectFees, native destination another of its accounts': OWN_CHOICE,
  'collectFees, native mint another owner': NO_SUCH_OWNER,
  'deposit senderToken a copy': 'The sender may pay from any account of theirs.',
  'deposit mint another owner': NO_SUCH_OWNER,
  'deposit, token to native senderToken a copy': 'The sender may pay from any account of theirs.',
  'deposit, token to native mint another owner': NO_SUCH_OWNER,
  'settle payer a stranger': ANYONE_PAYS,
  'settle mint another owner': NO_SUCH_OWNER,
  'settle, native delivery payer a stranger': ANYONE_PAYS,
  'settle, native refund payer a stranger': ANYONE_PAYS,
  'settle, token refund payer a stranger': ANYONE_PAYS,
  'settle, token refund mint another owner': NO_SUCH_OWNER,
  'closeOrder order a copy': NO_SUCH_COPY,
  'closeNullifier nullifier a copy': NO_SUCH_COPY,
}

const found = new Map<string, readonly Misuse[]>()
const all = () =>
  [...found].flatMap(([name, misuses]) => misuses.map((misuse) => ({ name, ...misuse })))

beforeAll(async () => {
  for (const name of MISUSED) found.set(name, await misuseOf(name))
}, 120_000)

test('every misuse of every instruction is refused, or stands here with the reason why not', () => {
  const landed = all().filter(({ results }) => results.includes(LANDS))
  const names = landed.map(({ name, subject, kind }) => `${name} ${subject} ${kind}`)
  expect(names.sort()).toEqual(Object.keys(HARMLESS).sort())
})

test('every account of the IDL is misused in every way that applies to it', () => {
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

test('wherever the program itself can tell, the error is its own', () => {
  const foreign = all().filter(({ results }) =>
    results.some((result) => /runtime|inner/.test(result)),
  )
  // What moves money or makes accounts fails there, before the program looks at write access.
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
