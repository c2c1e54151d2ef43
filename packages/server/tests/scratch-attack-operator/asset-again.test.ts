import { afterAll, beforeAll, expect, it } from 'vitest'
import { startStack, type Stack } from '../settlement/stack/stack.ts'
let stack: Stack
beforeAll(async () => {
  stack = await startStack()
})
afterAll(async () => {
  await stack?.close()
})
const add = (bps: number, cap: string, max: string) =>
  stack.operate<any>(
    ...`asset add --admin ${stack.adminFile} --mint ${stack.usdc} --symbol USDC --name Dollar --service-bps ${bps} --network-fee-exists 20000 --network-fee-created 350000 --input-max ${max} --swap-cap ${cap} --swap-period 3600 --swappable`.split(
      ' ',
    ),
  )
it('asset add: a second call with another swap cap and another fee is refused or has an effect', async () => {
  await add(20, '500000000000000', '100000000000').catch((e) => console.log(String(e)))
  const again = await add(77, '1', '5').catch((e: Error) => e)
  console.log(
    JSON.stringify(again),
    JSON.stringify(
      await stack.database.query('SELECT service_bps, input_max FROM assets WHERE mint = $1', [
        stack.usdc,
      ]),
    ),
  )
  expect(again).toBeInstanceOf(Error)
})
