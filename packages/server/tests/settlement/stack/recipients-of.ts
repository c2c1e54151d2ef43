import type { Address } from '@sotto/protocol'
import { Recipients } from '../../../src/adapters/chain/recipients/recipients.ts'
import { systemClock } from '../../../src/adapters/clock/system-clock.ts'
import { systemRandom } from '../../../src/adapters/random/system-random.ts'
import type { ChainRpc } from '../../../src/adapters/rpc/rpc-client.ts'

/** Reads recipients' accounts through this client. The decoys in these reads aren't kept up to date. */
export const recipientsOf = (rpc: ChainRpc, program: Address): Recipients =>
  new Recipients({ rpc, program, clock: systemClock, random: systemRandom })
