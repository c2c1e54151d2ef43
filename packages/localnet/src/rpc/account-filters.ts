import { z } from 'zod'
import { decodeBytes } from './decode-transaction-param.ts'
import { countParam } from './params.ts'

const MAX_FILTERS = 4

const memcmpParam = z.object({
  memcmp: z
    .object({
      offset: countParam,
      bytes: z.string(),
      encoding: z.enum(['base58', 'base64', 'binary', 'bytes']).default('base58'),
    })
    .transform(({ offset, bytes, encoding }) => ({
      offset,
      bytes: decodeBytes(bytes, encoding === 'base64' ? 'base64' : 'base58'),
    })),
})

const dataSizeParam = z.object({ dataSize: countParam })

/** At most four filters. An account must pass all of them. */
export const filtersParam = z.array(z.union([memcmpParam, dataSizeParam])).max(MAX_FILTERS)

export type AccountFilter = z.output<typeof filtersParam>[number]

/** True if the data passes every filter. */
export function matchesFilters(data: Uint8Array, filters: readonly AccountFilter[]): boolean {
  return filters.every((filter) => {
    if ('dataSize' in filter) return data.length === filter.dataSize
    const { offset, bytes } = filter.memcmp
    const found = data.subarray(offset, offset + bytes.length)
    return Buffer.compare(found, bytes) === 0
  })
}
