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
   * A wrong clock may have dated a tariff's last update in the future. Until that date, no deposit would count for a
   * crowd, and the tariff couldn't change. So this method replaces the date with the followed clock's time. Does
   * nothing if the chain isn't followed.
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
