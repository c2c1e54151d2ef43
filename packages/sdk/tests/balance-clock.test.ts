import { beforeAll, expect, it } from 'vitest'
import { PayingStage } from './balance/live-balance.ts'

const VALUE = 1_000_000_000n

let stage: PayingStage
beforeAll(async () => {
  stage = await PayingStage.start()
})

it("a balance reports the chain's clock while it has money, when it is empty and after its end", async () => {
  const { chain } = stage.fixture
  const balance = await (await stage.open(VALUE)).reopen()
  chain.setTime(chain.time + 60n)
  expect(await balance.state()).toMatchObject({ status: 'open', clock: chain.time })
  const other = await (await stage.open(VALUE)).reopen()
  await balance.close({ kept: 0n })
  chain.setTime(chain.time + 60n)
  expect(await balance.state()).toMatchObject({ status: 'empty', clock: chain.time })
  chain.setTime((await other.state()).endsAt + 60n)
  expect(await other.state()).toMatchObject({ status: 'ended', clock: chain.time })
})
