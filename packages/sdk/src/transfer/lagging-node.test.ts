import { CLOCK_SYSVAR, poolAddress, type Address } from '@sotto/protocol'
import {
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE,
  SOLANA_ERROR__TRANSACTION_ERROR__BLOCKHASH_NOT_FOUND,
  SolanaError,
} from '@solana/kit'
import { expect, it } from 'vitest'
import { submitStep } from './deposit-steps.ts'

const PROGRAM = 'Sotto11111111111111111111111111111111111111' as Address
const WALLET = 'SysvarC1ock11111111111111111111111111111111' as Address
const DEADLINE = 1_800_000_000n
const LAST_HEIGHT = 150n

const state = {
  ...{ step: 'submitting', request: { senderAddress: WALLET }, deadAfter: `${DEADLINE}` },
  ...{ signature: 'first', wire: 'AA==' },
  order: {
    trackingId: `tr_${'A'.repeat(22)}`,
    expiration: new Date(Number(DEADLINE) * 1_000).toISOString(),
    lastValidBlockHeight: `${LAST_HEIGHT}`,
  },
} as never

function clockAccount() {
  const data = Buffer.alloc(40)
  data.writeBigInt64LE(DEADLINE - 600n, 32)
  const owner = 'Sysvar1111111111111111111111111111111111111'
  return { owner, data: [data.toString('base64'), 'base64'] }
}

function poolAccount() {
  const data = Buffer.alloc(176)
  data.writeUInt8(1, 0)
  return { owner: PROGRAM, data: [data.toString('base64'), 'base64'] }
}

/** The error of a node that doesn't know the transaction's blockhash. */
const unknownBlockhash = () =>
  new SolanaError(SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE, {
    cause: new SolanaError(SOLANA_ERROR__TRANSACTION_ERROR__BLOCKHASH_NOT_FOUND),
  } as never)

/** A node that doesn't know the blockhash. With each pause, its height grows by ten blocks. */
async function submitted() {
  const pool = await poolAddress(PROGRAM)
  const shown = (account: string) => (account === pool ? poolAccount() : null)
  let height = LAST_HEIGHT - 45n
  let sent = 0
  const rpc = {
    getMultipleAccounts: (accounts: readonly string[]) => ({
      send: async () => ({
        value: accounts.map((one) => (one === CLOCK_SYSVAR ? clockAccount() : shown(one))),
      }),
    }),
    getBlockHeight: () => ({ send: async () => height }),
    sendTransaction: () => ({
      send: async () => {
        sent += 1
        throw unknownBlockhash()
      },
    }),
  }
  const sleep = async () => {
    height += 10n
  }
  const context = { rpc, programId: PROGRAM, host: { sleep }, pollMs: 1, signal: undefined }
  return { running: submitStep(context as never, state), sent: () => sent }
}

it('sends the same transaction again until its blockhash has expired, if the node does not know the blockhash', async () => {
  const { running, sent } = await submitted()
  expect(await running).toMatchObject({ step: 'refreshing' })
  // The node is asked at the heights 105, 115, 125, 135 and 145. The blockhash has expired after height 150.
  expect(sent()).toBe(5)
})
