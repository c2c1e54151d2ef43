import { describe, expect, it } from 'vitest'
import { signOrder, verifyOrder, type VerifiedOrder } from '../../wallet.ts'
import { ATTACKED } from './attacks.ts'
import { forgeTransaction } from './forge.ts'
import { inputOf, type HonestOrder } from './honest-order.ts'
import { carelessWallet, refusalsOf } from './refusals-of.ts'

/**
 * Runs every attack on every honest order. The tests need no node, because the facts were read when the orders were
 * placed.
 */
export function describeAttacks(honestOrder: (name: string) => HonestOrder): void {
  describe.each(ATTACKED)('%s', (name, attacks) => {
    it('is accepted unchanged, and also with another blockhash', async () => {
      const honest = honestOrder(name)
      const transaction = await forgeTransaction(honest, {})
      for (const order of [honest.order, { ...honest.order, transaction }]) {
        const verified = await verifyOrder({ ...inputOf(honest), order })
        expect(verified.terms).toEqual(honest.terms)
      }
    })

    it.each(attacks.map((attack) => [attack.name, attack] as const))(
      'is refused before anything is signed when %s',
      async (_, attack) => {
        const honest = honestOrder(name)
        expect(await refusalsOf(honest, await attack.answer(honest))).toContain(attack.code)
      },
    )
  })

  it('a refreshed order that is a different order is refused', async () => {
    const first = honestOrder('a send of SOL')
    const second = honestOrder('a send of USDC')
    const input = inputOf(second)
    await verifyOrder({ ...input, refreshed: second.order })
    const { trackingId, recovery } = first.order
    const expiration = new Date(Date.parse(second.order.expiration) + 1_000).toISOString()
    for (const difference of [first.order, { trackingId }, { recovery }, { expiration }]) {
      const again = verifyOrder({ ...input, refreshed: { ...second.order, ...difference } })
      await expect(again).rejects.toMatchObject({ refusals: [{ code: 'refreshed' }] })
    }
  })

  it('an order cannot be verified without a node or facts from a node', async () => {
    const { facts: _, ...blind } = inputOf(honestOrder('a send of USDC'))
    await expect(verifyOrder(blind)).rejects.toMatchObject({ refusals: [{ code: 'chain' }] })
  })

  it('an order that was not verified cannot be signed', async () => {
    const honest = honestOrder('a send of SOL')
    const verified = await verifyOrder(inputOf(honest))
    const { seen, signer } = carelessWallet(honest.expected.sender)
    const forged: VerifiedOrder = { ...verified, message: new Uint8Array(10) }
    await expect(signOrder(forged, signer)).rejects.toThrow(TypeError)
    expect(seen.asked).toBe(0)
    // signOrder asked the wallet, but the wallet returned nothing.
    await expect(signOrder(verified, signer)).rejects.toThrow()
    expect(seen.asked).toBe(1)
  })
}
