import { expect } from 'vitest'
import { type Endpoints, call } from './client.ts'

const MAX_STATUSES = 256

interface Landed {
  readonly slot: number
  readonly err: unknown
}

/**
 * Remembers everything that a chain reported in responses and notifications. After a restart, the witness checks that
 * the chain has lost nothing.
 */
export class Witness {
  readonly #landed = new Map<string, Landed>()
  readonly #records = new Map<string, string>()
  readonly #leastLamports = new Map<string, number>()
  #newestSlot = 0

  /** Number of transactions that the witness has recorded. */
  get count(): number {
    return this.#landed.size
  }

  sawSlot(slot: number): void {
    this.#newestSlot = Math.max(this.#newestSlot, slot)
  }

  sawLanded(signature: string, slot: number, err: unknown): void {
    const known = this.#landed.get(signature)
    expect(known ?? { slot, err }).toEqual({ slot, err })
    this.#landed.set(signature, { slot, err })
    this.sawSlot(slot)
  }

  sawRecord(signature: string, record: unknown): void {
    this.#records.set(signature, JSON.stringify(record))
  }

  /** Records the balance of an account that only receives. */
  sawLamports(address: string, lamports: number): void {
    this.#leastLamports.set(address, Math.max(this.#leastLamports.get(address) ?? 0, lamports))
  }

  /** Checks that a restarted chain still agrees with everything that it ever reported. */
  async hold(endpoints: Endpoints): Promise<void> {
    const slot = (await call(endpoints, 'getSlot', [{ commitment: 'processed' }])) as number
    expect(slot).toBeGreaterThan(this.#newestSlot)
    const landed = [...this.#landed]
    for (let at = 0; at < landed.length; at += MAX_STATUSES) {
      const page = landed.slice(at, at + MAX_STATUSES)
      const params = [page.map(([signature]) => signature), { searchTransactionHistory: true }]
      const { value } = (await call(endpoints, 'getSignatureStatuses', params)) as {
        value: unknown[]
      }
      page.forEach(([signature, { slot: at, err }], index) => {
        expect(value[index], signature).toMatchObject({
          ...{ slot: at, err, confirmationStatus: 'finalized' },
        })
      })
    }
    for (const [signature, record] of this.#records) {
      const config = { commitment: 'confirmed', maxSupportedTransactionVersion: 0 }
      const found = await call(endpoints, 'getTransaction', [signature, config])
      expect(JSON.stringify(found)).toBe(record)
    }
    for (const [address, least] of this.#leastLamports) {
      const { value } = (await call(endpoints, 'getBalance', [address])) as { value: number }
      expect(value, address).toBeGreaterThanOrEqual(least)
    }
  }
}
