import { NATIVE_MINT, type Address } from '@sotto/protocol'
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openFilePrices } from '../../src/adapters/prices/file-prices.ts'
import { freshPrices } from '../../src/adapters/prices/fresh-prices.ts'
import { movedClock } from '../remote/no-wait-clock.ts'

const OTHER = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' as Address
const WRITTEN_S = 1_795_000_000

let folder: string
let file: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-prices-'))
  file = join(folder, 'prices.json')
})
afterEach(() => rm(folder, { recursive: true }))

async function write(numerator: string, atSeconds: number): Promise<void> {
  const rate = { source: NATIVE_MINT, destination: OTHER, numerator, denominator: '1000' }
  await writeFile(file, JSON.stringify({ rates: [rate] }))
  await utimes(file, atSeconds, atSeconds)
}

it('a file of fixed rates gives no rate once it is too old', async () => {
  await write('150', WRITTEN_S)
  const clock = movedClock(WRITTEN_S * 1_000 + 60_000)
  const fixed = await openFilePrices(file)
  const ask = (ageMaxMs: number | undefined) =>
    freshPrices(fixed, ageMaxMs, clock).readRate(NATIVE_MINT, OTHER)
  expect(await ask(60_000)).toMatchObject({ numerator: 150n, asOfMs: WRITTEN_S * 1_000 })
  clock.advanceMs(1)
  expect(await ask(60_000)).toBeUndefined()
  expect(await ask(undefined)).toBeDefined()
  await write('160', WRITTEN_S + 60)
  expect(await ask(60_000)).toMatchObject({ numerator: 160n })
})
