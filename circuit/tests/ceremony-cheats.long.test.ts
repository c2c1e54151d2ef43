import { copyFile, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { curves, powersOfTau } from 'snarkjs'
import type { BeaconSource } from '../ceremony/beacon-source.ts'
import { closePhase } from '../ceremony/close-phase.ts'
import { contribute } from '../ceremony/contribute.ts'
import { startCeremony } from '../ceremony/start-ceremony.ts'
import { type Beacon, type Contribution, fileOf } from '../ceremony/transcript.ts'
import { verifyCeremony } from '../ceremony/verify-ceremony.ts'
import { BEACON_ITERATIONS_EXP } from '../contribution.ts'
import { hashFile } from '../manifest.ts'
import { compileOnce } from './compile-once.ts'
import { BLOCK, ROUND, TIMES, handOver, party } from './rehearse.ts'
import { appendSigned, tamper, type Claim } from './tamper.ts'
import { makeFolder, removeFolders } from './temporary-folders.ts'

// The dishonest participants sign their false claims with their own keys. So the transcript is correct, and only the
// files show the fraud.

const LAST = TIMES[1][2]
const [first, second] = [fileOf(1, 1), fileOf(1, 2)]

let keys: string
let r1cs: string
let folder: string
let made: Contribution

beforeAll(async () => {
  keys = await makeFolder('keys')
  const source = fileURLToPath(new URL('ten-inputs.circom', import.meta.url))
  r1cs = (await compileOnce(source)).r1cs
  folder = join(await makeFolder('party'), 'ceremony')
  await startCeremony(folder, r1cs, { power: 5 })
  made = await contribute(folder, r1cs, await party(keys, 'Ada'), new Date(LAST))
})

afterAll(async () => {
  // Ends the worker threads of snarkjs. They would keep the test process running.
  await (await curves.getCurveFromName('bn128')).terminate()
  await removeFolders()
})

const toHex = (hash: Uint8Array | false) => Buffer.from(hash as Uint8Array).toString('hex')

/**
 * In a copy of the folder, one participant makes the next file and signs a false claim about it. Expects the
 * verification to fail.
 */
async function convicts(
  cheat: (from: string, to: string, copy: string) => Promise<Uint8Array>,
  reason: string,
  changes: Partial<Claim> = {},
  signer = 'Berta',
): Promise<void> {
  const copy = await handOver(folder)
  const hash = await cheat(join(copy, first), join(copy, second), copy)
  const claim: Claim = { phase: 1, file: second, hash: toHex(hash), name: 'Berta', at: LAST }
  await appendSigned(copy, { ...claim, ...changes }, (await party(keys, signer)).identity)
  await expect(verifyCeremony(copy, r1cs)).rejects.toThrow(reason)
}

const honestly = (from: string, to: string) => powersOfTau.contribute(from, to, 'Berta', 'dice')

describe('a signed contribution', () => {
  test('is accepted if it is honest', async () => {
    const copy = await handOver(folder)
    const hash = await honestly(join(copy, first), join(copy, second))
    const claim: Claim = { phase: 1, file: second, hash: toHex(hash), name: 'Berta', at: LAST }
    await appendSigned(copy, claim, (await party(keys, 'Berta')).identity)
    await expect(verifyCeremony(copy, r1cs)).resolves.toBeTruthy()
  })

  test('is refused if its file does not contain the earlier contributions', () =>
    convicts(
      (_, to, copy) => honestly(join(copy, fileOf(1, 0)), to),
      'phase1/0002.ptau does not extend the file before it',
    ))

  test('is refused if its file has another size', () =>
    convicts(async (_, to, copy) => {
      const other = join(copy, 'other')
      await powersOfTau.newAccumulator(await curves.getCurveFromName('bn128'), 4, other)
      return honestly(other, to)
    }, 'phase1/0002.ptau does not extend the file before it'))

  test('is refused if its file holds a different contribution than claimed', () =>
    convicts(honestly, 'contribution 2', { hash: '00'.repeat(64) }))

  test('is refused if its file holds one more contribution than claimed', () =>
    convicts(async (from, to, copy) => {
      const between = join(copy, 'between')
      await honestly(from, between)
      return honestly(between, to)
    }, 'phase1/0002.ptau does not extend the file before it'))

  test('is refused if its file holds a different name', () =>
    convicts((from, to) => powersOfTau.contribute(from, to, 'Bertha', 'dice'), 'is Bertha'))

  test('is refused if two points of its file were exchanged', () =>
    convicts(async (from, to) => {
      const hash = await honestly(from, to)
      const bytes = await readFile(to)
      // Powers 20 and 40 of the file's first section of points. A power has 64 bytes, and the section begins at byte
      // 80.
      const [one, other] = [20, 40].map((power) => bytes.subarray(80 + power * 64).subarray(0, 64))
      const kept = Buffer.from(one!)
      one!.set(other!)
      other!.set(kept)
      await writeFile(to, bytes)
      return hash
    }, 'phase1/0002.ptau does not verify'))

  test('is refused if its file isn’t a file of powers of tau', () =>
    convicts(async (_, to) => {
      await writeFile(to, 'nothing of the kind')
      return new Uint8Array(64)
    }, 'phase1/0002.ptau is damaged or of another kind'))

  test('is refused if its key was already used under another name', () =>
    convicts(honestly, 'Berta contributed twice to phase 1', {}, 'Ada'))

  test('is refused if its name was already used with another key', () =>
    convicts(honestly, 'ADA contributed twice to phase 1', { name: 'ADA' }))

  test('is refused if its date is before the date of the previous contribution', () =>
    convicts(honestly, 'is dated before the previous contribution', { at: '2021-07-10T23:59:59Z' }))
})

test('a start with powers of tau that the coordinator made from a secret is refused', async () => {
  const copy = await handOver(folder)
  const hidden = join(copy, 'hidden')
  await powersOfTau.contribute(join(copy, fileOf(1, 0)), hidden, 'coordinator', 'known')
  await rename(hidden, join(copy, fileOf(1, 0)))
  const sha256 = await hashFile(join(copy, fileOf(1, 0)))
  const rewritten = await tamper(copy, (whole) => {
    const [start] = whole.entries
    return { ...whole, entries: [{ ...start!, sha256 }] as typeof whole.entries }
  })
  await expect(verifyCeremony(rewritten, r1cs)).rejects.toThrow('every ceremony of this size')
})

describe('a phase cannot be closed', () => {
  const refuses = async (source: BeaconSource, reason: string) =>
    expect(closePhase(await handOver(folder), r1cs, source)).rejects.toThrow(reason)

  test('by a round that is not due', () => refuses(ROUND, 'The beacon must be drand round 1,'))
  test('by a round with the signature of another round', () =>
    refuses({ ...ROUND, round: 1 } as BeaconSource, 'not the signature of drand'))

  test('twice', async () => {
    const copy = await handOver(folder)
    await closePhase(copy, r1cs, BLOCK)
    const reason = 'Phase 1 is closed; the next command is `prepare`.'
    await expect(closePhase(copy, r1cs, BLOCK)).rejects.toThrow(reason)
    const again = contribute(copy, r1cs, await party(keys, 'Berta'), new Date())
    await expect(again).rejects.toThrow(reason)
  })
})

test('a beacon is refused if its file was made with another value', async () => {
  const copy = await handOver(folder)
  const chosen = '11'.repeat(32)
  const to = join(copy, second)
  const from = join(copy, first)
  const hash = await powersOfTau.beacon(from, to, 'beacon', chosen, BEACON_ITERATIONS_EXP)
  const entry: Beacon = {
    ...{ kind: 'beacon', phase: 1, file: second, sha256: await hashFile(to) },
    ...{ hash: toHex(hash), source: BLOCK },
  }
  const claimed = await tamper(copy, (whole) => ({ ...whole, entries: [...whole.entries, entry] }))
  await expect(verifyCeremony(claimed, r1cs)).rejects.toThrow('phase1/0002.ptau does not extend')
})

test('an interrupted contribution can be repeated', async () => {
  const copy = await handOver(folder)
  await copyFile(join(copy, first), join(copy, `${second}.unfinished`))
  await contribute(copy, r1cs, await party(keys, 'Berta'), new Date())
  await expect(verifyCeremony(copy, r1cs)).resolves.toBeTruthy()
  expect(made.file).toBe(first)
})
