import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { generateKeyPairSigner, getBase64EncodedWireTransaction, lamports } from '@solana/kit'
import type { KeyPairSigner } from '@solana/kit'
import { expect, test } from 'vitest'
import { SeededRandom } from '../src/faults/seeded-random.ts'
import { killWhileStarting, startProcess } from './chain-process.ts'
import { call, connect, signTransfer, type Endpoints } from './client.ts'
import { runSize } from './run-size.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { watchChain } from './watch-chain.ts'
import { Witness } from './witness.ts'
import { HUNG_MS } from '../../../testing/patience/hung.ts'

const KILLS = runSize('SOTTO_LOCALNET_KILLS', 5)
const PATIENCE_MS = 2 * HUNG_MS + KILLS * 15_000
/**
 * Maximum milliseconds before the process is killed. TRAFFIC_MS counts from the beginning of the traffic, and START_MS
 * from the start of the process. Before one restart in four, another process is killed during its start.
 */
const TRAFFIC_MS = 700
const START_MS = 1_500
const SENDERS = 4
const FEE = 5_000n

test(
  `after ${KILLS} kills at random points, a chain still has everything that it reported`,
  { timeout: PATIENCE_MS },
  async () => {
    const seed = runSize('SOTTO_LOCALNET_SEED', randomInt(1, 1_000_000))
    process.stdout.write(`kill points chosen with SOTTO_LOCALNET_SEED=${seed}\n`)
    const random = new SeededRandom(seed)
    const args = ['--data', temporaryFolder(), '--slot-ms', '40']
    const witness = new Witness()
    const payer = await generateKeyPairSigner()
    const receiver = (await generateKeyPairSigner()).address
    const sent = new Map<string, bigint>()
    for (let kill = 0; kill <= KILLS; kill += 1) {
      if (kill > 0 && random.next() < 0.25) {
        await killWhileStarting(args, random.next() * START_MS)
      }
      const { endpoints, end } = await startProcess(args)
      if (kill === 0) await fund(endpoints, payer)
      await witness.hold(endpoints)
      await expectBooksToAgree(endpoints, sent, { payer: payer.address, receiver })
      if (kill === KILLS) break
      const watch = await watchChain(endpoints, receiver, witness)
      const life = { isOver: false }
      const traffic = Array.from({ length: SENDERS }, () =>
        sendUntilDead(endpoints, payer, receiver, { sent, witness, life }),
      )
      // The test waits for at least one answer that the kill could undo. On a busy machine, this may take longer than
      // the random time.
      const { count } = witness
      await sleep(random.next() * TRAFFIC_MS)
      while (witness.count === count) await sleep(10)
      await end('SIGKILL')
      life.isOver = true
      await Promise.all(traffic)
      await watch.stop()
    }
    expect(witness.count).toBeGreaterThan(KILLS)
  },
)

const FUNDS = 1_000_000_000_000n

async function fund(endpoints: Endpoints, payer: KeyPairSigner): Promise<void> {
  await connect(endpoints).rpc.requestAirdrop(payer.address, lamports(FUNDS)).send()
}

/**
 * Sends one transfer after another. After an answer, the transfer must survive the kill, so the witness records the
 * transfer.
 */
async function sendUntilDead(
  endpoints: Endpoints,
  payer: KeyPairSigner,
  receiver: KeyPairSigner['address'],
  run: { sent: Map<string, bigint>; witness: Witness; life: { isOver: boolean } },
): Promise<void> {
  const { rpc } = connect(endpoints)
  try {
    while (!run.life.isOver) {
      const amount = 1_000_000n + BigInt(run.sent.size)
      const { transaction, signature } = await signTransfer(rpc, payer, receiver, amount)
      run.sent.set(signature, amount)
      const wire = getBase64EncodedWireTransaction(transaction)
      await rpc.sendTransaction(wire, { encoding: 'base64', skipPreflight: true }).send()
      const { value } = await rpc.getSignatureStatuses([signature]).send()
      const status = value[0]
      expect(status, 'an answered transaction has landed').not.toBeNull()
      if (status) run.witness.sawLanded(signature, Number(status.slot), status.err)
    }
  } catch (error) {
    // After a kill, the request fails because the connection is closed. Only a failed assertion is an error of the
    // chain.
    if (error instanceof Error && error.name === 'AssertionError') throw error
  }
}

/** Both balances must exactly match the transactions that the chain still has. */
async function expectBooksToAgree(
  endpoints: Endpoints,
  sent: ReadonlyMap<string, bigint>,
  { payer, receiver }: { payer: string; receiver: string },
): Promise<void> {
  const landed: bigint[] = []
  const all = [...sent]
  for (let at = 0; at < all.length; at += 256) {
    const page = all.slice(at, at + 256)
    const params = [page.map(([signature]) => signature), { searchTransactionHistory: true }]
    const { value } = (await call(endpoints, 'getSignatureStatuses', params)) as {
      value: ({ err: unknown } | null)[]
    }
    page.forEach(([, amount], index) => {
      if (value[index]) landed.push(amount)
    })
  }
  const total = landed.reduce((sum, amount) => sum + amount, 0n)
  const { balanceOf } = connect(endpoints)
  expect(await balanceOf(receiver as KeyPairSigner['address'])).toBe(total)
  const spent = total + FEE * BigInt(landed.length)
  expect(await balanceOf(payer as KeyPairSigner['address'])).toBe(FUNDS - spent)
}
