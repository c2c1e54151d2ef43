import { parentPort, workerData } from 'node:worker_threads'
import { startPoseidon } from './poseidon-module.mjs'

const NODE_BYTES = 32

/** @type {{ levels: Uint8Array[], empty: Uint8Array[], subtrees: [number, number] }} */
const { levels, empty, subtrees } = workerData
const { hashPairs } = startPoseidon()
const height = levels.length - 1

/** Hashes the nodes of one level above some subtrees of `2 ** height` leaves. */
function hashLevel(level, from, to) {
  const [below, nodes] = [levels[level - 1], levels[level]]
  const width = 2 ** (height - level)
  const first = from * width
  const last = Math.min(to * width, nodes.length / NODE_BYTES)
  const pairs = below.subarray(2 * first * NODE_BYTES, 2 * last * NODE_BYTES)
  const target = nodes.subarray(first * NODE_BYTES, last * NODE_BYTES)
  if (pairs.length === 2 * target.length) return hashPairs(pairs, target)
  // The level's last node has only one child.
  const padded = new Uint8Array(2 * target.length)
  padded.set(pairs)
  padded.set(empty[level - 1], pairs.length)
  hashPairs(padded, target)
}

for (let level = 1; level <= height; level += 1) hashLevel(level, ...subtrees)
parentPort.postMessage('done')
