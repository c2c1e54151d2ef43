import { NATIVE_MINT } from '@sotto/protocol'
import { expect, it } from 'vitest'
import { parseTargets } from './inventory-targets.ts'

const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'

it('reads shares that add up to 100 %, and amounts', () => {
  expect([...parseTargets(`${NATIVE_MINT}=39.5%, ${USDC}=60.50%`)!.values()]).toEqual([
    { kind: 'share', bps: 3_950n },
    { kind: 'share', bps: 6_050n },
  ])
  expect(parseTargets(`${USDC}=5000`)!.get(USDC as never)).toEqual({
    kind: 'amount',
    amount: 5_000n,
  })
})

it.each([
  ['shares that do not add up to 100 %', `${NATIVE_MINT}=40%,${USDC}=50%`],
  ['shares together with amounts', `${NATIVE_MINT}=100%,${USDC}=50`],
  ['an asset twice', `${USDC}=50%,${USDC}=50%`],
  ['a share without a mint', '100%'],
  ['a name instead of a mint', 'USDC=100%'],
  ['a fraction of a base unit', `${USDC}=1.5`],
  ['an empty text', ''],
])('refuses %s', (_, text) => {
  expect(parseTargets(text)).toBeUndefined()
})
