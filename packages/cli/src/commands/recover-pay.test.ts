import { address } from '@solana/kit'
import { amount, encodeTicket, ownerOf, unixSeconds } from '@sotto/protocol'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { CliContext } from '../context.ts'
import { runPay } from './recover-pay.ts'

const OWNER = 3n
const USDC = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v')
const ticket = encodeTicket({
  ...{ program: USDC, orderId: new Uint8Array(16), secret: OWNER },
  note: {
    ...{ nk: 7n, sender: USDC, mint: USDC, value: amount(5_000_000n) },
    claim: { kind: 'balance', owner: ownerOf(OWNER) },
    ...{ deadline: unixSeconds(1_800_000_000n), expiry: unixSeconds(1_800_086_400n) },
  },
})

let home: string
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'sotto-recover-pay-'))
})
afterAll(() => rm(home, { recursive: true }))

it('does not read an amount as base units if the node does not show the mint', async () => {
  const file = join(home, 'ticket')
  await writeFile(file, ticket)
  const asked: string[] = []
  // Several nodes may share one address. One of them may lack the mint even if the next one has it.
  const getAccountInfo = (account: string) => {
    asked.push(account)
    return { send: async () => ({ context: { slot: 1n }, value: null }) }
  }
  const context = {
    ...{ output: {}, settings: { home }, signal: new AbortController().signal },
    ...{ signer: async () => ({}), rpc: async () => ({ getAccountInfo }) },
  } as unknown as CliContext
  const paid = runPay(context, file, { to: USDC, amount: '5' })
  await expect(paid).rejects.toMatchObject({ code: 'MINT_MISSING', exitCode: 6 })
  expect(asked).toEqual([USDC])
})
