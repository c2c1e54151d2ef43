// Builds the tree of a leaf file. This script runs as a separate process, so that its memory can be measured.
import { buildTree } from '@sotto/poseidon'
import { readLeafFile } from '../../packages/server/src/adapters/poseidon/leaf-file.ts'

const [file = '', threads = '2'] = process.argv.slice(2)
const start = performance.now()
const tree = await buildTree(await readLeafFile(file), Number(threads))
const root = tree.root.toString(16)
const seconds = (performance.now() - start) / 1_000
const peakMb = (process.resourceUsage().maxRSS * 1_024) / 1e6
process.stdout.write(JSON.stringify({ root, leaves: tree.size, seconds, peakMb }))
