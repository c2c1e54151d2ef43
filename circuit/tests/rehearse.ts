import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import type { BeaconSource } from '../ceremony/beacon-source.ts'
import { closePhase } from '../ceremony/close-phase.ts'
import { contribute } from '../ceremony/contribute.ts'
import { openIdentity } from '../ceremony/identity.ts'
import { preparePhase2 } from '../ceremony/prepare-phase2.ts'
import { startCeremony } from '../ceremony/start-ceremony.ts'
import { makeFolder } from './temporary-folders.ts'

/** Bitcoin's block of 11 July 2021, 09:08:22 UTC. */
export const BLOCK: BeaconSource = {
  kind: 'bitcoin',
  height: 690_557,
  header:
    '040000202c04d4c450187d1da9b1bc23ba47d67fe028d22486fd0c00000000000000000059a3a33d4642c799' +
    'af9f54a4dd351fff9130e6a89d4e251130c60064878616e906b5ea60ce9813173a25caf3',
}

/** drand quicknet's round 1000, published on 23 August 2023, 15:59:24 UTC. */
export const ROUND: BeaconSource = {
  kind: 'drand',
  round: 1_000,
  signature:
    'b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125' +
    'e342b73a8dd2bacbe47e4b6b63ed5e39',
}

export const PARTIES = ['Ada', 'Berta', 'Chen'] as const

/** The times of the parties' contributions. They are chosen so that the two beacons above may close the phases. */
export const TIMES = {
  1: ['2021-07-10T22:00:00Z', '2021-07-10T23:00:00Z', '2021-07-11T00:00:00Z'],
  2: ['2023-08-23T07:00:00Z', '2023-08-23T08:00:00Z', '2023-08-23T09:59:24Z'],
} as const

/** Copies a folder, as a party does for the next party. The next party gets only these files. */
export async function handOver(folder: string): Promise<string> {
  const to = await makeFolder('party')
  await cp(folder, to, { recursive: true })
  return to
}

/** A party of a rehearsal. Its key isn't in the folder that is passed on. */
export async function party(keys: string, name: string) {
  const identity = await openIdentity(join(keys, `${name}.pem`))
  return { name, identity, entropy: `dice of ${name}` }
}

/** Each party contributes to the open phase, in its own copy of the folder. */
export async function contributeInTurn(
  folder: string,
  r1cs: string,
  keys: string,
  phase: 1 | 2,
): Promise<string> {
  let newest = folder
  for (const [at, name] of PARTIES.entries()) {
    newest = await handOver(newest)
    await contribute(newest, r1cs, await party(keys, name), new Date(TIMES[phase][at]!))
  }
  return newest
}

/** Runs a whole ceremony of three parties at 2^6, and returns the folder of the last party. */
export async function rehearse(r1cs: string, keys: string): Promise<string> {
  const first = join(await makeFolder('party'), 'ceremony')
  await startCeremony(first, r1cs, { power: 6 })
  const closed = await contributeInTurn(first, r1cs, keys, 1)
  await closePhase(closed, r1cs, BLOCK)
  await preparePhase2(closed, r1cs)
  const done = await contributeInTurn(closed, r1cs, keys, 2)
  await closePhase(done, r1cs, ROUND)
  return done
}
