import { address } from '@solana/kit'
import {
  amount,
  encodeTicket,
  NATIVE_MINT,
  ownerOf,
  unixSeconds,
  type Ticket,
} from '@sotto/protocol'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { CliContext } from '../../context.ts'
import { runBalanceList } from './list.ts'

const OWNER = 3n
const WALLET = address('SysvarC1ock11111111111111111111111111111111')
const ticket: Ticket = {
  ...{ program: WALLET, orderId: new Uint8Array(16), secret: OWNER },
  note: {
    ...{ nk: 7n, sender: WALLET, mint: NATIVE_MINT, value: amount(5_000_000n) },
    claim: { kind: 'balance', owner: ownerOf(OWNER) },
    ...{ deadline: unixSeconds(1_800_000_000n), expiry: unixSeconds(1_800_086_400n) },
  },
}
const request = { to: WALLET, amount: '1' }
const validUntil = '2027-01-15T08:10:00.000Z'

let home: string
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'sotto-list-'))
  await mkdir(join(home, 'balances'))
})
afterAll(() => rm(home, { recursive: true }))

/** The list of balances as a table, while the node doesn't answer. */
async function listWith(payments: object): Promise<string> {
  const saved = { version: 1, secret: '03', topUp: null, leafIndex: '0', payments }
  const text = JSON.stringify({ ...saved, ticket: encodeTicket(ticket) })
  await writeFile(join(home, 'balances', 'rent.json'), text)
  const shown: string[] = []
  const output = {
    ...{ isJson: false, width: 200, progress: { doing: () => undefined } },
    note: () => undefined,
    result: (_: object, show: () => string) => shown.push(show()),
  }
  const rpc = () => Promise.reject(new Error('offline'))
  const settings = { home, programId: WALLET }
  await runBalanceList({ output, settings, rpc } as unknown as CliContext)
  return shown.join('')
}

it.each([
  ['the end of a signed payment', { step: 'signed', trackingId: 't', terms: { validUntil } }],
  ['that a payment was begun', { step: 'quoted' }],
])('shows %s', async (_, saved) => {
  const shown = await listWith({ 'key:one': { request, ...saved } })
  expect(shown).toContain(saved.step === 'signed' ? validUntil : 'begun, and not signed')
})

it('shows no payment in progress if all payments of the balance were made', async () => {
  const shown = await listWith({ 'key:one': { request, step: 'paid', paid: {} } })
  expect(shown).not.toMatch(/signed|2027-01-15T08:10/)
})
