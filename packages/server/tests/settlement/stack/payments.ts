import { wasmPoseidon } from '@sotto/poseidon'
import {
  amount,
  ceilToGrid,
  changeOf,
  encodeTicket,
  innerCommitment,
  leafOfNote,
  NATIVE_MINT,
  nullifierOf,
  ownerOf,
  paymentMessage,
  signPayment,
  unixSeconds,
  type Address,
  type DepositTerms,
  type Note,
  type UnixSeconds,
} from '@sotto/protocol'
import { payFromBalance } from '@sotto/recovery'
import { createKeyPairSignerFromBytes } from '@solana/kit'
import { randomBytes } from 'node:crypto'
import { readClock } from '../../../src/adapters/chain/settlement/read-head.ts'
import { sqlOrderStore } from '../../../src/adapters/store/order-store.ts'
import { encodePlan } from '../../../src/domain/order-secrets.ts'
import { encodePayment, type PaymentSignature } from '../../../src/domain/payment-terms.ts'
import type { NewPayment, SignedColumns } from '../../../src/ports/order-store.ts'
import { reservedNames } from '../../../src/usecases/payment/reserved-names.ts'
import { PROGRAM } from './localnet-process.ts'
import { depositInstructions, land, type PlacedOrder } from './orders.ts'
import { waitUntil, type Stack } from './stack.ts'
import { makeWallet } from './wallet.ts'

/** A balance's note in the tree, with its owner's secret. */
export interface OpenedBalance {
  readonly orderId: Uint8Array
  readonly note: Note
  readonly secret: bigint
}

const drawSecret = () => BigInt(`0x${randomBytes(16).toString('hex')}`)
const DEADLINE_SECONDS = 1_200n
const LIFE_SECONDS = 86_400n

/** Deposits a balance's note with the stack's authoriser. The service has no order for this deposit. */
export async function openBalance(stack: Stack, value: bigint): Promise<OpenedBalance> {
  const sender = makeWallet()
  await stack.airdrop(sender.address, value + 1_000_000_000n)
  const secret = drawSecret()
  const orderId = new Uint8Array(randomBytes(16))
  const deadline = ceilToGrid((await readClock(stack.rpc)) + DEADLINE_SECONDS)
  const expiry = unixSeconds(deadline + LIFE_SECONDS)
  const claim = { kind: 'balance', owner: ownerOf(secret) } as const
  const note: Note = {
    ...{ nk: drawSecret(), claim, sender: sender.address, mint: NATIVE_MINT },
    ...{ value: amount(value), deadline, expiry },
  }
  const terms: DepositTerms = {
    ...{ orderId, sender: sender.address, sourceMint: NATIVE_MINT, destinationMint: NATIVE_MINT },
    ...{ amountIn: amount(value), value: amount(value), partnerFee: amount(0n) },
    ...{ deadline, validUntil: deadline, inner: innerCommitment(wasmPoseidon, note) },
    payload: new Uint8Array(65),
  }
  const order = { terms, note, recipient: sender.address, epoch: 0, sender }
  await land(stack, sender, await depositInstructions(stack, order))
  return { orderId, note, secret }
}

export interface PaymentWish {
  readonly payee: Address
  readonly payout: bigint
  readonly fee?: bigint
  readonly validUntil?: UnixSeconds
  readonly isLast?: true
  /** The secret of the change. By default, it is computed from the owner's secret. */
  readonly changeNk?: bigint
}

export interface MadePayment {
  readonly id: Uint8Array
  /** The balance after the payment, if the payment lands. */
  readonly left: OpenedBalance
  readonly signed: PaymentSignature
  readonly leafIndex: number
  readonly validUntil: UnixSeconds
}

/** Waits until the service has followed the chain up to a note's leaf, and returns the leaf's index. */
export async function leafIndexOf(stack: Stack, { note }: OpenedBalance): Promise<number> {
  const leaf = leafOfNote(wasmPoseidon, stack.domain, note)
  const bytes = Buffer.from(leaf.toString(16).padStart(64, '0'), 'hex')
  const find = () =>
    stack.database.query<{ leaf_index: number }>(
      'SELECT leaf_index::integer AS leaf_index FROM leaves WHERE leaf = $1',
      [bytes],
    )
  await waitUntil(async () => (await find()).length > 0)
  return (await find())[0]!.leaf_index
}

/**
 * Moves the chain's time past midnight (UTC) if less than an hour of the day is left. The day on which a payment ends
 * determines when its change expires. So the change of two payments can be equal only if both payments end on the same
 * day.
 */
export async function leaveLastHour({ rpc, localnet }: Stack): Promise<void> {
  const left = 86_400n - ((await readClock(rpc)) % 86_400n)
  if (left < 3_600n) await localnet.local('localnet_advanceTime', [Number(left)])
}

/** Signs a payment as the balance's owner, and stores the payment as the service does. */
export async function pay(
  stack: Stack,
  balance: OpenedBalance,
  wish: PaymentWish,
): Promise<MadePayment> {
  const { made, payment, signed } = await preparePayment(stack, balance, wish)
  const orders = sqlOrderStore(stack.database, stack.secrets)
  const outcome = await orders.tryCreatePayment(payment, 1_000)
  if (outcome !== 'created') throw new Error(`the payment is ${outcome}`)
  const answer = await orders.trySign(payment.id, signed, Date.now())
  if (answer !== 'signed') throw new Error(`the payment is ${answer}`)
  return made
}

/** A payment as the service stores it, and the columns that change when the payment is signed. */
export interface PreparedPayment {
  readonly made: MadePayment
  readonly payment: NewPayment
  readonly signed: SignedColumns
}

/** Signs a payment as the balance's owner. The payment isn't stored yet. */
export async function preparePayment(
  stack: Stack,
  balance: OpenedBalance,
  { payee, payout, fee = 1_000n, ...wish }: PaymentWish,
): Promise<PreparedPayment> {
  const { note, secret, orderId } = balance
  const leafIndex = await leafIndexOf(stack, balance)
  const validUntil = wish.validUntil ?? ceilToGrid((await readClock(stack.rpc)) + 600n)
  const nullifier = nullifierOf(wasmPoseidon, note.nk, BigInt(leafIndex))
  const usual = changeOf(wasmPoseidon, note, {
    ...{ nullifier, secret },
    ...{ change: amount(note.value - payout - fee), validUntil },
  })
  const left = { ...usual, nk: wish.changeNk ?? usual.nk }
  const terms = { payee, payout: amount(payout), fee: amount(fee) }
  const changeLeaf = leafOfNote(wasmPoseidon, stack.domain, left)
  const message = paymentMessage(wasmPoseidon, { ...terms, nullifier, changeLeaf, validUntil })
  const signature = signPayment(wasmPoseidon, secret, message)
  const signed = { changeNk: left.nk, signature, isLast: wish.isLast }
  const id = new Uint8Array(randomBytes(16))
  const made = { id, left: { ...balance, note: left }, signed, leafIndex, validUntil }
  const columns = await columnsOf(stack, id, { validUntil, nullifier, changeLeaf }, (sealed) =>
    encodePayment({
      ...{ ticket: encodeTicket({ program: PROGRAM, orderId, note }), leafIndex, ...terms },
      ...{ accountExisted: true, ...(sealed === 'signed' ? { signed } : {}) },
    }),
  )
  return { made, ...columns }
}

async function columnsOf(
  stack: Stack,
  id: Uint8Array,
  {
    validUntil,
    nullifier,
    changeLeaf,
  }: { validUntil: UnixSeconds; nullifier: bigint; changeLeaf: bigint },
  termsOf: (kind: 'unsigned' | 'signed') => Uint8Array,
): Promise<Pick<PreparedPayment, 'payment' | 'signed'>> {
  await stack.database.query(
    `INSERT INTO accounts (id, name, fee_bps_max, created_at) VALUES ('a', 'a', 100, now())
     ON CONFLICT DO NOTHING`,
    [],
  )
  const epoch = Math.floor(Date.now() / 3_600_000)
  const secrets = await stack.secrets.forNewOrder(epoch)
  const payment = {
    ...{ id, accountId: 'a', quoteNonce: id, idempotencyKey: undefined, epoch, validUntil },
    ...{ fingerprint: new Uint8Array(64), reference: undefined, createdAtMs: Date.now() },
    sealedTerms: secrets.seal(id, 'payment', termsOf('unsigned')),
    sealedResponse: new Uint8Array(1),
    reservations: await reservedNames(stack.secrets, secrets, { kind: 'note', nullifier }),
  }
  const signed = {
    changeNames: await reservedNames(stack.secrets, secrets, { kind: 'change', leaf: changeLeaf }),
    sealedTerms: secrets.seal(id, 'payment', termsOf('signed')),
    sealedPlan: secrets.seal(id, 'plan', encodePlan({ deliverAtMs: Date.now() })),
  }
  return { payment, signed }
}

/** Reads a payment's status and its attempts. */
export async function readPaymentState(stack: Stack, { id }: Pick<MadePayment, 'id'>) {
  const payment = await sqlOrderStore(stack.database, stack.secrets).readPayment('a', id)
  const secrets = (await stack.secrets.read(payment!.epoch))!
  const attempts = await stack.database.query<{ kind: string; state: string }>(
    'SELECT kind, state FROM attempts WHERE pseudonym = $1 ORDER BY number',
    [secrets.pseudonym(id)],
  )
  return {
    status: payment!.status,
    attempts: attempts.map(({ kind, state }) => `${kind} ${state}`),
  }
}

export async function waitForPayment(stack: Stack, payment: MadePayment, status: string) {
  await waitUntil(async () => (await readPaymentState(stack, payment)).status === status)
  return readPaymentState(stack, payment)
}

/** Pays out of a balance as its owner can without the service. `payout` is in base units. */
export async function payByOwnHand(
  stack: Stack,
  { terms, note }: PlacedOrder,
  secret: bigint,
  payout: bigint,
): Promise<void> {
  const payer = makeWallet()
  await stack.airdrop(payer.address, 1_000_000_000n)
  await payFromBalance({
    rpc: stack.rpc,
    poseidon: wasmPoseidon,
    prove: (inputs) => stack.prover.prove(inputs),
    ticket: { program: PROGRAM, orderId: terms.orderId, note, secret },
    payer: await createKeyPairSignerFromBytes(new Uint8Array(payer.keypair)),
    payee: makeWallet().address,
    payout: amount(payout),
    isLocalChain: true,
  })
}
