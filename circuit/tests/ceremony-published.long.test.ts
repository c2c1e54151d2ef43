import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { curves, powersOfTau } from 'snarkjs'
import { contribute } from '../ceremony/contribute.ts'
import { preparePhase2 } from '../ceremony/prepare-phase2.ts'
import { KNOWN_POWERS } from '../ceremony/published-powers.ts'
import { findShortcomings } from '../ceremony/requirements.ts'
import { startCeremony } from '../ceremony/start-ceremony.ts'
import { type Start, startOf } from '../ceremony/transcript.ts'
import { verifyCeremony } from '../ceremony/verify-ceremony.ts'
import { compileOnce } from './compile-once.ts'
import { party } from './rehearse.ts'
import { tamper } from './tamper.ts'
import { makeFolder, removeFolders } from './temporary-folders.ts'

const POWER = 5
const source = 'https://example.org/powers-of-tau'

let work: string
let r1cs: string
let open: string
let finished: string

const at = (name: string) => join(work, name)
const hashOf = async (path: string, algorithm: 'sha256' | 'blake2b512') =>
  createHash(algorithm)
    .update(await readFile(path))
    .digest('hex')

/** Makes published powers of tau: first with three contributions, then also closed and prepared. */
beforeAll(async () => {
  work = await makeFolder('published')
  const circuit = fileURLToPath(new URL('ten-inputs.circom', import.meta.url))
  r1cs = (await compileOnce(circuit)).r1cs
  await powersOfTau.newAccumulator(await curves.getCurveFromName('bn128'), POWER, at('0'))
  for (const step of [1, 2, 3]) {
    await powersOfTau.contribute(at(String(step - 1)), at(String(step)), '', `dice ${step}`)
  }
  await powersOfTau.beacon(at('3'), at('4'), '', '7f'.repeat(32), 10)
  await powersOfTau.preparePhase2(at('4'), at('prepared'))
  open = at('3')
  finished = at('prepared')
})

afterAll(async () => {
  // Ends the worker threads of snarkjs. They would keep the test process running.
  await (await curves.getCurveFromName('bn128')).terminate()
  await removeFolders()
})

const start = async (path: string, hash: string) => {
  const folder = join(await makeFolder('ceremony'), 'folder')
  await startCeremony(folder, r1cs, { path, hash, source })
  return folder
}

const UNKNOWN = 'Phase 1 begins with powers of tau whose hash this program does not know.'

test('the known public powers of tau equal the list of snarkjs', async () => {
  const main = createRequire(import.meta.url).resolve('snarkjs')
  const readme = await readFile(join(dirname(main), '../README.md'), 'utf8')
  const rows = readme.matchAll(/hez_final_(\d+)\.ptau\) +\| ([0-9a-f]{128}) \|/g)
  const listed = new Map([...rows].map(([, power, hash]) => [Number(power), hash]))
  expect(KNOWN_POWERS.size).toBe(3)
  for (const [power, hash] of KNOWN_POWERS) expect(listed.get(power)).toBe(hash)
})

describe('public powers of tau', () => {
  test.each(['sha256', 'blake2b512'] as const)(
    'can be used for phase 2 immediately if they end in a beacon (%s)',
    async (algorithm) => {
      const folder = await start(finished, await hashOf(finished, algorithm))
      await preparePhase2(folder, r1cs)
      const transcript = await verifyCeremony(folder, r1cs)
      const published = { source, contributions: 4, endsInBeacon: true }
      expect(startOf(transcript)).toMatchObject({ power: POWER, published })
      const ofPhase1 = (lines: string[]) => lines.filter((line) => line.includes('hase 1'))
      const { hash } = startOf(transcript).published!
      expect(ofPhase1(findShortcomings(transcript, [hash]))).toEqual([])
      // The ceremony's organiser could have made both the file and its hash.
      expect(ofPhase1(findShortcomings(transcript))).toEqual([UNKNOWN])
    },
  )

  test('need a beacon if they do not end in a beacon', async () => {
    const folder = await start(open, await hashOf(open, 'sha256'))
    await contribute(folder, r1cs, await party(work, 'Ada'), new Date())
    const transcript = await verifyCeremony(folder, r1cs)
    expect(findShortcomings(transcript).slice(0, 2)).toEqual([
      UNKNOWN,
      'Phase 1 is not closed by a beacon.',
    ])
    await expect(preparePhase2(folder, r1cs)).rejects.toThrow('Phase 1 is not closed yet')
  })

  test('give only a development key if they have too few contributions', async () => {
    const folder = await start(at('2'), await hashOf(at('2'), 'sha256'))
    const [, second] = findShortcomings(await verifyCeremony(folder, r1cs))
    expect(second).toBe('Phase 1 has 2 of the 3 contributors that it needs.')
  })

  test('are refused if their hash is not the published hash', () =>
    expect(start(finished, '00'.repeat(64))).rejects.toThrow('with the published hash'))

  test('are refused if they have no contribution', async () =>
    expect(start(at('0'), await hashOf(at('0'), 'sha256'))).rejects.toThrow('no contribution'))

  test.each<[string, Partial<NonNullable<Start['published']>>, string]>([
    ['more contributions', { contributions: 5 }, 'does not contain what the transcript says'],
    ['another hash', { hash: '00'.repeat(32) }, 'not the file with the published hash'],
  ])('are refused if the transcript claims %s', async (_, changes, reason) => {
    const folder = await start(finished, await hashOf(finished, 'sha256'))
    const claimed = await tamper(folder, (whole) => {
      const begun = startOf(whole)
      const published = { ...begun.published!, ...changes }
      return { ...whole, entries: [{ ...begun, published }] }
    })
    await expect(verifyCeremony(claimed, r1cs)).rejects.toThrow(reason)
  })
})
