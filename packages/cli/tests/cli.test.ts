import { address } from '@solana/kit'
import { wasmPoseidon as poseidon } from '@sotto/poseidon'
import {
  fieldToBytes,
  NATIVE_MINT,
  nullifierAddress,
  NULLIFIER_BYTES,
  nullifierOf,
} from '@sotto/protocol'
import { positionFromChain, readNoteTree } from '@sotto/recovery'
import { readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { localTreasury } from '../../../demo/src/stack/local-treasury.ts'
import { readTicket } from '../src/recover/read-ticket.ts'
import { ticketFile } from '../src/transfers/ticket-files.ts'
import { openLocalPartner, type LocalPartner } from './local-partner.ts'
import { BINARY, runSotto, type Ended } from './run-sotto.ts'
import { TEST_RECIPIENTS } from './test-recipients.ts'

const LATE = ['--min-delay', '3000', '--max-delay', '3000', '--no-wait', '--interval', '1', '--yes']

let partner: LocalPartner
beforeAll(async () => {
  partner = await openLocalPartner()
})
afterAll(() => partner?.close())

interface Settled {
  readonly signature: string
}

const idOf = ({ results }: { readonly results: readonly object[] }) =>
  (results[0] as { trackingId: string }).trackingId
const errorOf = ({ stderr }: { readonly stderr: string }) =>
  (JSON.parse(stderr) as { error: object }).error

describe.concurrent('a partner', () => {
  it('gets no fault from doctor on a correctly configured machine', async () => {
    const healthy = await runSotto(['doctor'], partner.env, { binary: BINARY })
    expect(healthy).toMatchObject({ code: 0, stderr: '', results: [{ healthy: true }] })
    const { findings } = healthy.results[0] as unknown as { findings: { check: string }[] }
    expect(findings.map(({ check }) => check)).toEqual(
      [
        'service',
        'clock',
        'API key',
        'RPC',
        "chain's clock",
        'program',
        'upgrade authority',
      ].concat(['pool', 'keypair', 'balance', 'prover']),
    )
  })

  it('gets a quote for a decimal amount, exact to the base unit', async () => {
    const to = await partner.newWallet()
    const { code, results } = await partner.sotto('quote', '1.000000001', 'sol', to)
    expect(code).toBe(0)
    expect(results).toMatchObject([
      { quote: { amountOut: '1000000001', sourceAssetId: NATIVE_MINT, mode: 'exact_out' } },
    ])
    const figures = ['750000000', '1000000000', '1500000000', '2000000000']
    expect(results).toMatchObject([{ suggestions: figures.map((amountOut) => ({ amountOut })) }])
    const given = await partner.sotto('quote', '1.000000001', 'sol', to, '--exact-in')
    expect(given.results).toMatchObject([{ quote: { amountIn: '1000000001', mode: 'exact_in' } }])
    const both = await partner.sotto('quote', '1', 'sol', to, '--exact-in', '--exact-out')
    expect([both.code, errorOf(both)]).toMatchObject([2, { code: 'CONTRADICTORY_MODES' }])
  })

  it('can resume a send that was interrupted after signing', async () => {
    const to = TEST_RECIPIENTS.delivered
    const before = await partner.chain.balance(partner.wallet, NATIVE_MINT)
    const args = ['send', '0.5', 'SOL', to, '--interval', '1', '--yes', '--table']
    const stopped = await partner.sottoWatched(args, (stderr, kill) => {
      if (stderr.includes('submitting the deposit')) kill('SIGINT')
    })
    expect(stopped).toMatchObject({ code: 130, stdout: '' })
    expect(stopped.stderr).toContain('INTERRUPTED; next: ')
    expect(await readdir(join(partner.home, 'transfers'))).toEqual(['1.json'])

    const resumed = await partner.sotto('send', '--resume', '--no-wait', '--interval', '1')
    expect(resumed).toMatchObject({ code: 0, results: [{ outcome: 'paid' }] })
    expect(await readdir(join(partner.home, 'transfers'))).toEqual(['1.json'])
    const trackingId = idOf(resumed)
    const { mode } = await stat(ticketFile(partner.home, trackingId))
    expect(mode & 0o777).toBe(0o600)

    const watched = await partner.sotto('status', trackingId, '--watch', '--interval', '1')
    expect(watched.code).toBe(0)
    const last = watched.results.at(-1) as unknown as { amountIn: string }
    expect(last).toMatchObject({ trackingId, status: 'delivered', final: true })
    expect(await partner.chain.balance(to, NATIVE_MINT)).toBe(500_000_000n)
    const proven = await partner.sotto('send', '--resume', '--interval', '1')
    expect(proven).toMatchObject({ code: 0, results: [{ outcome: 'delivered', trackingId }] })
    expect(await readdir(join(partner.home, 'transfers'))).toEqual([])
    const paid = before - (await partner.chain.balance(partner.wallet, NATIVE_MINT))
    // The limit is an upper bound for the rent of the Order account plus the transaction's fee. A second payment would
    // cost half a SOL more.
    expect(paid - BigInt(last.amountIn)).toBeLessThan(3_000_000n)

    const { results } = await partner.sotto('orders')
    expect(results).toMatchObject([{ orders: [{ trackingId, status: 'delivered' }] }])
  })

  it('gets the exit code for a missing answer, and for a fee above the limit', async () => {
    const to = await partner.newWallet()
    const home = join(partner.home, 'other')
    const sotto = (...args: string[]) => runSotto(args, { ...partner.env, SOTTO_HOME: home })
    const needsAnswer = await sotto('send', '1', 'SOL', to)
    expect(needsAnswer.code).toBe(2)
    expect(errorOf(needsAnswer)).toMatchObject({ code: 'NOBODY_TO_ASK' })
    const dear = await sotto('send', '1', 'SOL', to, '--yes', '--max-fee', '0.0000001')
    expect(dear.code).toBe(8)
    expect(await readdir(join(home, 'transfers'))).toEqual([])
  })
})

/** Writes all of the pool's leaves except the last one to a file, in the format of the operator's export. */
async function leavesBeforeTheLast(): Promise<string> {
  const { chain, stack, home } = partner
  const { tree } = await readNoteTree(chain.rpc, address(stack.program), poseidon)
  const leaves = Array.from({ length: tree.size - 1 }, (_, index) => tree.leaf(index)!)
  const file = join(home, 'leaves')
  await writeFile(
    file,
    Buffer.concat([Buffer.from('sotto leaves 1\n'), ...leaves.map(fieldToBytes)]),
  )
  return file
}

const PREFUNDED_LAMPORTS = 1_000_000n

/** Sends lamports to the address of an order's Nullifier account. The note must still be payable after that. */
async function prefundNullifier(trackingId: string): Promise<void> {
  const { chain, stack, home } = partner
  const ticket = await readTicket(trackingId, home)
  const program = address(stack.program)
  const { leafIndex } = await positionFromChain(chain.rpc, poseidon, ticket)
  const nullifier = nullifierOf(poseidon, ticket.note.nk, leafIndex)
  const account = await nullifierAddress(program, nullifier)
  await localTreasury(chain, stack.rpcUrl).fund(account, PREFUNDED_LAMPORTS)
  await expect.poll(() => chain.exists(account)).toBe(true)
}

/** Standard error has only the signature of each settlement, and the settlement that landed is the last of them. */
function expectSigned({ stderr, results }: Ended): void {
  const lines = stderr.trimEnd().split('\n')
  const signed = lines.map((line) => (JSON.parse(line) as { settlement: Settled }).settlement)
  expect(signed.at(-1)?.signature).toBe((results[0] as unknown as Settled).signature)
}

it('finishes a swap and a send after the service and all of its data are gone', async () => {
  const { chain, sotto } = partner
  const { usdc } = partner.stack.setup
  const [delivered, refunded] = [await partner.newWallet(), await partner.newWallet()]
  const [swap, send] = await Promise.all([
    sotto('swap', '1', 'SOL', 'USDC', delivered, ...LATE, '--min-out', '100').then(idOf),
    sotto('send', '0.4', 'SOL', refunded, '--exact-in', ...LATE).then(idOf),
  ])
  const record = join(partner.home, 'status.json')
  await writeFile(record, (await sotto('status', send)).stdout)
  await partner.loseService()

  // Anyone can send lamports to the address of a Nullifier account before the program creates the account.
  await Promise.all([swap, send].map(prefundNullifier))

  const shown = await sotto('recover', 'show', swap)
  expect(shown.results).toMatchObject([
    { recipient: delivered, assetId: usdc, deposit: 'paid', settled: false, possible: 'deliver' },
  ])
  const { amountOut } = shown.results[0] as unknown as { amountOut: string }
  // The swap's leaf is in the file. The send's leaf is read from the chain.
  const leaves = await leavesBeforeTheLast()
  const delivery = await sotto('recover', 'deliver', swap, '--leaves', leaves)
  expect(delivery).toMatchObject({
    code: 0,
    results: [{ kind: 'deliver', payee: delivered }],
  })
  expectSigned(delivery)
  expect(await chain.balance(delivered, usdc)).toBe(BigInt(amountOut))

  await partner.advance(7_800n)
  const before = await chain.balance(partner.wallet, NATIVE_MINT)
  const refund = await sotto('recover', 'refund', send, '--path', record)
  expect(refund).toMatchObject({
    code: 0,
    results: [{ kind: 'refund', payee: partner.wallet }],
  })
  expectSigned(refund)
  const back = (await chain.balance(partner.wallet, NATIVE_MINT)) - before
  // The refund returns the whole value. The same wallet pays the transaction's fee and the account's rent.
  const { fee } = await chain.feeOf((refund.results[0] as unknown as Settled).signature)
  const rent = await chain.rpc.getMinimumBalanceForRentExemption(BigInt(NULLIFIER_BYTES)).send()
  expect(back).toBe(400_000_000n - fee - (rent - PREFUNDED_LAMPORTS))
  expect(await chain.balance(refunded, NATIVE_MINT)).toBe(0n)
  // Both results come from the chain alone.
  const [again, late] = await Promise.all([
    sotto('recover', 'refund', send),
    sotto('recover', 'refund', swap),
  ])
  expect(again.code).toBe(9)
  expect(errorOf(again)).toMatchObject({
    code: 'ALREADY_SETTLED',
    message: expect.stringContaining(`refunded to ${partner.wallet} at 20`) as unknown,
  })
  // The refund of a delivered order is refused. The error names the recipient and the transaction of the delivery.
  const { signature } = delivery.results[0] as unknown as Settled
  expect(late.code).toBe(9)
  expect(errorOf(late)).toMatchObject({
    code: 'ALREADY_SETTLED',
    message: expect.stringMatching(
      new RegExp(`delivered to ${delivered} at 20.*, in the transaction ${signature}: nothing`),
    ) as unknown,
  })
})
