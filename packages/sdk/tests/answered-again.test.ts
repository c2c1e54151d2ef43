import type { QuoteRequest } from '@sotto/contract'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { HUNG_MS } from '../../../testing/patience/hung.ts'
import { startHttpStack, type HttpStack } from '../../server/tests/http/http-stack.ts'
import { solSend } from '../../server/tests/http/partner-client.ts'
import { createSottoClient } from '../server.ts'
import { systemHost } from '../src/host/host.ts'
import { askedFor, memoryTickets, transfer, type TransferState } from '../wallet.ts'
import { Crash, openSurvivor } from './transfer/crash-points.ts'
import { repeatingTheFirst, startLyingProxy, type LyingProxy } from './transfer/lying-proxy.ts'
import { costOfOne, openBooks, optionsOf } from './transfer/paying.ts'

let stack: HttpStack
let proxy: LyingProxy
let base: Awaited<ReturnType<typeof optionsOf>>

beforeAll(async () => {
  stack = await startHttpStack()
  proxy = await startLyingProxy(stack.baseUrl)
  const service = createSottoClient({ baseUrl: proxy.url, apiKey: stack.apiKey })
  base = { ...(await optionsOf(stack)), service }
})
afterAll(async () => {
  await proxy?.stop()
  await stack?.close()
})

/** A clock that is two minutes ahead. By this clock, every quote has expired. */
const later = { ...systemHost, nowMs: () => systemHost.nowMs() + 120_000 }

const refused = { name: 'OrderRefusedError', refusals: [{ code: 'known_order' }] }

/**
 * A payment that saves its states in `survivor`. Payments share one store of tickets, unless `more` contains another
 * store.
 */
function payment(request: QuoteRequest, more: Partial<typeof base> = {}) {
  const survivor = openSurvivor(askedFor(request))
  const { save } = survivor
  const run = () => transfer({ ...base, ...more, save, until: 'paid', state: survivor.read() })
  return { survivor, run }
}

describe('an order that the service also returns for a second, identical payment', () => {
  it.each([
    ['with the first payment’s tickets', () => base.tickets],
    ['with no records but the chain', () => memoryTickets()],
  ])('is refused before the wallet is asked, if it is already paid: %s', async (_, tickets) => {
    proxy.lie = repeatingTheFirst()
    const request = solSend(stack)
    const first = await payment(request).run()
    const books = await openBooks(stack)
    const second = payment(request, { tickets: tickets() })
    await expect(second.run()).rejects.toMatchObject(refused)
    expect(second.survivor.steps).not.toContain('signing')
    expect(await books.spent()).toBe(0n)
    // Now the service is honest again. If the second payment resumes from the same state, it must get an order of its
    // own.
    proxy.lie = undefined
    stack.advanceMs(120_000)
    const { survivor } = second
    const state = survivor.read()
    if (state.step === 'ordered') await stack.localnet.local('localnet_advanceTime', [2_500])
    const paid = await transfer({
      ...{ ...base, host: later, save: survivor.save, until: 'paid', state },
    })
    expect(paid).toMatchObject({ outcome: 'paid' })
    expect(paid.trackingId).not.toBe(first.trackingId)
    const recovery = await base.tickets.read(paid.trackingId)
    expect(await books.spent()).toBe(await costOfOne(stack, request, recovery!))
  })

  it('is paid by only one of two simultaneous payments', async () => {
    proxy.lie = repeatingTheFirst()
    const request = solSend(stack)
    const books = await openBooks(stack)
    const both = [payment(request), payment(request)]
    const ends = await Promise.allSettled(both.map(({ run }) => run()))
    const paid = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []))
    const failed = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []))
    expect(paid).toMatchObject([{ outcome: 'paid' }])
    expect(failed).toMatchObject([refused])
    const recovery = await base.tickets.read(paid[0]!.trackingId)
    expect(await books.spent()).toBe(await costOfOne(stack, request, recovery!))
  })

  it('ends the second payment unpaid if the first pays while the second is being verified', async () => {
    proxy.lie = repeatingTheFirst()
    const request = solSend(stack)
    const books = await openBooks(stack)
    const second = payment(request, { tickets: memoryTickets() })
    const { save } = second.survivor
    const raced = transfer({
      ...{ ...base, tickets: memoryTickets(), state: second.survivor.read() },
      save: async (state: TransferState) => {
        await save(state)
        if (state.step === 'signing') await payment(request).run()
      },
    })
    expect(await raced).toMatchObject({ outcome: 'not_paid', code: 'known_order' })
    const recovery = await base.tickets.read((await raced).trackingId)
    expect(await books.spent()).toBe(await costOfOne(stack, request, recovery!))
  })
})

it('a transfer that crashed after it saved its ticket continues with its own order', async () => {
  proxy.lie = undefined
  const { survivor } = payment(solSend(stack))
  const tickets = {
    ...base.tickets,
    save: async (...kept: Parameters<typeof base.tickets.save>) => {
      await base.tickets.save(...kept)
      throw new Crash('ticket')
    },
  }
  const state = survivor.read()
  const crashed = transfer({ ...base, tickets, save: survivor.save, state })
  await expect(crashed).rejects.toThrow(Crash)
  expect(survivor.read().step).toBe('ordered')
  const going = { ...base, save: survivor.save, until: 'paid', state: survivor.read() } as const
  expect(await transfer(going)).toMatchObject({ outcome: 'paid' })
})

describe('a saved order past its deadline that was never signed', () => {
  it('is replaced by a new quote, which needs another approval', async () => {
    proxy.lie = undefined
    const { survivor } = payment(solSend(stack))
    const stopping = async (state: TransferState) => {
      await survivor.save(state)
      if (state.step === 'ordered') throw new Crash('ordered')
    }
    const stopped = transfer({ ...base, save: stopping, state: survivor.read() })
    await expect(stopped).rejects.toThrow(Crash)
    const state = survivor.read()
    if (state.step !== 'ordered') throw new Error('nothing was ordered')
    await stack.localnet.local('localnet_advanceTime', [2_500])
    let approvals = 0
    const approve = () => (approvals += 1) > 0
    const { save } = survivor
    // Until the service has read the new time from the chain, every order that it makes has already expired. So retry.
    const paid = await vi.waitFor(
      () => transfer({ ...base, approve, save, until: 'paid', state: survivor.read() }),
      { timeout: HUNG_MS },
    )
    expect(paid).toMatchObject({ outcome: 'paid' })
    expect(paid.trackingId).not.toBe(state.order.trackingId)
    expect(approvals).toBeGreaterThan(0)
  })
})
