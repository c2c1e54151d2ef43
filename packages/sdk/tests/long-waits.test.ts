import { beforeAll, expect, it } from 'vitest'
import type { BalanceService } from '../balance.ts'
import { systemHost } from '../src/host/host.ts'
import { newWallet, PayingStage } from './balance/live-balance.ts'

const VALUE = 1_000_000_000n
/** Enough pauses of a minute each for two signatures to expire one after the other. */
const PAUSES_MAX = 60

let stage: PayingStage
beforeAll(async () => {
  stage = await PayingStage.start()
})

it.each([30_000_000, Number.MAX_SAFE_INTEGER])(
  'a service that calls a note busy for %i seconds delays a payment no longer than another payment can last',
  async (retryAfterSeconds) => {
    const { chain } = stage.fixture
    const { paying, reopen } = await stage.open(VALUE)
    const stop = new AbortController()
    let pauses = 0
    const sleep = (ms: number, signal?: AbortSignal) => {
      chain.setTime(chain.time + 60n)
      if ((pauses += 1) > PAUSES_MAX) stop.abort(new Error('the owner waits for ever'))
      return systemHost.sleep(Math.min(ms, 1), signal)
    }
    const orderPayment: BalanceService['orderPayment'] = () => {
      const refusal = { code: 'NOTE_IN_USE', retry: 'new_quote', retryAfterSeconds }
      return Promise.reject(Object.assign(new Error('in use'), refusal))
    }
    const balance = await reopen({
      ...{ host: { ...systemHost, sleep }, signal: stop.signal },
      service: { ...paying.service, orderPayment },
    })
    const sent = balance.send({ key: 'one', to: await newWallet(), amount: '1000000' })
    await expect(sent).rejects.toMatchObject({ code: 'NOTE_IN_USE' })
    expect(paying.quotesMade).toBe(2)
  },
)
