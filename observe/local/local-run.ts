import { createPacedRpc, NATIVE_MINT, PROGRAM_SHA256, type Address } from '@sotto/protocol'
import { createSottoClient, type SottoClient } from '@sotto/sdk/server'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Chain } from '../../demo/src/chain.ts'
import { silence } from '../../demo/src/progress.ts'
import { localTreasury } from '../../demo/src/stack/local-treasury.ts'
import { openLocalStack } from '../../demo/src/stack/local-stack.ts'
import type { Token } from '../load/plan.ts'
import { FastClock } from './fast-clock.ts'
import { People } from './people.ts'

/** The service, its chain and its database on this machine, under a clock that can be moved ahead. */
export interface LocalRun {
  readonly rpcUrl: string
  readonly program: Address
  readonly rpc: ReturnType<typeof createPacedRpc>
  readonly chain: Chain
  readonly client: SottoClient
  readonly clock: FastClock
  readonly people: People
  readonly partner: Address
  readonly mintOf: (token: Token) => Address
  /** Options of the SDK that a client of this run needs in addition to the usual options. */
  readonly sdk: {
    readonly acceptedPrograms: readonly string[]
    readonly isLocalChain: boolean
    readonly pollMs: number
    readonly host: {
      readonly nowMs: () => number
      readonly fraction: () => number
      readonly sleep: (ms: number) => Promise<void>
    }
  }
  readonly close: () => Promise<void>
}

/** With slots of this length, blocks are final after a third of a second, so waiting for finality takes little time. */
const SLOT_MS = 100
const POLL_MS = 100
/** The maximum that the configuration accepts for a limit. */
const NO_LIMIT = '100000'

/** Starts a local chain and the service. Everything except the clock is real. */
export async function openLocalRun(): Promise<LocalRun> {
  const folder = await mkdtemp(join(tmpdir(), 'sotto-observe-'))
  const clock = await FastClock.open(folder)
  const stack = await clock.under(() =>
    openLocalStack({
      ...{ folder, apiPort: 0, rpcPort: 0, slotMs: SLOT_MS, progress: silence },
      settings: {
        // The service's default delays in production. Local services usually have shorter delays.
        SOTTO_DELAY_MIN_SECONDS: '0',
        SOTTO_DELAY_MEAN_SECONDS: '300',
        SOTTO_DELAY_MAX_SECONDS: '1800',
        SOTTO_POLL_MS: `${POLL_MS}`,
        // Upkeep runs every second, because much more than usual happens in a second under the fast clock.
        SOTTO_UPKEEP_SECONDS: '1',
        SOTTO_RATE_PER_SECOND: NO_LIMIT,
        SOTTO_RATE_BURST: NO_LIMIT,
      },
    }),
  )
  const { rpcUrl, setup } = stack
  const chain = new Chain(rpcUrl, POLL_MS)
  return {
    ...{ rpcUrl, chain, clock },
    program: stack.program as Address,
    rpc: createPacedRpc(rpcUrl),
    client: createSottoClient({ baseUrl: stack.baseUrl, apiKey: setup.apiKey }),
    people: new People(localTreasury(chain, rpcUrl), setup.usdc),
    partner: setup.partner,
    mintOf: (token) => (token === 'SOL' ? NATIVE_MINT : setup.usdc),
    sdk: {
      ...{ acceptedPrograms: [PROGRAM_SHA256], isLocalChain: true, pollMs: POLL_MS },
      host: {
        nowMs: clock.nowMs,
        fraction: () => Math.random(),
        sleep: async (ms) => void (await sleep(ms)),
      },
    },
    close: async () => {
      await stack.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
