import { NATIVE_MINT } from '@sotto/protocol'
import { createKeyPairSignerFromBytes, generateKeyPairSigner } from '@solana/kit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../server/src/adapters/clock/system-clock.ts'
import { startHttpStack, type HttpStack } from '../../server/tests/http/http-stack.ts'
import { solSend } from '../../server/tests/http/partner-client.ts'
import { makeWallet } from '../../server/tests/settlement/stack/wallet.ts'
import { askedFor, missingFunds, readBalances, transfer, type TransferState } from '../wallet.ts'
import { Crash, openSurvivor } from './transfer/crash-points.ts'
import { openBooks, optionsOf } from './transfer/paying.ts'

let stack: HttpStack
let base: Awaited<ReturnType<typeof optionsOf>>

beforeAll(async () => {
  stack = await startHttpStack()
  base = await optionsOf(stack)
})
afterAll(() => stack?.close())

async function walletWith(lamports: number, usdc = '0') {
  const { address, keypair } = makeWallet()
  if (lamports > 0) await stack.localnet.local('requestAirdrop', [address, lamports])
  if (usdc !== '0') await stack.localnet.local('localnet_mintTokens', [address, stack.usdc, usdc])
  const balance = async () =>
    (await stack.rpc.getBalance(address, { commitment: 'confirmed' }).send()).value
  while (lamports > 0 && (await balance()) === 0n) await systemClock.sleep(50)
  const held = async () => (await readBalances(stack.rpc, address, stack.usdc)).source
  while (usdc !== '0' && (await held()) === 0n) await systemClock.sleep(50)
  return createKeyPairSignerFromBytes(new Uint8Array(keypair))
}

describe('a wallet that has too little', () => {
  it.each([
    ['SOL', 400_000_000, '0', NATIVE_MINT, '1000000000', /^the sender's wallet lacks 0\.6\d* SOL$/],
    ['tokens', 100_000_000, '250', undefined, '1000000', /lacks 0\.99975 of the token/],
    ['both', 0, '0', undefined, '1000000', /lacks 0\.00\d+ SOL and 1 of the token/],
  ] as const)(
    'stops the transfer before anything is ordered, and names the missing amount: %s',
    async (_, lamports, usdc, mint, amount, message) => {
      const signer = await walletWith(lamports, usdc)
      const asset = mint ?? stack.usdc
      const assets = { sourceAssetId: asset, destinationAssetId: asset }
      const request = solSend(stack, { ...assets, amount, senderAddress: signer.address })
      const survivor = openSurvivor(askedFor(request))
      const books = await openBooks(stack)
      const { save } = survivor
      const running = transfer({ ...base, signer, save, state: survivor.read() })
      await expect(running).rejects.toMatchObject({
        name: 'InsufficientFundsError',
        message: expect.stringMatching(message) as string,
      })
      expect([survivor.read().step, await books.ordersMade()]).toEqual(['asked', 0])
    },
  )

  it('is not asked to sign again until it has enough', async () => {
    const signer = await walletWith(2_000_000_000)
    const request = solSend(stack, { senderAddress: signer.address })
    const survivor = openSurvivor(askedFor(request))
    const stopping = async (state: TransferState) => {
      await survivor.save(state)
      if (state.step === 'signing') throw new Crash('signing')
    }
    const going = { ...base, signer }
    const stopped = transfer({ ...going, save: stopping, state: survivor.read() })
    await expect(stopped).rejects.toThrow(Crash)
    const { address } = await generateKeyPairSigner()
    const aside = solSend(stack, { senderAddress: signer.address, recipientAddress: address })
    const { save } = survivor
    await transfer({ ...going, state: askedFor(aside), save: async () => {}, until: 'paid' })
    const lacking = transfer({ ...going, save, state: survivor.read() })
    await expect(lacking).rejects.toMatchObject({ name: 'InsufficientFundsError' })
    expect(survivor.read().step).toBe('signing')
    await stack.localnet.local('requestAirdrop', [signer.address, 2_000_000_000])
    const senderMustHold = { native: '2000000000', source: '0' }
    const funds = { ...request, senderMustHold }
    while ((await missingFunds(stack.rpc, funds)).native > 0n) await systemClock.sleep(50)
    const paid = await transfer({ ...going, save, until: 'paid', state: survivor.read() })
    expect(paid).toMatchObject({ outcome: 'paid' })
  })
})

describe('the error for a transaction that the node refuses', () => {
  /** Runs a transfer until the wallet has signed, and stops it before the transaction is submitted. */
  async function signed(request = solSend(stack), signer = base.signer) {
    const survivor = openSurvivor(askedFor(request))
    const stopping = async (state: TransferState) => {
      await survivor.save(state)
      if (state.step === 'submitting') throw new Crash('submitting')
    }
    const running = transfer({ ...base, signer, save: stopping, state: survivor.read() })
    await expect(running).rejects.toThrow(Crash)
    return survivor
  }

  it('names the next step if the wallet has spent its money since', async () => {
    const signer = await walletWith(2_000_000_000)
    const senderAddress = signer.address
    const survivor = await signed(solSend(stack, { senderAddress }), signer)
    const aside = solSend(stack, { senderAddress })
    const paid = { ...base, signer, save: async () => {}, until: 'paid' } as const
    await transfer({ ...paid, state: askedFor(aside) })
    const { save } = survivor
    const running = transfer({ ...base, signer, save, state: survivor.read() })
    await expect(running).rejects.toMatchObject({
      name: 'SubmissionError',
      message: expect.stringMatching(/too little SOL.*put more into the sender's wallet/) as string,
      nextStep: expect.stringContaining('resume') as string,
    })
  })

  it('names the program’s error', async () => {
    const survivor = await signed()
    await stack.operate('pool', 'config', '--admin', stack.adminFile, '--pause-deposits', 'on')
    try {
      const { save } = survivor
      const running = transfer({ ...base, save, state: survivor.read() })
      await expect(running).rejects.toMatchObject({
        name: 'SubmissionError',
        programError: 'DepositsPaused',
        message: expect.stringContaining('Deposits are paused. (DepositsPaused)') as string,
      })
    } finally {
      await stack.operate('pool', 'config', '--admin', stack.adminFile, '--pause-deposits', 'off')
    }
  })
})
