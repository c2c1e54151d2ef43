import { createKeyPairSignerFromBytes, type KeyPairSigner } from '@solana/kit'
import { beforeAll, inject } from 'vitest'
import { describeAttacks } from '../../packages/sdk/tests/attacks/describe-attacks.ts'

let authoriser: KeyPairSigner
beforeAll(async () => {
  authoriser = await createKeyPairSignerFromBytes(inject('authoriserKey'))
})

// Runs the attacks of packages/sdk/tests/malicious-server.test.ts. The global set-up has placed the orders for them.
describeAttacks((name) => ({ ...inject('honestOrders').get(name)!, authoriser }))
