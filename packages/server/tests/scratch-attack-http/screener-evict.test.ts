import { addressFromBytes, type Address } from '@sotto/protocol'
import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openHttpScreener } from '../../src/adapters/screener/http-screener.ts'
import { screenParties } from '../../src/usecases/quote/screen-parties.ts'
import { movedClock, type MovedClock } from '../remote/no-wait-clock.ts'
import { startRemote, type RemoteServer } from '../remote/remote-server.ts'

const newAddress = (): Address => addressFromBytes(new Uint8Array(randomBytes(32)))
let clock: MovedClock
let service: RemoteServer
beforeEach(async () => {
  clock = movedClock(0)
  service = await startRemote(() => ({ status: 200, json: { identifications: [] } }))
})
afterEach(() => service.close())

it('quotes of one account do not displace the verdicts of another account', async () => {
  const screener = openHttpScreener({
    ...{ url: service.url, apiKey: undefined, clock, timeoutMs: 60_000, spreadMs: 0 },
    keptMs: 3_600_000,
    random: { bytes: () => new Uint8Array(0), below: () => 0 },
  })
  const victims = [newAddress(), newAddress()]
  await screenParties(screener, victims, 'victim')
  for (let batch = 0; batch < 100; batch += 1) {
    clock.advanceMs(1_000)
    await Promise.all(
      Array.from({ length: 50 }, () =>
        screenParties(screener, [newAddress(), newAddress()], 'attacker'),
      ),
    )
  }
  const asked = () =>
    service.asked.filter(({ url }) => victims.some((one) => url.pathname.endsWith(one))).length
  expect(asked()).toBe(2)
  // The victim refreshes the order 100 seconds after the quote.
  await screenParties(screener, victims, 'victim')
  expect(asked()).toBe(2)
})
