import type { Command } from 'commander'
import { buildTree } from '@sotto/poseidon'
import { existsSync } from 'node:fs'
import { readLeafFile, writeLeafFile } from '../../adapters/poseidon/leaf-file.ts'
import { readTree } from '../../adapters/chain/settlement/read-entries.ts'
import type { Sql } from '../../adapters/store/sql.ts'
import type { OperatorContext, WithContext } from '../context.ts'
import { OperatorError } from '../../start/operator-error.ts'
import { requirePool } from '../../start/require-pool.ts'
import { parseCountOption } from '../pool/pool-options.ts'
import { lacksLeaf, publishLeaves } from './publish-leaves.ts'

const PAGE = 20_000
const THREADS = 2

interface CheckOptions {
  readonly file: string
  readonly threads: number
}

/** `leaves export | check | publish`: writes or checks files with the note tree's leaves. */
export function registerLeavesCommands(program: Command, withContext: WithContext): void {
  const leaves = program.command('leaves').description("The note tree's leaves in a local file.")
  leaves
    .command('export')
    .description('Write all leaves of the database to a new file. The leaves are public.')
    .requiredOption('--file <path>', 'the file to make')
    .action(({ file }: { file: string }) => withContext((context) => exportLeaves(context, file)))
  leaves
    .command('check')
    .description("Build the tree of a file's leaves and compare its root with the chain's.")
    .requiredOption('--file <path>', 'a file that "leaves export" made')
    .option('--threads <count>', 'number of threads for hashing', parseCountOption, THREADS)
    .action((options: CheckOptions) => withContext((context) => checkLeaves(context, options)))
  leaves
    .command('publish <folder>')
    .description(
      'Write all leaves of the database into a folder for any web server, 1,024 in each file. The command can be repeated.',
    )
    .action((folder: string) => withContext((context) => publishLeaves(context, folder)))
}

async function exportLeaves({ database, out }: OperatorContext, file: string): Promise<void> {
  const exists = () => new OperatorError(`the file ${file} exists already: give another name`)
  if (existsSync(file)) throw exists()
  try {
    out({ file, leaves: await writeLeafFile(file, pagesOf(database)) })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw exists()
    throw error
  }
}

/**
 * Yields all leaves in order, page by page. A page isn't limited to certain indexes. So if the database lacks a leaf
 * but has later leaves, the page shows the gap. @throws OperatorError if a leaf is missing.
 */
async function* pagesOf(sql: Sql): AsyncGenerator<Uint8Array> {
  let next = 0
  for (;;) {
    const rows = await sql.query<{ leaf_index: number; leaf: Uint8Array }>(
      `SELECT leaf_index::integer AS leaf_index, leaf FROM leaves
       WHERE leaf_index >= $1 ORDER BY leaf_index LIMIT $2`,
      [next, PAGE],
    )
    rows.forEach(({ leaf_index: index }, place) => {
      if (index !== next + place) throw lacksLeaf(next + place)
    })
    if (rows.length > 0) yield Buffer.concat(rows.map(({ leaf }) => leaf))
    if (rows.length < PAGE) return
    next += PAGE
  }
}

async function checkLeaves(
  { rpc, program, out }: OperatorContext,
  { file, threads }: CheckOptions,
): Promise<void> {
  const tree = await buildTree(await readLeafFile(file), threads)
  if (tree.size === 0)
    throw new OperatorError(`${file} has no leaves: write it with sotto-server leaves export`)
  const pool = await requirePool(rpc, program)
  const { entry, nextLeaf } = await readTree(rpc, { program, tree: pool.tree }, 0n)
  if (tree.size > nextLeaf) {
    throw new OperatorError(
      `the file has ${tree.size} leaves, but the chain has only ${nextLeaf}: the file belongs to another pool, or the node lags behind`,
    )
  }
  const root = entry(tree.size - 1)?.root
  if (root === undefined) {
    throw new OperatorError(
      `the chain has ${nextLeaf} leaves and no longer shows the root after ${tree.size} of them: export again`,
    )
  }
  if (root !== tree.root) {
    throw new OperatorError(
      "the file's root differs from the chain's: the file is damaged or belongs to another pool",
    )
  }
  out({ file, leaves: tree.size, root: tree.root.toString(16).padStart(64, '0') })
}
