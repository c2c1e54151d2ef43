import { addressBytes, type Address, type UnixSeconds } from '@sotto/protocol'
import {
  getBase58Decoder,
  getTransactionDecoder,
  getTransactionEncoder,
  type Blockhash,
  type ReadonlyUint8Array,
  type Transaction,
  type TransactionPartialSigner,
  type TransactionSendingSigner,
  type TransactionWithinSizeLimit,
  type TransactionWithLifetime,
} from '@solana/kit'
import { isSigned } from '../verify/check-authorisation.ts'
import { isGuarded } from '../verify/check-guards.ts'
import { isSameBytes } from '../verify/decode-order-message.ts'
import { refuse } from '../verify/refusal.ts'
import { assertVerified, type VerifiedOrder } from '../verify/verified-order.ts'
import type { OrderSigner, WireSender } from './order-signer.ts'

/** The sender's signature. `wire` is undefined if the wallet sent the transaction itself. */
export interface SignedOrder {
  readonly signature: string
  readonly wire: Uint8Array | undefined
  /** The last second of the chain's clock at which the signed transaction can land. */
  readonly validUntil: UnixSeconds
}

type Signable = Transaction & TransactionWithinSizeLimit & TransactionWithLifetime

/**
 * Asks the sender to sign a verified order. If the signer offers several methods, the function prefers one that can't
 * change the transaction. If the signer may change the transaction, the function verifies the result again. Guards that
 * Phantom and Solflare append are accepted (`isGuarded`). A signer that signs and sends in one step must be trusted.
 *
 * @throws OrderRefusedError if the result isn't signed, or isn't a valid transaction for the order.
 */
export async function signOrder(order: VerifiedOrder, signer: OrderSigner): Promise<SignedOrder> {
  assertVerified(order)
  if (signer.address !== order.terms.sender) {
    return refuse('sender', "the signer is not the order's sender")
  }
  const transaction = signable(order)
  if ('signTransactions' in signer) return signPartially(order, transaction, signer)
  if ('modifyAndSignTransactions' in signer) {
    const [modified] = await signer.modifyAndSignTransactions([transaction])
    return accept(order, modified)
  }
  if ('signWire' in signer) {
    const signed = await signer.signWire(new Uint8Array(encode(transaction)))
    return accept(order, decode(signed))
  }
  const sent = await send(transaction, signer)
  const { validUntil } = order.terms
  return { signature: getBase58Decoder().decode(sent), wire: undefined, validUntil }
}

async function send(
  transaction: Signable,
  signer: TransactionSendingSigner | WireSender,
): Promise<ReadonlyUint8Array> {
  if ('sendWire' in signer) return signer.sendWire(new Uint8Array(encode(transaction)))
  const [sent] = await signer.signAndSendTransactions([transaction])
  if (sent === undefined) throw new Error('the wallet returned no signature')
  return sent
}

const encode = (transaction: Transaction) => getTransactionEncoder().encode(transaction)

function decode(wire: Uint8Array): Transaction {
  try {
    return getTransactionDecoder().decode(wire)
  } catch (cause) {
    return refuse('transaction', 'the wallet returned a transaction that cannot be read', cause)
  }
}

/** A transaction with a copy of the message. A wallet that writes into the copy doesn't change the verified message. */
function signable({ message, terms, blockhash, lastValidBlockHeight }: VerifiedOrder): Signable {
  const lifetimeConstraint = { blockhash: blockhash as Blockhash, lastValidBlockHeight }
  const messageBytes = new Uint8Array(message) as unknown as Transaction['messageBytes']
  const transaction = { messageBytes, signatures: { [terms.sender]: null }, lifetimeConstraint }
  return transaction as unknown as Signable
}

async function signPartially(
  order: VerifiedOrder,
  transaction: Signable,
  signer: TransactionPartialSigner,
): Promise<SignedOrder> {
  const [signatures] = await signer.signTransactions([transaction])
  const signature = signatures?.[order.terms.sender]
  if (signature === undefined) return refuse('signers', 'the wallet returned no signature')
  const { messageBytes } = signable(order)
  return accept(order, { messageBytes, signatures: { [order.terms.sender]: signature } })
}

/**
 * Accepts a signed transaction if its message is one of these: the verified message; the verified message with a
 * wallet's guards after the deposit; or a different message that passes the same verification.
 */
async function accept(order: VerifiedOrder, signed: Transaction | undefined): Promise<SignedOrder> {
  if (signed === undefined) return refuse('transaction', 'the wallet returned no transaction')
  const message = new Uint8Array(signed.messageBytes)
  const isVerified = isSameBytes(message, order.message) || isGuarded(order.message, message)
  const { terms } = isVerified ? order : await order.verifyAgain(message)
  const sender: Address = order.terms.sender
  const signature = signed.signatures[sender] ?? undefined
  if (signature === undefined) return refuse('signers', 'the wallet returned no signature')
  const bytes = new Uint8Array(signature)
  if (!(await isSigned(bytes, message, addressBytes(sender)))) {
    return refuse('signers', "the wallet's signature is not valid for the transaction")
  }
  const wire = new Uint8Array(encode(signed))
  return { signature: getBase58Decoder().decode(bytes), wire, validUntil: terms.validUntil }
}
