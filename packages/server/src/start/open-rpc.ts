import { systemClock } from '../adapters/clock/system-clock.ts'
import type { RpcObserver } from '../adapters/rpc/rpc-observer.ts'
import { createRpcClient, type ChainRpc } from '../adapters/rpc/rpc-client.ts'
import type { Config } from '../config.ts'

/** Opens the configured nodes. Calls `changed` with the index of a node that fails or works again. */
export function openRpc(
  { RPC_URL, RPC_URLS, RPC_LAG_SLOTS }: Config,
  changed: (place: number, isUp: boolean) => void = () => undefined,
  observer?: RpcObserver,
): ChainRpc {
  const urls = [RPC_URL, ...(RPC_URLS ?? [])]
  const seen = observer === undefined ? {} : { observer }
  return createRpcClient({ urls, lagSlots: RPC_LAG_SLOTS, clock: systemClock, changed, ...seen })
}
