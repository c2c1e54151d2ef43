import { chmod, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'
import {
  authoriserFile,
  placeHonestOrders,
  type HonestOrder,
} from '../../packages/sdk/tests/attacks/honest-order.ts'
import { startHttpStack } from '../../packages/server/tests/http/http-stack.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Every honest order by its name. The signer is left out, because it isn't plain data. */
    honestOrders: ReadonlyMap<string, Omit<HonestOrder, 'authoriser'>>
    /** The 64 bytes of the authoriser's keypair. */
    authoriserKey: Uint8Array
  }
}

/**
 * Places the orders that the tests attack, once for all mutants. So the tests of a mutant needn't start a chain and a
 * service.
 */
export default async function setup(project: TestProject): Promise<void> {
  // By default, only the current user may read Stryker's copy of the repository. The user that runs PostgreSQL must
  // read it too.
  await chmod(fileURLToPath(new URL('../../', import.meta.url)), 0o755)
  const stack = await startHttpStack()
  try {
    const orders = await placeHonestOrders(stack)
    const plain = [...orders].map(([name, { authoriser: _, ...order }]) => [name, order] as const)
    project.provide('honestOrders', new Map(plain))
    const bytes = JSON.parse(await readFile(authoriserFile(stack), 'utf8')) as number[]
    project.provide('authoriserKey', Uint8Array.from(bytes))
  } finally {
    await stack.close()
  }
}
