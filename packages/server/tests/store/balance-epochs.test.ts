import { unixSeconds } from '@sotto/protocol'
import { expect, it } from 'vitest'
import { readBalanceEpochs } from '../../src/adapters/store/balance-epochs.ts'
import { BALANCE_SECONDS_MIN } from '../../src/domain/balance.ts'
import { ChainOfSteps, DEADLINE, LEASE_MS, SEALED } from './chain-of-steps.ts'
import { EPOCHS, NOW_MS, openStores } from './open-stores.ts'

it('only keys that seal a balance now are listed, and not those of transfers', async () => {
  const stores = await openStores('PGlite')
  try {
    const chain = await ChainOfSteps.begin(stores)
    const read = async () => [...(await readBalanceEpochs(stores.database!))]
    await chain.deposited()
    expect(await read()).toEqual([])
    const balance = await chain.deposited({
      expiry: unixSeconds(DEADLINE + BigInt(BALANCE_SECONDS_MIN)),
    })
    expect(await read()).toEqual([EPOCHS[0]])
    const lease = (await chain.claim(balance, NOW_MS + LEASE_MS))!
    const sealed = { plan: SEALED, sealedTerms: SEALED, sealedPlan: SEALED }
    await stores.settlement.tryReseal(lease, { epoch: EPOCHS[1], ...sealed }, NOW_MS)
    expect(await read()).toEqual([EPOCHS[1]])
  } finally {
    await stores.close()
  }
})
