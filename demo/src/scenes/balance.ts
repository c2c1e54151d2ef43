import {
  memoryBalance,
  openBalance,
  type Balance,
  type PaidPayment,
  type PaymentRequest,
} from '@sotto/sdk/balance'
import { PROGRAM_SHA256 } from '@sotto/sdk/wallet'
import { NATIVE_MINT, settlementsOf, TIME_GRID_SECONDS } from '@sotto/protocol'
import type { KeyPairSigner, Signature } from '@solana/kit'
import { setTimeout as sleep } from 'node:timers/promises'
import { grossOfPayment } from '../market-terms.ts'
import type { MadePayment, Stage } from '../stage.ts'
import type { Scene } from '../play-scenes.ts'

const POLL_MS = 150
const PATIENCE_MS = 60_000
const DAY_SECONDS = 86_400
/** The amount that the wallet deposits, and the amounts that the payees get, in lamports. */
const TOP_UP = 987_654_321n
const PAYOUTS = [101_000_003n, 57_123_457n, 33_333_331n, 140_707_071n, 9_999_991n] as const

/** A balance whose payments have been started. */
interface OpenedBalance {
  readonly balance: Balance
  readonly sender: KeyPairSigner
  readonly depositSignature: Signature
  readonly lines: readonly PaymentRequest[]
  readonly paid: Promise<PaidPayment[]>
}

/**
 * A balance in two scenes: a top-up, and later its five payments and the return of the rest. Each payment waits until
 * the previous payment is final, so other scenes are played in between.
 */
export function balanceScenes(): readonly [topUp: Scene, payOut: Scene] {
  let opened: OpenedBalance | undefined
  return [
    async (stage) => {
      stage.progress.scene('Balance: one top-up')
      opened = await topUp(stage)
      // If another scene fails first, no code awaits this promise. This handler then prevents an unhandled rejection.
      opened.paid.catch(() => undefined)
    },
    async (stage) => {
      stage.progress.scene(`Balance: ${PAYOUTS.length} payments, and the rest returns`)
      if (opened === undefined) throw new Error('the balance was never opened')
      await payOut(stage, opened)
    },
  ]
}

/**
 * Deposits a balance with one signature, and starts a list of payments. The payments don't need the wallet's
 * signature.
 */
async function topUp(stage: Stage): Promise<OpenedBalance> {
  const { chain, ledger, progress, program, sdk, sizes } = stage
  const sender = await stage.wallet('sender, balance', { lamports: sizes.solHeld })
  progress.doing('paying in')
  const balance = await openBalance({
    ...{ service: sdk, rpc: chain.rpc, programId: program, signer: sender, pollMs: POLL_MS },
    ...{ store: memoryBalance(), approve: () => true },
    ...{ acceptedPrograms: [PROGRAM_SHA256], isLocalChain: true },
    topUp: {
      ...{ senderAddress: sender.address, assetId: NATIVE_MINT, amount: `${TOP_UP}` },
      balanceSeconds: DAY_SECONDS,
    },
  })
  const [deposit] = await chain.history(sender.address)
  if (deposit === undefined) throw new Error('the wallet has no deposit')
  const { fee } = await chain.feeOf(deposit.signature)
  ledger.expect(sender.address, NATIVE_MINT, -TOP_UP, 'top-up')
  ledger.expect(sender.address, NATIVE_MINT, -fee, 'transaction fee')
  progress.done(`signed once; ${TOP_UP} are in the balance`)
  const lines: PaymentRequest[] = []
  for (const [index, payout] of PAYOUTS.entries()) {
    const payee = await stage.wallet(`payee ${index + 1}, balance`)
    lines.push({ to: payee.address, amount: `${payout}` })
    ledger.expect(payee.address, NATIVE_MINT, payout, 'payment')
  }
  progress.done(`${lines.length} payments begin, and continue during the next scenes`)
  const paid = balance.sendAll({ id: 'demo', lines })
  return { balance, sender, depositSignature: deposit.signature, lines, paid }
}

/** Waits for the payments. After the balance's end, waits until the service has returned the rest. */
async function payOut(
  stage: Stage,
  { balance, sender, depositSignature, lines, paid }: OpenedBalance,
): Promise<void> {
  const { ledger, passage, progress } = stage
  progress.doing('waiting for the last payment')
  const payments = (await paid).map((one, index) =>
    madePayment(one, BigInt(lines[index]?.amount ?? '0')),
  )
  for (const { payout, fee } of payments) progress.done(`paid ${payout}, fee ${fee}`)
  const rest = payments.reduce((left, { payout, fee }) => left - payout - fee, TOP_UP)
  const { value, endsAt } = await balance.state()
  if (value !== rest) throw new Error(`the balance has ${value} left, and should have ${rest}`)
  // A refund becomes possible one step of the time grid after the balance's end.
  await passage.untilTime(endsAt + TIME_GRID_SECONDS)
  progress.done(`a day has passed, and the balance has ended with ${rest} left`)
  ledger.expect(sender.address, NATIVE_MINT, rest, 'rest of the balance')
  const returnSignature = await settlementAfter(stage, sender, depositSignature)
  stage.balances.push({
    ...{ name: 'Balance', sender: sender.address, asset: NATIVE_MINT, value: TOP_UP },
    depositSignature,
    ...{ payments, returned: rest, returnSignature },
  })
  progress.done(`the service returned ${rest}, free of charge`)
}

/** @throws Error if the payment didn't pay exactly the requested amount at the published price. */
function madePayment({ payout, fee, signature }: PaidPayment, asked: bigint): MadePayment {
  const made = { payout: BigInt(payout), fee: BigInt(fee) }
  if (made.payout !== asked || made.payout + made.fee !== grossOfPayment(asked)) {
    throw new Error(`a payment of ${asked} paid ${payout} and took a fee of ${fee}`)
  }
  if (signature === null) throw new Error('the chain does not show the transaction of a payment')
  return { ...made, signature }
}

/**
 * Waits for the first settlement that pays a wallet after the wallet's deposit. The wallet's history may also contain
 * other transactions, such as the closing of its Order account.
 */
async function settlementAfter(
  { chain, program }: Stage,
  { address }: KeyPairSigner,
  deposit: Signature,
): Promise<Signature> {
  for (let waited = 0; waited < PATIENCE_MS; waited += POLL_MS) {
    for (const { signature } of await chain.history(address, deposit)) {
      const record = await chain.transaction(signature)
      if (record !== null && settlementsOf(program, record).length > 0) return signature
    }
    await sleep(POLL_MS)
  }
  throw new Error('the rest of the balance was never returned')
}
