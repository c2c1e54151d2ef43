import type { Meters } from '../adapters/metrics/meters.ts'
import { secretSource } from '../adapters/remote/secret-source.ts'
import { noScreening, openDenyList } from '../adapters/screener/deny-list.ts'
import { eachScreener } from '../adapters/screener/each-screener.ts'
import { openHttpScreener } from '../adapters/screener/http-screener.ts'
import type { Config } from '../config.ts'
import type { Clock } from '../ports/clock.ts'
import type { Random } from '../ports/random.ts'
import type { Screener } from '../ports/screener.ts'
import type { ServiceLog } from '../ports/service-log.ts'

export interface ScreenerParts {
  readonly config: Config
  readonly clock: Clock
  readonly random: Random
  readonly log: Pick<ServiceLog, 'failed'>
  readonly meters?: Meters
}

/** Opens the configured screening. @throws DenyListError if the deny list is invalid at the start. */
export async function openScreener(parts: ScreenerParts): Promise<Screener> {
  const { SCREENER } = parts.config
  // Local screeners are first in the list, so that an address that they refuse isn't sent to a remote service.
  const order = (['none', 'deny-list', 'http'] as const).filter((one) => SCREENER.includes(one))
  const { meters } = parts
  return eachScreener(
    await Promise.all(
      order.map(async (one) => {
        const screener = await openOne(parts, one)
        return meters === undefined || one === 'none' ? screener : meters.screener(one, screener)
      }),
    ),
  )
}

async function openOne(
  { config, clock, random, log, meters }: ScreenerParts,
  kind: Config['SCREENER'][number],
): Promise<Screener> {
  switch (kind) {
    case 'none':
      return noScreening
    case 'deny-list':
      return openDenyList(
        config.DENY_LIST_FILE ?? '',
        (error) => log.failed('deny-list', error),
        meters?.denyListIsCurrent,
      )
    case 'http': {
      const { SCREENER_API_KEY: key, secretPaths } = config
      return openHttpScreener({
        ...{ url: config.SCREENER_URL ?? '', clock, random },
        apiKey: key === undefined ? undefined : secretSource(key, secretPaths['SCREENER_API_KEY']),
        timeoutMs: config.SCREENER_TIMEOUT_MS,
        spreadMs: config.SCREENER_SPREAD_MS,
        keptMs: config.SCREENER_KEPT_SECONDS * 1_000,
      })
    }
  }
}
