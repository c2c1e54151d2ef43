// Opens a tree file as a starting worker does. This script runs as a separate process, so that its memory can be
// measured.
import { TreeFile } from '../../packages/server/src/adapters/tree/tree-file.ts'

const [path = ''] = process.argv.slice(2)
const start = performance.now()
const { tree, file } = await TreeFile.open(path)
const seconds = (performance.now() - start) / 1_000
await file.close()
const peakMb = (process.resourceUsage().maxRSS * 1_024) / 1e6
process.stdout.write(JSON.stringify({ leaves: tree.size, seconds, peakMb }))
