import { AccountRole } from '@solana/kit'
import { byTransaction, type Attack } from './attack.ts'
import { THIEF_SIGNER } from './thief.ts'

/** Terms that the pool's key did not sign, or signed for another pool. */
export const authorisationAttacks: readonly Attack[] = [
  byTransaction('another key signs the terms', 'authorisation', { authoriser: THIEF_SIGNER }),
  byTransaction('the signature is forged', 'authorisation', {
    authorisation: (data) => void (data[48] = data[48]! ^ 1),
  }),
  byTransaction('the terms are signed for another domain', 'authorisation', {
    domain: new Uint8Array(32).fill(1),
  }),
  byTransaction('the signed digest is of other terms', 'authorisation', {
    authorisation: (data) => void (data[112] = data[112]! ^ 1),
  }),
  byTransaction('the authorisation points at another instruction', 'authorisation', {
    authorisation: (data) => void data.set([0, 0], 4),
  }),
  byTransaction('the payload is not the payload that was signed', 'authorisation', {
    deposit: (deposit) => {
      const data = new Uint8Array(deposit.data!)
      data[data.length - 1] = data.at(-1)! ^ 1
      return { ...deposit, data }
    },
  }),
  byTransaction('the authorisation names an account', 'authorisation', {
    instructions: (all) =>
      all.with(-2, {
        ...all.at(-2)!,
        accounts: [{ address: all.at(-1)!.programAddress, role: AccountRole.READONLY }],
      }),
  }),
  byTransaction('the authorisation is one byte longer', 'authorisation', {
    instructions: (all) =>
      all.with(-2, { ...all.at(-2)!, data: new Uint8Array([...all.at(-2)!.data!, 0]) }),
  }),
]
