import type { Address } from '@sotto/protocol'
import { readFile, stat } from 'node:fs/promises'
import { z } from 'zod'
import type { Prices, Rate } from '../../ports/prices.ts'

const digits = z
  .string()
  .regex(/^[1-9][0-9]{0,29}$/, 'must be a whole number above zero, as digits')
const shape = z.strictObject({
  rates: z.array(
    z.strictObject({
      source: z.string(),
      destination: z.string(),
      numerator: digits,
      denominator: digits,
    }),
  ),
})

/** Thrown if the prices file can't be used. The message contains the reason. */
export class PricesFileError extends Error {
  override readonly name = 'PricesFileError'
}

async function load(path: string, asOfMs: number): Promise<Map<string, Rate>> {
  const parsed = shape.safeParse(JSON.parse(await readFile(path, 'utf8')))
  if (!parsed.success) {
    throw new PricesFileError(`the prices file ${path} is wrong: ${z.prettifyError(parsed.error)}`)
  }
  return new Map(
    parsed.data.rates.map(({ source, destination, numerator, denominator }) => [
      `${source} ${destination}`,
      { numerator: BigInt(numerator), denominator: BigInt(denominator), asOfMs },
    ]),
  )
}

/**
 * Reads prices from a file that an operator writes: `{ "rates": [{ source, destination, numerator, denominator }] }`.
 * `source` and `destination` are mints, and the rate converts base units. The file is read again when it changes. A
 * rate is as old as the file. Such prices are for local chains and for pairs with a fixed rate.
 */
export async function openFilePrices(path: string): Promise<Prices> {
  let version = (await stat(path)).mtimeMs
  let rates = await load(path, version)
  return {
    readRate: async (source: Address, destination: Address) => {
      const { mtimeMs } = await stat(path)
      if (mtimeMs !== version) {
        rates = await load(path, mtimeMs)
        version = mtimeMs
      }
      return rates.get(`${source} ${destination}`)
    },
  }
}

/** Prices for a service that offers no swaps. There is no rate for any pair. */
export const noPrices: Prices = { readRate: async () => undefined }
