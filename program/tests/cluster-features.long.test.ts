import {
  addSignersToTransactionMessage,
  appendTransactionMessageInstructions,
  createTransactionMessage,
  getAddressDecoder,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
  type Instruction,
  type KeyPairSigner,
} from '@solana/kit'
import { REQUIRED_FEATURES } from '@sotto/protocol'
import { FailedTransactionMetadata, FeatureSet, LiteSVM } from 'litesvm'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { settlementOf } from './attacks/prepared-pool.ts'
import { PROGRAM_FILE } from './fixtures/chain.ts'
import { depositPair, draftOrder } from './fixtures/deposits.ts'
import { takeSnapshot } from './random/snapshot.ts'
import type { Snapshot } from './random/snapshot-shape.ts'

/**
 * ELF header: the machine is the u16 at offset 18, and the flags are the u32 at offset 48. The flags contain the sBPF
 * version.
 */
const MACHINE_BPF = 0xf7
const SBPF_VERSION = 3

test('the committed program is sBPF version 3', () => {
  const elf = readFileSync(PROGRAM_FILE)
  expect(elf.readUInt16LE(18)).toBe(MACHINE_BPF)
  expect(elf.readUInt32LE(48)).toBe(SBPF_VERSION)
})

interface Attempt {
  readonly name: string
  readonly instructions: readonly Instruction[]
  readonly signers: readonly [KeyPairSigner, ...KeyPairSigner[]]
}

/** Makes a deposit and a delivery that land in the snapshot's pool. */
async function draftAttempts(snapshot: Snapshot): Promise<Attempt[]> {
  const { fixture, actors, mints } = snapshot.world
  const order = await draftOrder(fixture, { sourceMint: mints[0], amountOut: 10n ** 9n })
  const { relayer } = actors
  return [
    {
      name: 'deposit',
      instructions: await depositPair(fixture, order.terms),
      signers: [relayer, order.sender],
    },
    {
      name: 'delivery',
      instructions: [settlementOf(snapshot, 4, false).instruction],
      signers: [relayer],
    },
  ]
}

/**
 * Simulates each attempt on a chain with these features and a copy of the snapshot's accounts. Returns the names of the
 * attempts that fail, or `load` if the program can't be loaded.
 */
async function tryOn(
  features: FeatureSet,
  snapshot: Snapshot,
  attempts: readonly Attempt[],
): Promise<readonly string[]> {
  const { chain } = snapshot.world.fixture
  const svm = new LiteSVM()
    .withFeatureSet(features)
    .withBuiltins()
    .withSysvars()
    .withPrecompiles()
    .withSigverify(false)
  try {
    svm.addProgramFromFile(chain.program, PROGRAM_FILE)
  } catch {
    return ['load']
  }
  const named = attempts.flatMap(({ instructions, signers }) => [
    ...signers.map((signer) => signer.address),
    ...instructions.flatMap(({ accounts = [] }) => accounts.map(({ address }) => address)),
  ])
  for (const address of new Set(named)) {
    const account = chain.svm.getAccount(address)
    const isOfTheChain = !account.exists || account.executable || address.startsWith('Sysvar')
    if (!isOfTheChain) svm.setAccount(account)
  }
  const clock = svm.getClock()
  clock.unixTimestamp = chain.time
  svm.setClock(clock)
  const failed: string[] = []
  for (const { name, instructions, signers } of attempts) {
    const message = pipe(
      createTransactionMessage({ version: 0 }),
      (empty) => setTransactionMessageFeePayerSigner(signers[0], empty),
      (paid) =>
        setTransactionMessageLifetimeUsingBlockhash(
          { blockhash: svm.latestBlockhash(), lastValidBlockHeight: 1_000n },
          paid,
        ),
      (lasting) => appendTransactionMessageInstructions(instructions, lasting),
      (whole) => addSignersToTransactionMessage([...signers], whole),
    )
    const signed = await signTransactionMessageWithSigners(message)
    if (svm.simulateTransaction(signed) instanceof FailedTransactionMetadata) failed.push(name)
  }
  return failed
}

test('the program needs exactly four features of a cluster', async () => {
  const snapshot = await takeSnapshot()
  const attempts = await draftAttempts(snapshot)
  expect(await tryOn(FeatureSet.allEnabled(), snapshot, attempts)).toEqual([])
  const ids = FeatureSet.allEnabled().getActiveFeatures()
  expect(ids.length).toBeGreaterThan(200)
  const needed: Record<string, readonly string[]> = {}
  for (const id of ids) {
    const features = FeatureSet.allEnabled()
    features.deactivate(id)
    const failed = await tryOn(features, snapshot, attempts)
    if (failed.length > 0) needed[getAddressDecoder().decode(id)] = failed
  }
  const [loading, sysvars, poseidon, pairing] = REQUIRED_FEATURES.map(({ address }) => address)
  expect(needed).toEqual({
    [loading!]: ['load'],
    [sysvars!]: ['deposit', 'delivery'],
    [poseidon!]: ['deposit', 'delivery'],
    [pairing!]: ['delivery'],
  })
}, 300_000)
