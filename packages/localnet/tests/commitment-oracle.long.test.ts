import type { KeyPairSigner } from '@solana/kit'
import {
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  lamports,
  signature as asSignature,
} from '@solana/kit'
import { TOKEN_PROGRAM_ADDRESS, findAssociatedTokenPda } from '@solana-program/token'
import { array, asyncProperty, assert, constantFrom, integer, nat, record } from 'fast-check'
import { expect, test } from 'vitest'
import { signTransfer } from './client.ts'
import { startStillChain } from './still-chain.ts'

const RUNS = 4
const PASSES_AFTERWARDS = 4
const LAGS = [0, 2, 7]
const commitments = ['processed', 'confirmed', 'finalized'] as const
type Commitment = (typeof commitments)[number]
type Chain = Awaited<ReturnType<typeof startStillChain>>

const operation = record({
  kind: constantFrom('pay', 'drain', 'mint'),
  from: nat({ max: 3 }),
  to: nat({ max: 3 }),
  amount: integer({ min: 1_000_000, max: 9_000_000 }),
})

/** Creates wallets and a token. Returns them with the wallets' token accounts and a transfer for simulations. */
async function openSubject(chain: Chain) {
  const wallets = await Promise.all(Array.from({ length: 4 }, () => generateKeyPairSigner()))
  for (const { address } of wallets.slice(0, 2)) {
    await chain.rpc.requestAirdrop(address, lamports(50_000_000n)).send()
  }
  const token = (await chain.call('localnet_createMint', [{ decimals: 2, symbol: 'T' }])) as {
    mint: KeyPairSigner['address']
  }
  const accounts = await Promise.all(
    wallets.map(async ({ address: owner }) => {
      const seeds = { owner, mint: token.mint, tokenProgram: TOKEN_PROGRAM_ADDRESS }
      return (await findAssociatedTokenPda(seeds))[0]
    }),
  )
  const [first, second] = wallets as [KeyPairSigner, KeyPairSigner]
  const trial = await signTransfer(chain.rpc, first, second.address, 20_000_000n)
  const wire = getBase64EncodedWireTransaction(trial.transaction)
  return { wallets, mint: token.mint, accounts, wire }
}
type Subject = Awaited<ReturnType<typeof openSubject>>

/** Makes every read that depends on a commitment. Returns the results, and the slots in their contexts. */
async function readAll(chain: Chain, subject: Subject, commitment: Commitment) {
  const { wallets, mint, accounts, wire } = subject
  const addresses = wallets.map(({ address }) => address)
  const config = { commitment, encoding: 'base64' }
  const trial = { ...config, replaceRecentBlockhash: true, accounts: { addresses } }
  const reads: [string, unknown[]][] = [
    ['getMultipleAccounts', [[...addresses, ...accounts, mint], config]],
    ['getProgramAccounts', [TOKEN_PROGRAM_ADDRESS, { ...config, withContext: true }]],
    ['getTokenAccountsByOwner', [addresses[0], { mint }, config]],
    ['getTokenSupply', [mint, config]],
    ['simulateTransaction', [wire, trial]],
    ...[...addresses, ...accounts].map((each): [string, unknown[]] => [
      'getBalance',
      [each, config],
    ]),
    ...accounts.map((each): [string, unknown[]] => ['getTokenAccountBalance', [each, config]]),
    ...addresses.map((each): [string, unknown[]] => ['getAccountInfo', [each, config]]),
  ]
  const slots = new Set<number>()
  const values: unknown[] = []
  for (const [method, params] of reads) {
    const answer = await chain.call(method, params).catch((error: unknown) => String(error))
    if (typeof answer === 'string') values.push(answer)
    else {
      const { context, value } = answer as { context: { slot: number }; value: unknown }
      slots.add(context.slot)
      values.push(method === 'getProgramAccounts' ? sorted(value) : withoutHash(value))
    }
  }
  values.push(await chain.call('getTransactionCount', [config]))
  slots.add((await chain.call('getSlot', [config])) as number)
  return { slots: [...slots], text: JSON.stringify(values) }
}

function sorted(value: unknown): unknown {
  return (value as { pubkey: string }[]).sort((a, b) => (a.pubkey < b.pubkey ? -1 : 1))
}

/** A simulation's result without the blockhash, because each slot has another blockhash. */
function withoutHash(value: unknown): unknown {
  const isTrial = typeof value === 'object' && value !== null && 'replacementBlockhash' in value
  return isTrial ? { ...value, replacementBlockhash: null } : value
}

/** Runs an operation. An operation may fail, because a failed operation changes nothing. */
async function perform(
  chain: Chain,
  { wallets, mint }: Subject,
  { kind, from, to, amount }: { kind: string; from: number; to: number; amount: number },
): Promise<string | null> {
  const [source, target] = [wallets[from], wallets[to]] as [KeyPairSigner, KeyPairSigner]
  if (kind === 'mint') {
    await chain.call('localnet_mintTokens', [target.address, mint, String(amount)])
    return null
  }
  const held = await chain.balanceOf(source.address)
  // An account without lamports ceases to exist. Reads at older commitments must still show the account.
  const moved = kind === 'drain' ? held - 5_000n : BigInt(amount)
  if (moved <= 0n) return null
  const { transaction, signature } = await signTransfer(chain.rpc, source, target.address, moved)
  const wire = getBase64EncodedWireTransaction(transaction)
  await chain.rpc.sendTransaction(wire, { encoding: 'base64', skipPreflight: true }).send()
  return signature
}

/** Checks that statuses and histories at each commitment agree with the slots in which transactions landed. */
async function expectHistory(chain: Chain, landed: ReadonlyMap<string, number>, payer: string) {
  const slotOf = async (commitment: Commitment) =>
    (await chain.call('getSlot', [{ commitment }])) as number
  const [processed, confirmed, finalized] = await Promise.all(commitments.map(slotOf))
  for (const [signature, slot] of landed) {
    const { value } = await chain.rpc.getSignatureStatuses([asSignature(signature)]).send()
    const reached = (until = 0) => slot <= until
    const expected = reached(finalized)
      ? 'finalized'
      : reached(confirmed)
        ? 'confirmed'
        : 'processed'
    const seen = value[0]?.confirmationStatus ?? null
    expect(seen).toBe(reached(processed) ? expected : null)
    for (const [commitment, newest] of [
      ['confirmed', confirmed],
      ['finalized', finalized],
    ] as const) {
      const config = { commitment, maxSupportedTransactionVersion: 0 }
      const found = (await chain.call('getTransaction', [signature, config])) as null | {
        slot: number
      }
      expect(found?.slot ?? null).toBe(reached(newest) ? slot : null)
    }
  }
  for (const [commitment, newest] of [
    ['confirmed', confirmed],
    ['finalized', finalized],
  ] as const) {
    const found = (await chain.call('getSignaturesForAddress', [payer, { commitment }])) as {
      signature: string
    }[]
    const seen = new Set(found.map((each) => each.signature))
    for (const [signature, slot] of landed) {
      expect(seen.has(signature)).toBe(slot <= (newest ?? 0))
    }
  }
}

test('every read shows the chain at the end of the slot that the answer names', async () => {
  const steps = array(array(operation, { maxLength: 3 }), { minLength: 6, maxLength: 12 })
  await assert(
    asyncProperty(steps, async (rounds) => {
      const chain = await startStillChain()
      const subject = await openSubject(chain)
      const byFirstWallet = new Map<string, number>()
      const ends: { slot: number; text: string }[] = []
      const compare = async () => {
        for (const lagSlots of LAGS) {
          await chain.call('localnet_setFaults', [{ lagSlots }])
          await expectHistory(chain, byFirstWallet, subject.wallets[0]?.address ?? '')
          for (const commitment of commitments) {
            const { slots, text } = await readAll(chain, subject, commitment)
            expect(slots).toHaveLength(1)
            const then = ends.findLast((each) => each.slot <= (slots[0] ?? 0))
            if (then !== undefined) expect(text, `${commitment}, lag ${lagSlots}`).toBe(then.text)
          }
        }
        await chain.call('localnet_setFaults', [{}])
      }
      for (const round of [...rounds, ...Array.from({ length: PASSES_AFTERWARDS }, () => [])]) {
        for (const each of round) {
          const signature = await perform(chain, subject, each)
          if (signature === null || each.from !== 0) continue
          const { value } = await chain.rpc.getSignatureStatuses([asSignature(signature)]).send()
          if (value[0]) byFirstWallet.set(signature, Number(value[0].slot))
        }
        const { slots, text } = await readAll(chain, subject, 'processed')
        ends.push({ slot: slots[0] ?? 0, text })
        await compare()
        await chain.pass(1)
      }
    }),
    { numRuns: RUNS, endOnFailure: true },
  )
})
