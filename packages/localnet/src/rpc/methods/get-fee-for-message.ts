import { z } from 'zod'
import { feeOf } from '../../chain/compute-budget.ts'
import { MalformedTransaction, decodeMessage } from '../../chain/decoded-transaction.ts'
import { contextSlot, withContext } from '../context.ts'
import { decodeBytes } from '../decode-transaction-param.ts'
import { defineMethod } from '../method.ts'
import { contextParam, paramList } from '../params.ts'
import { INVALID_PARAMS, RpcError } from '../rpc-error.ts'

/** Answers null if the message's blockhash has expired, as a validator does. */
export const getFeeForMessage = defineMethod({
  name: 'getFeeForMessage',
  params: paramList(z.string(), contextParam),
  handle: ([text, config], scope) => {
    const slot = contextSlot(scope, config)
    try {
      const message = decodeMessage(decodeBytes(text, 'base64'))
      const isAlive = scope.chain.blockhashes.isValidAt(message.recentBlockhash, slot)
      return withContext(slot, isAlive ? feeOf(message) : null)
    } catch (error) {
      if (error instanceof MalformedTransaction) throw new RpcError(INVALID_PARAMS, error.message)
      throw error
    }
  },
})
