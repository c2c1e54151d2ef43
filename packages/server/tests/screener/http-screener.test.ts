import { addressFromBytes, type Address } from '@sotto/protocol'
import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { pinoLog } from '../../src/adapters/log/pino-log.ts'
import { eachScreener } from '../../src/adapters/screener/each-screener.ts'
import { openHttpScreener } from '../../src/adapters/screener/http-screener.ts'
import type { Clock } from '../../src/ports/clock.ts'
import type { Screener } from '../../src/ports/screener.ts'
import { screenParties } from '../../src/usecases/quote/screen-parties.ts'
import { movedClock, type MovedClock } from '../remote/no-wait-clock.ts'
import { startRemote, type RemoteServer } from '../remote/remote-server.ts'

const newAddress = (): Address => addressFromBytes(new Uint8Array(randomBytes(32)))
const SANCTION = { category: 'sanctions', name: 'A list', description: null, url: null }

let clock: MovedClock
let service: RemoteServer
let refused: Set<string>
beforeEach(async () => {
  clock = movedClock(0)
  refused = new Set()
  service = await startRemote(({ headers, url }) => {
    if (headers['x-api-key'] !== 'key') return { status: 403 }
    const [, address] = /^\/api\/v1\/address\/([A-Za-z0-9]+)$/.exec(url.pathname) ?? []
    if (address === undefined) return { status: 404 }
    return { status: 200, json: { identifications: refused.has(address) ? [SANCTION] : [] } }
  })
})
afterEach(() => service.close())

/** Opens a screener that draws these random numbers, one after the other. All later numbers are 0. */
const open = (draws: number[] = [], by: Clock = clock, key = 'key', timeoutMs = 60_000) =>
  openHttpScreener({
    ...{ url: service.url, apiKey: async () => key, clock: by },
    ...{ timeoutMs, spreadMs: 1_000, keptMs: 60_000 },
    random: { bytes: () => new Uint8Array(0), below: () => draws.shift() ?? 0 },
  })

it('refuses only addresses that the service identifies', async () => {
  const [good, bad] = [newAddress(), newAddress()]
  refused.add(bad)
  const screener = open()
  expect([await screener.isRefused(good, 'local'), await screener.isRefused(bad, 'local')]).toEqual(
    [false, true],
  )
  await expect(screenParties(screener, [good, bad], 'local')).rejects.toThrow('SCREENING_REFUSED')
})

describe('no address passes unscreened', () => {
  it.each(['hang', 'refuse', 'cut', 'garbage', 429, 500] as const)('on %s', async (fault) => {
    service.faults.push(fault)
    const screener = open([], clock, 'key', 150)
    const one = newAddress()
    await expect(screener.isRefused(one, 'local')).rejects.toMatchObject({ name: 'RemoteError' })
    // The failure isn't cached. On a busy machine, a correct response may also be late, so the test repeats the
    // request.
    const answer = () => screener.isRefused(one, 'local')
    expect(await vi.waitFor(answer, { timeout: 50_000 })).toBe(false)
  })

  it('with a key that is refused', async () => {
    await expect(open([], clock, 'other').isRefused(newAddress(), 'local')).rejects.toMatchObject({
      code: 'screener_403',
    })
  })

  it('if the second of two screeners fails', async () => {
    const passing: Screener = { isRefused: async () => false }
    service.faults.push(500)
    await expect(eachScreener([passing, open()]).isRefused(newAddress(), 'local')).rejects.toThrow(
      '500',
    )
  })
})

it('the log of a failure contains no address, URL or key', async () => {
  const lines: string[] = []
  const log = pinoLog('info', { write: (line) => void lines.push(line) })
  const one = newAddress()
  for (const fault of ['hang', 'refuse', 'garbage', 500] as const) {
    service.faults.push(fault)
    const asked = Promise.resolve(open([], clock, 'hunter2', 150).isRefused(one, 'local'))
    const error = await asked.catch((thrown: unknown) => thrown)
    log.failed('request', error)
    expect(`${String(error)} ${JSON.stringify(error)}`).not.toMatch(
      new RegExp(`${one}|127|hunter2`),
    )
  }
  expect(lines).toHaveLength(4)
  expect(lines.join('')).toContain('screener_timeout')
  expect(lines.join('')).not.toMatch(new RegExp(`${one}|127[.]0|hunter2`))
})

/** A clock whose sleeps all wait until the test releases them. The sleep with the earliest end then ends first. */
function gatheringClock(): Clock & { readonly release: () => Promise<void> } {
  const waiting: { readonly ms: number; readonly go: () => void }[] = []
  return {
    nowMs: () => 0,
    sleep: (ms) => new Promise((go) => waiting.push({ ms, go })),
    release: async () => {
      for (const { go } of waiting.splice(0).sort((one, other) => one.ms - other.ms)) {
        const before = service.asked.length
        go()
        await expect.poll(() => service.asked.length).toBe(before + 1)
      }
    },
  }
}

describe('sender and recipient', () => {
  it('are sent at different times and on different connections', async () => {
    const [sender, recipient] = [newAddress(), newAddress()]
    const gathering = gatheringClock()
    // The sender's request is made first, but its random delay is longer.
    const screening = screenParties(open([900, 20], gathering), [sender, recipient], 'local')
    await gathering.release()
    await screening
    const [first, second, ...more] = service.asked
    expect(more).toEqual([])
    expect([first!.url.pathname, second!.url.pathname]).toEqual([
      `/api/v1/address/${recipient}`,
      `/api/v1/address/${sender}`,
    ])
    expect(first!.connection).not.toBe(second!.connection)
    // Apart from the address, both requests are equal, so they can't identify the transfer.
    expect(first!.headers).toEqual(second!.headers)
    expect(Object.keys(first!.headers).sort()).toEqual([
      'accept',
      'connection',
      'host',
      'x-api-key',
    ])
    expect([first!.body, first!.url.search]).toEqual(['', ''])
  })

  it('of an order are not sent again soon after its quote', async () => {
    const parties = [newAddress(), newAddress()]
    const screener = open()
    await screenParties(screener, parties, 'local')
    await screenParties(screener, parties, 'local')
    expect(service.asked).toHaveLength(2)
    clock.advanceMs(60_000)
    refused.add(parties[1]!)
    await expect(screenParties(screener, parties, 'local')).rejects.toThrow('SCREENING_REFUSED')
  })

  it('are sent again after the clock was set back', async () => {
    const parties = [newAddress(), newAddress()]
    const screener = open()
    await screenParties(screener, parties, 'local')
    clock.advanceMs(-1)
    refused.add(parties[1]!)
    await expect(screenParties(screener, parties, 'local')).rejects.toThrow('SCREENING_REFUSED')
  })

  it('are sent again for another account', async () => {
    const parties = [newAddress(), newAddress()]
    const screener = open()
    await screenParties(screener, parties, 'local')
    await screenParties(screener, parties, 'other')
    expect(service.asked).toHaveLength(4)
  })
  it('are not sent again because another account asks about many addresses', async () => {
    const parties = [newAddress(), newAddress()]
    let isHeld = false
    const held: Clock = {
      nowMs: () => 0,
      sleep: () => new Promise((resolve) => isHeld || resolve(undefined)),
    }
    const screener = open([], held)
    await screenParties(screener, parties, 'local')
    isHeld = true
    for (let count = 0; count < 10_000; count += 1) void screener.isRefused(newAddress(), 'other')
    isHeld = false
    await screenParties(screener, parties, 'local')
    expect(service.asked).toHaveLength(2)
  })

  it('are not sent again after a late failure of an earlier request', async () => {
    const one = newAddress()
    const screener = open([], clock, 'key', 1_500)
    service.faults.push('hang')
    const late = Promise.resolve(screener.isRefused(one, 'local')).catch(() => 'failed')
    await expect.poll(() => service.asked.length).toBe(1)
    clock.advanceMs(60_000)
    expect(await screener.isRefused(one, 'local')).toBe(false)
    expect(await late).toBe('failed')
    expect(await screener.isRefused(one, 'local')).toBe(false)
    expect(service.asked).toHaveLength(2)
  })
})
