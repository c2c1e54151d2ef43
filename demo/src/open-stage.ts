import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Chain } from './chain.ts'
import { makeStage } from './make-stage.ts'
import { advancingPassage } from './passage.ts'
import type { Progress } from './progress.ts'
import type { OpenedStage } from './stage.ts'
import { openLocalStack } from './stack/local-stack.ts'
import { localTreasury } from './stack/local-treasury.ts'

/** Opens the stage on a new stack in its own folder, on free ports. */
export async function openStage(progress: Progress, keep: boolean): Promise<OpenedStage> {
  const folder = await mkdtemp(join(tmpdir(), 'sotto-demo-'))
  const remove = async () => {
    if (keep) progress.done(`kept in ${folder}`)
    else await rm(folder, { recursive: true, force: true })
  }
  let close = remove
  try {
    const stack = await openLocalStack({ folder, apiPort: 0, rpcPort: 0, progress })
    close = async () => {
      await stack.close()
      await remove()
    }
    const { rpcUrl, setup } = stack
    const chain = new Chain(rpcUrl)
    const stage = await makeStage(stack, {
      ...{ chain, progress },
      treasury: localTreasury(chain, rpcUrl),
      passage: advancingPassage(chain, rpcUrl),
    })
    return { stage, relayers: setup.relayers, close }
  } catch (error) {
    await close()
    throw error
  }
}
