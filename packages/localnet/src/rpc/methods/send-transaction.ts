import { z } from 'zod'
import { isFullySigned } from '../../chain/verify-signatures.ts'
import { contextSlot } from '../context.ts'
import { decodeTransactionParam } from '../decode-transaction-param.ts'
import { defineMethod } from '../method.ts'
import { commitmentParam, countParam, paramList } from '../params.ts'
import { assertPreflight } from '../preflight.ts'

const configParam = z
  .object({
    encoding: z.enum(['base58', 'base64']).default('base58'),
    skipPreflight: z.boolean().default(false),
    preflightCommitment: commitmentParam.default('finalized'),
    minContextSlot: countParam.optional(),
  })
  .prefault({})

/**
 * Answers with the signature after the transaction has been executed and is durable, or before that with
 * `landAfterBlocks`. As a validator does, the method also answers with a signature if the transaction never lands.
 */
export const sendTransaction = defineMethod({
  name: 'sendTransaction',
  params: paramList(z.string(), configParam),
  handle: async ([text, config], scope) => {
    const decoded = decodeTransactionParam(text, config.encoding)
    const { preflightCommitment: commitment, minContextSlot } = config
    const bankSlot = contextSlot(scope, { commitment, minContextSlot })
    if (!config.skipPreflight) assertPreflight(decoded, bankSlot, scope.chain)
    const isLost = scope.faults.drawDrop() || !isFullySigned(decoded)
    if (isLost) return decoded.signature
    if (scope.faults.drawLostFork()) {
      const { slot } = scope.chain.tip
      const { err } = scope.chain.simulate(decoded, slot)
      if (scope.chain.refusalOf(decoded, slot) === null) {
        scope.forks.show(decoded.signature, { slot, err })
      }
      return decoded.signature
    }
    const lateness = scope.faults.lateness(decoded.signature)
    if (lateness.blocks > 0) scope.late.hold(decoded, lateness)
    else await scope.queue.submit(decoded)
    return decoded.signature
  },
})
