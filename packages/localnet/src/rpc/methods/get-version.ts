import { API_VERSION } from '../context.ts'
import { defineMethod, noParams } from '../method.ts'

/** This number isn't the feature set of any public cluster. Clients only pass it on. */
const FEATURE_SET = 0

export const getVersion = defineMethod({
  name: 'getVersion',
  params: noParams,
  handle: () => ({ 'solana-core': API_VERSION, 'feature-set': FEATURE_SET }),
})
