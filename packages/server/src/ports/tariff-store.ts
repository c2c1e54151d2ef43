import type { Address } from '@sotto/protocol'
import type { Tariff } from '../domain/tariff.ts'
import type { AssetKind } from './market-store.ts'

/** An asset whose tariff follows the costs of its deliveries. */
export interface AutomaticTariff extends Tariff {
  readonly mint: Address
  readonly kind: AssetKind
}

export interface TariffStore {
  /**
   * Dates changes of tariffs that a wrong clock dated in the future by the chain's clock. Otherwise crowds wouldn't
   * count, and the tariff wouldn't change, until that time. Does nothing unless the chain is followed.
   */
  readonly correctDates: (nowMs: number) => Promise<void>
  /**
   * Lists the tariffs that may change now, because they last changed before `changedBeforeMs`, milliseconds since 1970.
   */
  readonly listDue: (changedBeforeMs: number) => Promise<AutomaticTariff[]>
  /**
   * Sets a tariff. Returns false if another replica has changed the tariff since it was read, or if the operator has
   * fixed it.
   */
  readonly trySet: (
    mint: Address,
    tariff: Tariff,
    changedBeforeMs: number,
    nowMs: number,
  ) => Promise<boolean>
}
