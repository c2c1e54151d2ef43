import { address } from '@solana/kit'
import { NATIVE_MINT } from '@sotto/protocol'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { Recipients } from '../../src/adapters/chain/recipients/recipients.ts'
import { systemClock } from '../../src/adapters/clock/system-clock.ts'
import { systemRandom } from '../../src/adapters/random/system-random.ts'
import { createRpcClient } from '../../src/adapters/rpc/rpc-client.ts'
import { runRecipients } from '../../src/start/run-recipients.ts'
import { movedClock } from '../remote/no-wait-clock.ts'
import { startRpc, type RpcServer } from '../remote/rpc-server.ts'

const RECIPIENT = address('SysvarC1ock11111111111111111111111111111111')
const PARTNER = address('SysvarRent111111111111111111111111111111111')
const PROGRAM = address('Sotto11111111111111111111111111111111111111')

interface Read {
  readonly method: string
  readonly params: readonly [unknown, { readonly dataSlice?: unknown }]
}

let node: RpcServer
let other: RpcServer
let recipients: Recipients
beforeEach(async () => {
  const clock = movedClock(1_000_000)
  node = await startRpc(1_000)
  other = await startRpc(1_000)
  // The nodes report that none of the accounts exists.
  for (const one of [node, other]) one.accounts = Array<null>(25).fill(null)
  const open = ({ url }: RpcServer) => createRpcClient({ urls: [url], lagSlots: 20, clock })
  recipients = new Recipients({
    ...{ rpc: open(node), recipientRpc: open(other), program: PROGRAM },
    ...{ clock, random: systemRandom },
  })
})
afterEach(() => Promise.all([node, other].map((one) => one.close())))

it('only the nodes for recipients are asked about recipients', async () => {
  await recipients.read(NATIVE_MINT, RECIPIENT)
  expect([node.methods(), other.methods()]).toEqual([[], ['getMultipleAccounts']])
  await recipients.readPartner(NATIVE_MINT, PARTNER)
  await recipients.readPartner(NATIVE_MINT, PARTNER)
  expect(node.asked.filter(({ body }) => body.includes(PARTNER))).toHaveLength(1)
  expect(other.asked.filter(({ body }) => body.includes(PARTNER))).toEqual([])
})

it('only the beginning of a recipient’s account is requested', async () => {
  await recipients.read(NATIVE_MINT, RECIPIENT, 'an account')
  await recipients.read(NATIVE_MINT, RECIPIENT)
  await recipients.readPartner(NATIVE_MINT, PARTNER)
  const requests = [node, other].flatMap(({ asked }) =>
    asked.map(({ body }) => JSON.parse(body) as Read),
  )
  const slices = requests.flatMap(({ method, params }) =>
    method === 'getMultipleAccounts' ? [params[1].dataSlice] : [],
  )
  expect(slices).toEqual(Array(3).fill({ offset: 0, length: 1_024 }))
})

it('no other node is asked if the nodes for recipients fail', async () => {
  other.faults.push(...Array<number>(40).fill(503))
  await expect(recipients.read(NATIVE_MINT, RECIPIENT)).rejects.toMatchObject({
    code: 'recipient_node_failed',
    message: expect.stringContaining('SOTTO_RECIPIENT_RPC_URLS') as string,
  })
  expect(node.methods()).toEqual([])
  other.faults.length = 0
  await recipients.read(NATIVE_MINT, RECIPIENT)
  expect(node.methods()).toEqual([])
})

it('a shutdown does not wait for a node that hangs', async () => {
  for (const one of [node, other]) one.faults.push(...Array<'hang'>(40).fill('hang'))
  const stopping = new AbortController()
  const failures: unknown[] = []
  const log = { failed: (_name: string, error: unknown) => void failures.push(error) }
  const running = runRecipients(recipients, { clock: systemClock, log }, stopping.signal)
  await expect.poll(() => node.asked.length).toBeGreaterThan(0)
  stopping.abort()
  await running
  expect(failures).toEqual([])
})
