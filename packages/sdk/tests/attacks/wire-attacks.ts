import {
  getBase64Decoder,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
  getTransactionDecoder,
  getTransactionEncoder,
  type Transaction,
  type V0CompiledTransactionMessage,
} from '@solana/kit'
import type { Attack } from './attack.ts'
import type { HonestOrder } from './honest-order.ts'
import { THIEF_ACCOUNT } from './thief.ts'

type Compiled = V0CompiledTransactionMessage & { readonly lifetimeToken: string }

const wireOf = ({ order }: HonestOrder) =>
  new Uint8Array(getBase64Encoder().encode(order.transaction))

const byWire = (
  name: string,
  code: Attack['code'],
  change: (wire: Uint8Array) => Uint8Array,
): Attack => ({
  ...{ name, code, of: 'any' },
  answer: async (honest) => {
    const transaction = getBase64Decoder().decode(change(wireOf(honest)))
    return { quote: honest.quote, order: { ...honest.order, transaction } }
  },
})

const byMessage = (
  name: string,
  code: Attack['code'],
  change: (message: Compiled) => object,
): Attack =>
  byWire(name, code, (wire) => {
    const transaction = getTransactionDecoder().decode(wire)
    const message = getCompiledTransactionMessageDecoder().decode(transaction.messageBytes)
    const changed = change(message as Compiled) as Compiled
    const messageBytes = getCompiledTransactionMessageEncoder().encode(changed)
    return new Uint8Array(
      getTransactionEncoder().encode({ ...transaction, messageBytes } as unknown as Transaction),
    )
  })

/** Attacks on the bytes of the transaction. */
export const wireAttacks: readonly Attack[] = [
  byWire('bytes follow the transaction', 'transaction', (wire) => new Uint8Array([...wire, 0])),
  byWire('the transaction is cut short', 'transaction', (wire) => wire.slice(0, -1)),
  byWire('somebody has signed already', 'already_signed', (wire) => wire.with(1, 1)),
  byMessage(
    'the transaction is of the old version',
    'transaction',
    ({ addressTableLookups: _, ...rest }) => ({
      ...rest,
      version: 'legacy',
    }),
  ),
  byMessage('an account is listed that no instruction uses', 'accounts', (message) => ({
    ...message,
    header: {
      ...message.header,
      numReadonlyNonSignerAccounts: message.header.numReadonlyNonSignerAccounts + 1,
    },
    staticAccounts: [...message.staticAccounts, THIEF_ACCOUNT],
  })),
  byMessage('an account that is only read is listed as writable', 'accounts', (message) => ({
    ...message,
    header: {
      ...message.header,
      numReadonlyNonSignerAccounts: message.header.numReadonlyNonSignerAccounts - 1,
    },
  })),
  byMessage('an account is listed twice', 'accounts', (message) => ({
    ...message,
    header: {
      ...message.header,
      numReadonlyNonSignerAccounts: message.header.numReadonlyNonSignerAccounts + 1,
    },
    staticAccounts: [...message.staticAccounts, message.staticAccounts.at(-1)!],
  })),
  byMessage("the sender's account is listed as read-only", 'sender', (message) => ({
    ...message,
    header: { ...message.header, numReadonlySignerAccounts: 1 },
  })),
]
