import {
  addressBytes,
  addressHalves,
  bigintFromBytes,
  fieldToBytes,
  FIELD_MODULUS,
} from '@sotto/protocol'
import { createHash } from 'node:crypto'
import { byAnswer, byTransaction, type Attack } from './attack.ts'
import { forgeInner, forgeTicket, noteOf } from './forge.ts'
import type { HonestOrder } from './honest-order.ts'

/** Makes a deposit with this note secret. Commitment, signature and ticket all match the secret. */
const secret = (name: string, nkOf: (honest: HonestOrder) => bigint): Attack =>
  byTransaction(
    `${name}, and the ticket agrees`,
    'note_secret',
    (honest) => ({
      terms: { inner: forgeInner(honest, { nk: nkOf(honest) }) },
    }),
    (honest) => ({ order: { recovery: forgeTicket(honest, { nk: nkOf(honest) }) } }),
  )

const filled = (valueAt: (index: number) => number): bigint =>
  bigintFromBytes(Uint8Array.from({ length: 32 }, (_, index) => valueAt(index)))

/** The byte offsets in a decoded ticket at which the secret and the checksum begin. */
const [SECRET_AT, CHECKSUM_AT] = [129, 201] as const

/** The ticket with a secret that isn't a field element, but with a valid checksum. */
function overflowing({ order }: HonestOrder): string {
  const start = order.recovery.indexOf('_') + 1
  const bytes = Buffer.from(order.recovery.slice(start), 'base64url')
  bytes.write(FIELD_MODULUS.toString(16).padStart(64, '0'), SECRET_AT, 'hex')
  createHash('sha256')
    .update(bytes.subarray(0, CHECKSUM_AT))
    .digest()
    .copy(bytes, CHECKSUM_AT, 0, 6)
  return order.recovery.slice(0, start) + bytes.toString('base64url')
}

/** Attacks with a bad note secret. In those made by `secret`, all statements of the service match that secret. */
export const secretAttacks: readonly Attack[] = [
  secret("the note's secret is zero", () => 0n),
  secret("the note's secret is 1", () => 1n),
  secret("the note's secret fits into 192 bits", () => 2n ** 192n - 0x1234_5678_9abc_def1n),
  secret("the note's secret is a small number below zero", () => FIELD_MODULUS - 1n),
  secret("the note's secret is one byte, repeated", () => filled(() => 0x11)),
  secret("the note's secret counts upwards", () => filled((index) => index + 1)),
  secret("the note's secret has ten different bytes", () => filled((index) => 0x10 + (index % 10))),
  secret("the note's secret is the order's id twice", ({ terms }) => {
    const id = bigintFromBytes(terms.orderId)
    return ((id << 128n) + id) % 2n ** 253n
  }),
  secret("the note's secret holds half of the recipient's address", ({ expected }) => {
    const { hi } = addressHalves(expected.recipient)
    return (FIELD_MODULUS / 3n / 2n ** 128n) * 2n ** 128n + hi
  }),
  secret("the note's secret is the sender's address backwards", ({ expected }) => {
    const bytes = addressBytes(expected.sender).slice().reverse()
    return bigintFromBytes(bytes) % 2n ** 253n
  }),
  byTransaction("the payload shows the note's secret", 'note_secret', (honest) => {
    const payload = new Uint8Array(honest.terms.payload)
    payload.set(fieldToBytes(noteOf(honest).nk), 20)
    return { terms: { payload } }
  }),
  byAnswer("the ticket's secret is no element of the field", 'ticket', (honest) => ({
    order: { recovery: overflowing(honest) },
  })),
]
