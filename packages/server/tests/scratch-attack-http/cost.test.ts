import { wasmPoseidon as poseidon } from '@sotto/poseidon'
import { eddsaVerify, ownerOf, signPayment, packOwner } from '@sotto/protocol'
import { it } from 'vitest'
import { ownerOfKey } from '../../src/domain/balance.ts'
import { statePrivacy } from '../../src/domain/privacy-statement.ts'
it('costs', () => {
  const secret = 123456789n
  const owner = ownerOf(secret)
  const sig = signPayment(poseidon, secret, 42n)
  for (let i = 0; i < 20; i += 1) eddsaVerify(poseidon, owner, 43n, sig)
  let t = performance.now()
  for (let i = 0; i < 50; i += 1) eddsaVerify(poseidon, owner, BigInt(i), sig)
  console.log('verify ms', (performance.now() - t) / 50)
  const key = Buffer.from(packOwner(owner)).toString('hex')
  t = performance.now()
  for (let i = 0; i < 50; i += 1) ownerOfKey(key)
  console.log('ownerOfKey ms', (performance.now() - t) / 50)
  for (const n of [300, 5000, 50000]) {
    const pending = Array.from({ length: n }, (_, i) => ({
      wallet: `w${i}`,
      chance: 0.5 + (i % 7) / 20,
      isKept: 0.9,
    })) as never
    t = performance.now()
    for (let i = 0; i < 10; i += 1)
      statePrivacy(pending, { sender: 'w1' as never, weight: 1, isDeposited: false })
    console.log('statePrivacy', n, (performance.now() - t) / 10)
  }
})
