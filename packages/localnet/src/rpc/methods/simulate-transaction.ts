import { z } from 'zod'
import type { DecodedTransaction } from '../../chain/decoded-transaction.ts'
import { heightOfSlot } from '../../chain/block-schedule.ts'
import { MAX_PROCESSING_AGE } from '../../chain/recent-blockhashes.ts'
import type { Simulation } from '../../chain/runtime.ts'
import { isFullySigned } from '../../chain/verify-signatures.ts'
import { contextSlot, withContext } from '../context.ts'
import { decodeTransactionParam } from '../decode-transaction-param.ts'
import { type RpcScope, defineMethod } from '../method.ts'
import { addressParam, contextConfig, encodingParam, paramList } from '../params.ts'
import { renderAccount } from '../render-account.ts'
import { renderInnerWithAddresses } from '../render-outcome.ts'
import {
  refusedOutcome,
  renderBalances,
  renderOutcome,
  SIGNATURE_FAILURE,
} from '../render-simulation.ts'
import { INVALID_PARAMS, RpcError } from '../rpc-error.ts'

const accountsParam = z.object({
  addresses: z.array(addressParam),
  encoding: encodingParam
    .default('base64')
    .refine(
      (encoding) => encoding !== 'base58' && encoding !== 'binary',
      'base58 encoding not supported',
    ),
})

const configParam = z
  .object({
    ...contextConfig,
    encoding: z.enum(['base58', 'base64']).default('base58'),
    sigVerify: z.boolean().default(false),
    replaceRecentBlockhash: z.boolean().default(false),
    innerInstructions: z.boolean().default(false),
    accounts: accountsParam.nullish(),
  })
  .prefault({})

type Config = z.output<typeof configParam>

export const simulateTransaction = defineMethod({
  name: 'simulateTransaction',
  params: paramList(z.string(), configParam),
  handle: ([text, config], scope) => {
    const decoded = decodeTransactionParam(text, config.encoding)
    if (config.sigVerify && config.replaceRecentBlockhash) {
      throw new RpcError(INVALID_PARAMS, 'sigVerify may not be used with replaceRecentBlockhash')
    }
    const slot = contextSlot(scope, config)
    const keys = scope.chain.accountKeysOf(decoded, slot)
    const wanted = config.accounts?.addresses.length ?? 0
    if (wanted > keys.length) {
      throw new RpcError(INVALID_PARAMS, `Too many accounts provided; max ${keys.length}`)
    }
    const simulation = run(decoded, config, slot, scope)
    return withContext(slot, {
      ...renderOutcome(simulation, decoded),
      ...renderBalances(simulation, decoded, slot, scope.chain),
      accounts: renderAccounts(simulation, config, slot, scope),
      innerInstructions: config.innerInstructions
        ? renderInnerWithAddresses(simulation, keys)
        : null,
      replacementBlockhash: config.replaceRecentBlockhash
        ? {
            blockhash: scope.chain.blockhashes.hashOf(slot),
            lastValidBlockHeight: heightOfSlot(slot) + MAX_PROCESSING_AGE,
          }
        : null,
    })
  },
})

/** The simulation sees blockhashes, landed messages, the clock and accounts as of the commitment's slot. */
function run(decoded: DecodedTransaction, config: Config, slot: number, scope: RpcScope) {
  if (config.sigVerify && !isFullySigned(decoded)) return refusedOutcome(SIGNATURE_FAILURE)
  const refusal = config.replaceRecentBlockhash
    ? null
    : scope.chain.simulationRefusalOf(decoded, slot)
  return refusal === null ? scope.chain.simulate(decoded, slot) : refusedOutcome(refusal)
}

function renderAccounts(simulation: Simulation, config: Config, slot: number, scope: RpcScope) {
  if (config.accounts === null || config.accounts === undefined) return null
  const { addresses, encoding } = config.accounts
  if (simulation.err !== null) return addresses.map(() => null)
  const view = scope.chain.view(slot)
  return addresses.map((address) => {
    const account = simulation.postAccounts.get(address) ?? view.read(address)
    return account === null ? null : renderAccount(account, { encoding }, view)
  })
}
