import { address, AccountRole, getBase58Encoder, type Instruction } from '@solana/kit'
import { expect, it } from 'vitest'
import type { ChainRpc } from '../../adapters/rpc/rpc-client.ts'
import { makeUnsigned } from '../unsigned-transaction.ts'
import { land } from './land.ts'
import { fateByNode, fateByNodes } from './proven-dead.ts'

const PAYER = address('SysvarRent111111111111111111111111111111111')
const OTHER = address('SysvarC1ock11111111111111111111111111111111')
const LAST_VALID = 500n

/** The simulated state of one node. */
interface Node {
  readonly height?: bigint
  readonly slot?: bigint
  /** The slot at which the node answers about signatures and blockhashes, if it differs from `slot`. */
  readonly laterSlot?: bigint
  readonly isValid?: boolean
  readonly status?: object
  readonly isDown?: boolean
}

const DEAD: Node = { height: LAST_VALID + 1n, slot: 900n }

function nodeOf({ height, slot = 900n, laterSlot = slot, ...node }: Node): ChainRpc {
  const answer = (value: unknown) => ({
    send: async () => {
      if (node.isDown === true) throw new Error('down')
      return value
    },
  })
  const context = { slot: laterSlot }
  const lifetime = { blockhash: PAYER, lastValidBlockHeight: LAST_VALID }
  return {
    getEpochInfo: () => answer({ absoluteSlot: slot, blockHeight: height ?? LAST_VALID }),
    getSignatureStatuses: () => answer({ context, value: [node.status ?? null] }),
    isBlockhashValid: () => answer({ context, value: node.isValid ?? false }),
    sendTransaction: () => answer('signed'),
    getLatestBlockhash: () => answer({ context, value: lifetime }),
  } as unknown as ChainRpc
}

async function signedOf(instructions: readonly Instruction[] = []) {
  const { wire } = await makeUnsigned(nodeOf({}), PAYER, instructions)
  return { signature: 'signed', wire, lastValidBlockHeight: LAST_VALID }
}

it('one node shows a transaction as dead only if all its answers agree', async () => {
  const signed = await signedOf()
  const fate = (node: Node) => fateByNode(nodeOf(node), signed)
  expect(await fate(DEAD)).toBe('dead')
  expect(await fate({ ...DEAD, height: LAST_VALID })).toBe('open')
  expect(await fate({ ...DEAD, isValid: true })).toBe('open')
  // The node's list of signatures is older than its block height.
  expect(await fate({ ...DEAD, laterSlot: 899n })).toBe('open')
  expect(await fate({ ...DEAD, status: { err: null } })).toBe('in_block')
})

it('a transaction is proven dead only if two nodes show it as dead', async () => {
  const signed = await signedOf()
  const fate = (...nodes: Node[]) => fateByNodes(nodes.map(nodeOf), signed)
  expect(await fate(DEAD, DEAD)).toBe('dead')
  expect(await fate(DEAD, {})).toBe('open')
  expect(await fate(DEAD, { isDown: true })).toBe('open')
  expect(await fate(DEAD, { isDown: true }, DEAD)).toBe('dead')
})

it('a transaction is not dead if any node knows it', async () => {
  const signed = await signedOf()
  const known: Node = { ...DEAD, status: { err: null } }
  const nodes = [DEAD, DEAD, known].map(nodeOf)
  expect(await fateByNodes(nodes, signed)).toBe('in_block')
})

const clock = { nowMs: () => 0, sleep: async () => undefined }

it('a command does not sign again after a single false answer', async () => {
  const signed = await signedOf()
  const landed = { ...DEAD, status: { err: null, confirmationStatus: 'confirmed' } }
  const after = (deaths: number) => {
    let answers = 0
    // Each poll reads the status twice.
    const node = () => nodeOf((answers += 1) <= 2 * deaths ? DEAD : landed)
    return new Proxy(nodeOf(DEAD), {
      get: (rpc, name) =>
        Reflect.get(name === 'getSignatureStatuses' ? node() : rpc, name) as unknown,
    })
  }
  expect(await land({ clock, rpc: after(1) }, signed)).toBe(true)
  expect(await land({ clock, rpc: after(2) }, signed)).toBe(false)
})

it('a command ends with an error if only one of several nodes calls a transaction dead', async () => {
  const signed = await signedOf()
  const of = (...nodes: Node[]) => ({ clock, rpc: nodeOf(DEAD), witnesses: nodes.map(nodeOf) })
  await expect(land(of(DEAD, {}), signed)).rejects.toThrow(/nodes differ.*SOTTO_RPC_URLS/)
  expect(await land(of(DEAD, DEAD), signed)).toBe(false)
})

const instruction = (data: readonly number[]): Instruction => ({
  programAddress: address('11111111111111111111111111111111'),
  accounts: [{ address: PAYER, role: AccountRole.WRITABLE_SIGNER }],
  data: new Uint8Array(data),
})

/** A clock on which only pauses take time. */
function virtualClock() {
  let nowMs = 0
  return {
    clock: { nowMs: () => nowMs, sleep: async (ms: number) => void (nowMs += ms) },
    steadyMs: () => nowMs,
  }
}

it('a command waits five minutes for a transaction with a durable nonce', async () => {
  const signed = await signedOf([instruction([4, 0, 0, 0])])
  const nodes = [DEAD, DEAD].map(nodeOf)
  for (const witnesses of [[], nodes]) {
    const time = virtualClock()
    const landed = land({ ...time, rpc: nodeOf(DEAD), witnesses }, signed)
    await expect(landed).rejects.toThrow(/signed landed.*durable nonce.*new-nonce/)
    expect(time.steadyMs()).toBeLessThan(303_000)
  }
  const mortal = await signedOf([instruction([2, 0, 0, 0])])
  expect(await land({ ...virtualClock(), rpc: nodeOf(DEAD) }, mortal)).toBe(false)
})

/** A node whose nonce account has this value. */
function withNonce(node: Node, value: string): ChainRpc {
  const data = new Uint8Array(80)
  data.set([1, 0, 0, 0, 1, 0, 0, 0])
  data.set(getBase58Encoder().encode(value), 40)
  const account = {
    owner: '11111111111111111111111111111111',
    data: [Buffer.from(data).toString('base64'), 'base64'],
    ...{ lamports: 1n, executable: false, space: 80n },
  }
  const answer = { context: { slot: node.slot ?? 900n }, value: [account] }
  const getMultipleAccounts = () => ({ send: async () => answer })
  return Object.assign(nodeOf(node), { getMultipleAccounts })
}

it('a transaction with a durable nonce is dead once another transaction has used the nonce', async () => {
  const nonce = instruction([4, 0, 0, 0])
  const accounts = [{ address: OTHER, role: AccountRole.WRITABLE }, ...(nonce.accounts ?? [])]
  const signed = { ...(await signedOf([{ ...nonce, accounts }])), nonceSlot: 800n }
  const unused = withNonce(DEAD, PAYER)
  const used = withNonce(DEAD, OTHER)
  expect(await fateByNode(unused, signed)).toBe('open')
  expect(await fateByNode(used, signed)).toBe('dead')
  // The list of signatures is older than the nonce.
  expect(await fateByNode(withNonce({ ...DEAD, laterSlot: 899n }, OTHER), signed)).toBe('open')
  expect(await fateByNode(withNonce({ ...DEAD, status: { err: null } }, OTHER), signed)).toBe(
    'in_block',
  )
  // A node that lags shows an older nonce. Without `nonceSlot`, the older nonce could be mistaken for a newer nonce.
  const { nonceSlot: _slot, ...unknown } = signed
  expect(await fateByNode(used, unknown)).toBe('open')
  expect(await land({ ...virtualClock(), rpc: used }, signed)).toBe(false)
})

it('a command tries for five minutes if the node fails', async () => {
  const signed = await signedOf()
  const lines: string[] = []
  const time = virtualClock()
  const rpc = nodeOf({ isDown: true })
  const landed = land({ ...time, rpc, report: (line) => lines.push(line) }, signed)
  await expect(landed).rejects.toThrow(/may have landed.*down.*Search for the transaction/)
  expect(time.steadyMs()).toBeGreaterThan(290_000)
  expect(lines).toEqual(['sending the transaction signed'])
})

it('a command ends at once if the node refuses the transaction', async () => {
  const refusal = Object.assign(new Error('refused'), { context: { __code: -32_002 } })
  const rpc = Object.assign(nodeOf({}), {
    sendTransaction: () => ({ send: () => Promise.reject(refusal) }),
  }) as ChainRpc
  const time = virtualClock()
  await expect(land({ ...time, rpc }, await signedOf())).rejects.toThrow(/refuse to send.*signed/)
  expect(time.steadyMs()).toBe(0)
})

it('the first Ctrl-C prints the signature and lets the command continue', async () => {
  const lines: string[] = []
  let press: (() => void) | undefined
  const onInterrupt = (listener: () => void) => {
    press = listener
    return () => void (press = undefined)
  }
  const time = virtualClock()
  const sleep = async (ms: number) => {
    press?.()
    await time.clock.sleep(ms)
  }
  const context = { ...time, clock: { ...time.clock, sleep }, rpc: nodeOf(DEAD), onInterrupt }
  await land({ ...context, report: (line) => lines.push(line) }, await signedOf())
  expect(lines[1]).toMatch(/waiting until the transaction signed lands.*Ctrl-C again/)
  expect(press).toBeUndefined()
})

it('a command that waits for its transaction stays within the limits of public nodes', async () => {
  let nowMs = 0
  const sent: { readonly name: string; readonly atMs: number }[] = []
  const until = 60_000
  const rpc = new Proxy(nodeOf({}), {
    get: (node, name) => {
      sent.push({ name: String(name), atMs: nowMs })
      const landed = { err: null, confirmationStatus: 'confirmed' }
      const now = nowMs < until ? node : nodeOf({ status: landed })
      return Reflect.get(now, name) as unknown
    },
  })
  const virtual = { nowMs: () => nowMs, sleep: async (ms: number) => void (nowMs += ms) }
  expect(await land({ clock: virtual, rpc }, await signedOf())).toBe(true)
  expect(sent.length).toBeGreaterThan(20)
  for (const { atMs } of sent) {
    const within = sent.filter((one) => one.atMs >= atMs && one.atMs < atMs + 10_000)
    const counts = [...new Set(within.map(({ name }) => name))].map(
      (name) => within.filter((one) => one.name === name).length,
    )
    // Public nodes allow 100 requests in ten seconds, and 40 of one method. A command may use only half of these
    // limits, which leaves room for a service.
    expect(within.length).toBeLessThanOrEqual(50)
    expect(Math.max(...counts)).toBeLessThanOrEqual(20)
  }
})
