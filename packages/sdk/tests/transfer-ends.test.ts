import {
  closeOrderInstruction,
  decodeOrder,
  decodeTicket,
  nullifierAddress,
  nullifierOf,
  orderAddress,
  type Address,
} from '@sotto/protocol'
import { getBase64Encoder } from '@solana/kit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signTransaction } from '../../server/src/adapters/chain/settlement/sign-transaction.ts'
import {
  sharedProcessProver,
  type SharedProcessProver,
} from '../../../testing/prover/shared-prover.ts'
import { startHttpStack, type HttpStack } from '../../server/tests/http/http-stack.ts'
import { solSend } from '../../server/tests/http/partner-client.ts'
import { startEngine, type Engine } from '../../server/tests/settlement/stack/engine.ts'
import { PROGRAM } from '../../server/tests/settlement/stack/localnet-process.ts'
import { makeWallet } from '../../server/tests/settlement/stack/wallet.ts'
import { createSottoClient } from '../server.ts'
import { systemHost } from '../src/host/host.ts'
import { noteHash } from '../src/verify/poseidon.ts'
import {
  askedFor,
  transfer,
  type TransferRequest,
  type TransferRpc,
  type TransferState,
} from '../wallet.ts'
import { openSurvivor, type Survivor } from './transfer/crash-points.ts'
import { claiming, startLyingProxy, type LyingProxy } from './transfer/lying-proxy.ts'
import { optionsOf } from './transfer/paying.ts'

let stack: HttpStack
let proxy: LyingProxy
let base: Awaited<ReturnType<typeof optionsOf>>
let prover: SharedProcessProver
let startSettling: () => Engine

beforeAll(async () => {
  stack = await startHttpStack()
  proxy = await startLyingProxy(stack.baseUrl)
  const service = createSottoClient({ baseUrl: proxy.url, apiKey: stack.apiKey, attempts: 1 })
  base = { ...(await optionsOf(stack)), service }
  prover = await sharedProcessProver()
  const relayers = [makeWallet()]
  await stack.localnet.local('requestAirdrop', [relayers[0]!.address, 500_000_000_000])
  type Shown = { tree: Address; domain: string }
  const { tree, domain } = await stack.operate<Shown>('pool', 'show')
  const pool = { tree, domain: new Uint8Array(Buffer.from(domain, 'hex')) }
  startSettling = () => startEngine({ ...stack, ...pool, prover, relayers })
})
afterAll(async () => {
  await proxy?.stop()
  await stack?.close()
})

/** A host on which each pause between two polls takes ten seconds of its clock, but hardly any real time. */
function hurried(startMs = systemHost.nowMs()) {
  let ms = startMs
  let pauses = 0
  const sleep = async () => {
    pauses += 1
    if (pauses > 200) throw new Error('the transfer waits for ever')
    ms += 10_000
    await systemHost.sleep(30)
  }
  return { ...systemHost, nowMs: () => ms, sleep }
}

/** A transfer whose deposit is on the chain and final. The service's settlement isn't running. */
async function deposited(request: TransferRequest): Promise<Survivor> {
  proxy.lie = undefined
  const survivor = openSurvivor(askedFor(request))
  const { save } = survivor
  await transfer({ ...base, save, until: 'paid', state: survivor.read() })
  return survivor
}

/** Resumes a saved transfer until it ends or fails. */
function goOn(survivor: Survivor, more: Partial<Parameters<typeof transfer>[0]> = {}) {
  const { save } = survivor
  return transfer({ ...base, save, state: survivor.read(), ...more })
}

const soon = { minDelaySeconds: 0, maxDelaySeconds: 1 }
const unproven = (claimed: string) => ({ name: 'UnprovenError', claimed })

function orderOf(state: TransferState) {
  if (state.step !== 'deposited') throw new Error(`the transfer is at ${state.step}`)
  return state.order
}

/** The address of the Nullifier account, derived from the state's ticket. */
async function nullifierOfState(state: TransferState): Promise<Address> {
  const { orderId, note } = decodeTicket(orderOf(state).recovery)
  const account = await orderAddress(PROGRAM, orderId)
  const options = { encoding: 'base64', commitment: 'confirmed' } as const
  const { value } = await stack.rpc.getAccountInfo(account, options).send()
  const { leafIndex } = decodeOrder(getBase64Encoder().encode(value!.data[0]))
  return nullifierAddress(PROGRAM, nullifierOf(noteHash, note.nk, leafIndex))
}

type Method = (...args: unknown[]) => { send: () => Promise<unknown> }

/** A node with some of its responses replaced. Each replacement function receives the real response. */
function nodeWith(answers: Partial<Record<string, (answer: unknown) => unknown>>): TransferRpc {
  return new Proxy(stack.rpc, {
    get: (object, key) => {
      const method = Reflect.get(object, key) as Method
      const change = answers[String(key)]
      if (change === undefined) return method
      return (...args: unknown[]) => ({ send: async () => change(await method(...args).send()) })
    },
  })
}

/** The same transaction record, changed so that it shows no movement of money. */
function unmoved(record: unknown): unknown {
  const { meta, ...rest } = record as { meta: { preBalances: bigint[] } }
  return { ...rest, meta: { ...meta, postBalances: meta.preBalances } }
}

describe('a service that lies about an unsettled order', () => {
  // These tests share one transfer. It stays unsettled, because settlement does not run before the next group of tests.
  let survivor: Survivor
  beforeAll(async () => {
    survivor = await deposited(solSend(stack, soon))
  })

  it.each(['delivered', 'refunded'])(
    'is not believed if it reports %s, and the ticket is kept',
    async (status) => {
      proxy.lie = claiming(status)
      const { recovery, trackingId } = orderOf(survivor.read())
      const running = goOn(survivor, { host: hurried() })
      await expect(running).rejects.toMatchObject(unproven(status))
      expect(orderOf(survivor.read())).toMatchObject({ recovery })
      expect(await base.tickets.read(trackingId)).toBe(recovery)
    },
  )

  it('contradicts the chain if it reports a paid order as expired', async () => {
    proxy.lie = claiming('expired')
    const running = goOn(survivor, { host: hurried() })
    await expect(running).rejects.toMatchObject({ name: 'DisagreementError' })
    expect(survivor.read().step).toBe('deposited')
  })

  it('is not believed if it reports delivered after lamports were sent to the nullifier', async () => {
    const nullifier = await nullifierOfState(survivor.read())
    await stack.localnet.local('requestAirdrop', [nullifier, 1_000_000])
    proxy.lie = claiming('delivered')
    const running = goOn(survivor, { host: hurried() })
    await expect(running).rejects.toMatchObject(unproven('delivered'))
  })
})

describe('while settlement runs', () => {
  it('a delivery is proved by the amount that the recipient got', async () => {
    const { usdc } = stack
    const requests = [
      solSend(stack, soon),
      solSend(stack, { ...soon, sourceAssetId: usdc, destinationAssetId: usdc, amount: '5000000' }),
      { ...solSend(stack, { ...soon, destinationAssetId: usdc }), minOut: '1' },
    ]
    const survivors: Survivor[] = []
    for (const request of requests) survivors.push(await deposited(request))
    const engine = startSettling()
    try {
      const ends = survivors.map(async (survivor, index) => {
        const { amountOut } = orderOf(survivor.read())
        const { recipientAddress, destinationAssetId } = requests[index]!
        const ended = await goOn(survivor)
        expect(ended).toMatchObject({
          outcome: 'delivered',
          settlement: { payee: recipientAddress, assetId: destinationAssetId, amount: amountOut },
          status: { status: 'delivered' },
        })
        expect(survivor.read().step).toBe('done')
      })
      await Promise.all(ends)
    } finally {
      await engine.stop()
    }
  })

  it('a delivery is proved without the service, but not by a node that hides it', async () => {
    const survivor = await deposited(solSend(stack, soon))
    const nullifier = await nullifierOfState(survivor.read())
    // Anyone who knows the address in advance can add transactions to its history.
    await stack.localnet.local('requestAirdrop', [nullifier, 1_000_000])
    const engine = startSettling()
    const options = { encoding: 'base64', commitment: 'finalized' } as const
    try {
      for (;;) {
        const { value } = await stack.rpc.getAccountInfo(nullifier, options).send()
        if (value?.owner === PROGRAM) break
        await systemHost.sleep(100)
      }
    } finally {
      await engine.stop()
    }
    proxy.lie = claiming('delivered')
    for (const rpc of [
      nodeWith({ getSignaturesForAddress: () => [] }),
      nodeWith({ getTransaction: () => null }),
      nodeWith({ getTransaction: unmoved }),
    ]) {
      const pruned = goOn(survivor, { host: hurried(), rpc })
      await expect(pruned).rejects.toMatchObject(unproven('delivered'))
      expect(survivor.read().step).toBe('deposited')
    }
    // Without a time limit, the transfer would wait forever for a service that never reports a final status.
    proxy.lie = claiming('delivering', false)
    const late = hurried(Date.parse(orderOf(survivor.read()).deliverBy) + 1_000)
    const rpc = nodeWith({ getTransaction: () => null })
    await expect(goOn(survivor, { host: late, rpc })).rejects.toMatchObject(unproven('delivering'))
    expect(survivor.read().step).toBe('deposited')
    proxy.lie = async () => ({ status: 502, body: {} })
    // Simulates an endpoint with several nodes. The first page ends with a transaction that the next node doesn't know,
    // so that node answers the request for the next page with error -32020.
    const signature = '1'.repeat(64)
    const others = { signature, slot: 1n, err: null, blockTime: 9_999_999_999n }
    const mixed = nodeWith({
      getSignaturesForAddress: (page) => [
        ...(page as object[]),
        ...Array.from({ length: 1_000 - (page as object[]).length }, () => others),
      ],
    })
    const ended = await goOn(survivor, { rpc: mixed })
    expect(ended).toMatchObject({ outcome: 'delivered', status: null })
  })

  it('a refund counts as a refund even if the service calls it a delivery', async () => {
    const request = solSend(stack, soon)
    const survivor = await deposited(request)
    const { note } = decodeTicket(orderOf(survivor.read()).recovery)
    await stack.localnet.local('localnet_advanceTime', [9_000])
    const engine = startSettling()
    try {
      proxy.lie = claiming('delivered')
      expect(await goOn(survivor)).toMatchObject({
        outcome: 'refunded',
        settlement: {
          payee: request.senderAddress,
          amount: `${note.value}`,
        },
        status: { status: 'delivered' },
      })
    } finally {
      await engine.stop()
    }
  })
})

describe('an order whose account the chain has closed', () => {
  it('does not count as unpaid, whatever the service says', async () => {
    const known = await deposited(solSend(stack, soon))
    const unseen = openSurvivor(known.read())
    const { leafIndex: _, ...rest } = known.read() as TransferState & { leafIndex: string }
    await unseen.save({ ...rest, step: 'deposited', leafIndex: null } as TransferState)
    await stack.localnet.local('localnet_advanceTime', [2_400 + 86_400 + 600])
    const { orderId } = decodeTicket(orderOf(known.read()).recovery)
    const account = await orderAddress(PROGRAM, orderId)
    const closing = closeOrderInstruction(PROGRAM, [{ account, rentPayer: stack.sender.address }])
    const { wire } = await signTransaction(stack.rpc, [stack.sender], [closing])
    await stack.rpc
      .sendTransaction(Buffer.from(wire).toString('base64') as never, { encoding: 'base64' })
      .send()
    const options = { encoding: 'base64', commitment: 'finalized' } as const
    while ((await stack.rpc.getAccountInfo(account, options).send()).value !== null) {
      await systemHost.sleep(50)
    }
    proxy.lie = claiming('expired')
    for (const survivor of [known, unseen]) {
      await expect(goOn(survivor, { host: hurried() })).rejects.toThrow(/expired/)
      expect(survivor.read().step).toBe('deposited')
    }
    // With the saved position of its note, the transfer can prove its end. In this test, that is a refund.
    proxy.lie = undefined
    const engine = startSettling()
    try {
      expect(await goOn(known)).toMatchObject({ outcome: 'refunded' })
    } finally {
      await engine.stop()
    }
  })
})
