import { getBase64Decoder, getBase64Encoder, type Address } from '@solana/kit'
import type { DataSlice } from '@sotto/protocol'
import { readPool } from '@sotto/recovery'
import { expect, it } from 'vitest'
import type { BalanceOptions } from '../balance.ts'
import { newWallet, PayingStage } from './balance/live-balance.ts'

const VALUE = 1_000_000_000n
const PAYMENT = 10_000_000n

type Rpc = BalanceOptions['rpc']
type Method = (...args: unknown[]) => { send: () => Promise<{ value: Shown | null }> }
interface Shown {
  readonly data: readonly [string, string]
}

/** A node that keeps showing this account's present state, even after the account has changed. */
async function stoppedAt(rpc: Rpc, account: Address): Promise<Rpc> {
  const whole = await rpc.getAccountInfo(account, { encoding: 'base64' }).send()
  const [text = ''] = whole.value?.data ?? []
  const bytes = new Uint8Array(getBase64Encoder().encode(text))
  const older = ({ dataSlice }: { readonly dataSlice?: DataSlice }) => {
    const { offset, length } = dataSlice ?? { offset: 0, length: bytes.length }
    return [getBase64Decoder().decode(bytes.slice(offset, offset + length)), 'base64']
  }
  return new Proxy(rpc, {
    get: (object, key) => {
      const method = Reflect.get(object, key) as Method
      if (key !== 'getAccountInfo') return method
      return (asked: Address, options: { readonly dataSlice?: DataSlice }) => ({
        send: async () => {
          const answer = await method(asked, options).send()
          if (asked !== account) return answer
          return { ...answer, value: { ...answer.value, data: older(options) } }
        },
      })
    },
  })
}

it('a balance whose node lags right after a payment cannot be read yet, and never counts as unpaid', async () => {
  const stage = await PayingStage.start()
  const live = await stage.open(VALUE)
  const { rpc } = stage.node
  const { program } = stage.fixture.chain
  const { tree } = await readPool(rpc, program)
  const lagging = await stoppedAt(rpc, tree)
  await (await live.reopen()).send({ key: 'one', to: await newWallet(), amount: `${PAYMENT}` })
  const balance = await live.reopen({ rpc: lagging })
  await expect(balance.state()).rejects.toMatchObject({ code: 'HISTORY_MISSING' })
  const sent = balance.send({ key: 'two', to: await newWallet(), amount: `${PAYMENT}` })
  await expect(sent).rejects.toMatchObject({ code: 'HISTORY_MISSING' })
  const state = await (await live.reopen()).state()
  expect(state.status).toBe('open')
  expect(state.value).toBeLessThan(VALUE - PAYMENT)
})
