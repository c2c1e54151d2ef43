import { getBase58Decoder } from '@solana/kit'
import { defineMethod, noParams } from '../method.ts'

const base58 = getBase58Decoder()

export const getGenesisHash = defineMethod({
  name: 'getGenesisHash',
  params: noParams,
  handle: (_, scope) => base58.decode(scope.chain.genesisHash),
})
