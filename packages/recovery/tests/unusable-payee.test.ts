import { generateKeyPairSigner, type Address } from '@solana/kit'
import { SYSTEM_PROGRAM_ADDRESS } from '@solana-program/system'
import { TOKEN_PROGRAM_ADDRESS } from '@solana-program/token'
import {
  amount,
  associatedTokenAddress,
  CLOCK_SYSVAR,
  poolAddress,
  vaultAddress,
} from '@sotto/protocol'
import { beforeAll, expect, it } from 'vitest'
import { giveTokens, tokenBalance } from '../../../program/tests/fixtures/token-accounts.ts'
import { landPayment, payFromBalance } from '../index.ts'
import { LandingStage } from './landing-stage.ts'

const PAYOUT = amount(1_000_000n)

let stage: LandingStage
beforeAll(async () => {
  stage = await LandingStage.start()
})

const wallet = async () => (await generateKeyPairSigner()).address

it('refuses a payee if it is a token account, a mint, a program or an address of the pool', async () => {
  const { chain, token } = stage.fixture
  const ticket = await stage.deposit('balance', token)
  const { use, landing, congested } = await stage.through(ticket, 'land')
  const pay = (payee: Address) => landPayment({ ...use, payee, payout: PAYOUT }, landing)
  const { program } = ticket
  const unusable = [
    await giveTokens(chain, token, await wallet(), 1n),
    ...[token, await poolAddress(program), await vaultAddress(program, token), program],
    // The upgradeable loader doesn't own the system program and the token program.
    ...[SYSTEM_PROGRAM_ADDRESS, TOKEN_PROGRAM_ADDRESS, CLOCK_SYSVAR],
    // The runtime reserves this address, although it never has an account.
    'Sysvar1nstructions1111111111111111111111111' as Address,
  ]
  for (const payee of unusable) {
    await expect(pay(payee)).rejects.toMatchObject({ code: 'PAYEE_UNUSABLE' })
    const once = payFromBalance({ ...use, payee, payout: PAYOUT })
    await expect(once).rejects.toMatchObject({ code: 'PAYEE_UNUSABLE' })
  }
  expect(congested.arrivals.size).toBe(0)
  const payee = await wallet()
  await pay(payee)
  expect(tokenBalance(chain, await associatedTokenAddress(payee, token))).toBe(PAYOUT)
})
