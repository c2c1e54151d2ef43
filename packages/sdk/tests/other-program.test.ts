import {
  CLOCK_SYSVAR,
  encodeTicket,
  NATIVE_MINT,
  ownerOf,
  poolAddress,
  unixSeconds,
  type Address,
} from '@sotto/protocol'
import {
  AccountRole,
  appendTransactionMessageInstruction,
  blockhash,
  compileTransaction,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit'
import { describe, expect, it } from 'vitest'
import { memoryBalance, openBalance, readBalance, restoreBalance } from '../balance.ts'
import { memoryTickets, transfer, type TransferState } from '../wallet.ts'

const PROGRAM = 'Sotto11111111111111111111111111111111111111' as Address
const OTHER = 'SysvarRent111111111111111111111111111111111' as Address
const WALLET = 'SysvarC1ock11111111111111111111111111111111' as Address
const TREE = 'SysvarRecentB1ockHashes11111111111111111111' as Address
const POOL = await poolAddress(PROGRAM)
const SECRET = 77n
const DEADLINE = 1_800_000_000n
const EXPIRY = DEADLINE + 86_400n

const orderId = new Uint8Array(16).fill(7)
const times = { deadline: unixSeconds(DEADLINE), expiry: unixSeconds(EXPIRY) }
const note = { sender: WALLET, mint: NATIVE_MINT, value: 10n as never, nk: 5n, ...times }
const balanceTicket = encodeTicket({
  ...{ program: PROGRAM, orderId, secret: SECRET },
  note: { ...note, claim: { kind: 'balance', owner: ownerOf(SECRET) } },
})
const recovery = encodeTicket({
  ...{ program: PROGRAM, orderId },
  note: { ...note, claim: { kind: 'transfer', recipient: WALLET, amountOut: 9n as never } },
})
/** A payment that was signed. Its last valid second has passed by the clock of the node below. */
const signed = {
  ...{ step: 'signed', trackingId: 'x', request: { to: WALLET, amount: '1' } },
  terms: {
    leafIndex: 0,
    payee: WALLET,
    payout: '1',
    fee: '1',
    change: '8',
    validUntil: '2027-01-15T08:00:00.000Z',
  },
}
const STORED = JSON.stringify({
  ...{ version: 1, secret: '4d', topUp: null, ticket: balanceTicket, leafIndex: '0' },
  payments: { 'one:invoice': signed },
})

/**
 * A node of another cluster: it shows the clock, and none of the program's accounts except perhaps a Pool of its own.
 */
function otherCluster(pool: object | null = null) {
  const data = Buffer.alloc(40)
  data.writeBigInt64LE(DEADLINE + 3_600n, 32)
  const owner = 'Sysvar1111111111111111111111111111111111111'
  const clock = { owner, data: [data.toString('base64'), 'base64'] }
  const shown = (account: string) =>
    account === CLOCK_SYSVAR ? clock : account === POOL ? pool : null
  return {
    getMultipleAccounts: (accounts: readonly string[]) => ({
      send: async () => ({ value: accounts.map(shown) }),
    }),
    getAccountInfo: (account: string) => ({
      send: async () => ({ context: { slot: 1n }, value: shown(account) }),
    }),
    getBlockHeight: () => ({ send: async () => 1_000n }),
  } as never
}

/** A pool of the same program on the other cluster. Its Tree has another address. */
const otherPool = () => {
  const data = Buffer.alloc(176)
  data[0] = 1
  return { owner: PROGRAM, data: [data.toString('base64'), 'base64'] }
}

/** The transaction of an order. Its deposit names the Tree of the right cluster. */
const transaction = pipe(
  createTransactionMessage({ version: 0 }),
  (message) => setTransactionMessageFeePayer(WALLET, message),
  (message) =>
    setTransactionMessageLifetimeUsingBlockhash(
      { blockhash: blockhash(OTHER), lastValidBlockHeight: 1n },
      message,
    ),
  (message) =>
    appendTransactionMessageInstruction(
      { programAddress: PROGRAM, accounts: [{ address: TREE, role: AccountRole.WRITABLE }] },
      message,
    ),
  (message) => getBase64EncodedWireTransaction(compileTransaction(message)),
)

const failing = new Proxy({}, { get: () => () => expect.fail('the service was asked') }) as never

function optionsOf(programId: Address) {
  const store = memoryBalance(STORED)
  const parts = { rpc: otherCluster(), service: failing, approve: () => true }
  return { ...parts, programId, store, acceptedPrograms: [] }
}

describe('a balance', () => {
  it('is neither opened, read nor restored under another program', async () => {
    const refused = { name: 'RecoveryError', code: 'PROGRAM_OTHER' }
    const options = optionsOf(OTHER)
    await expect(openBalance(options)).rejects.toMatchObject(refused)
    await expect(readBalance(options)).rejects.toMatchObject(refused)
    const empty = { ...options, store: memoryBalance(), ticket: balanceTicket }
    await expect(restoreBalance(empty)).rejects.toMatchObject(refused)
    expect(await options.store.read()).toBe(STORED)
  })

  it('keeps a signed payment if the node belongs to another cluster', async () => {
    const refused = { name: 'RecoveryError', code: 'WRONG_CLUSTER' }
    const options = optionsOf(PROGRAM)
    await expect(openBalance(options)).rejects.toMatchObject(refused)
    await expect(readBalance(options)).rejects.toMatchObject(refused)
    expect(await options.store.read()).toBe(STORED)
  })
})

describe.each(['signing', 'submitting', 'refreshing', 'unwinding', 'deposited'] as const)(
  'a transfer at %s',
  (step) => {
    const expiration = new Date(Number(DEADLINE) * 1_000).toISOString()
    const trackingId = `tr_${Buffer.from(orderId).toString('base64url')}`
    const order = { trackingId, recovery, expiration, deliverBy: expiration, transaction }
    const request = { senderAddress: WALLET }
    const state = { step, request, order, deadAfter: `${DEADLINE}`, wire: null, leafIndex: null }
    const status = async () => ({ status: 'delivered', final: true })
    const refresh = () =>
      Promise.reject(
        Object.assign(new Error('paid'), { code: 'ORDER_ALREADY_DEPOSITED', retry: 'never' }),
      )
    /** Resumes the transfer after the order's deadline. */
    function resume(programId: Address, pool: object | null = null) {
      const saved: string[] = []
      const ended = transfer({
        ...{ programId, rpc: otherCluster(pool), state: state as unknown as TransferState },
        save: async (next) => void saved.push(next.step),
        service: { hintDeposit: status, status, refresh } as never,
        signer: { address: WALLET, signWire: () => expect.fail('the wallet was asked') },
        ...{ approve: () => true, acceptedPrograms: [], tickets: memoryTickets() },
      })
      return { saved, ended }
    }

    it('is not resumed under another program', async () => {
      const { saved, ended } = resume(OTHER)
      await expect(ended).rejects.toMatchObject({ name: 'RecoveryError', code: 'PROGRAM_OTHER' })
      expect(saved).toEqual([])
    })

    it.each([
      ['without a pool', null],
      ['on which the same program has another pool', otherPool()],
    ])('does not end if the node belongs to another cluster %s', async (_which, pool) => {
      const { saved, ended } = resume(PROGRAM, pool)
      await expect(ended).rejects.toMatchObject({ name: 'RecoveryError', code: 'WRONG_CLUSTER' })
      expect(saved).not.toContain('done')
    })
  },
)
