import { parentPort, workerData } from 'node:worker_threads'
import { startPoseidon } from './poseidon-module.mjs'

const NODE_BYTES = 32
/** Number of children of a node. */
const ARITY = 4

/** @type {{ levels: Uint8Array[], empty: Uint8Array[], subtrees: [number, number] }} */
const { levels, empty, subtrees } = workerData
const { hashQuads } = startPoseidon()
const height = levels.length - 1

/** Hashes the nodes of one level in the subtrees from number `from` up to, but not including, number `to`. */
function hashLevel(level, from, to) {
  const [below, nodes] = [levels[level - 1], levels[level]]
  const width = ARITY ** (height - level)
  const first = from * width
  const last = Math.min(to * width, nodes.length / NODE_BYTES)
  const children = below.subarray(ARITY * first * NODE_BYTES, ARITY * last * NODE_BYTES)
  const target = nodes.subarray(first * NODE_BYTES, last * NODE_BYTES)
  const whole = ARITY * target.length
  if (children.length === whole) return hashQuads(children, target)
  // The level's last node lacks some of its children.
  const padded = new Uint8Array(whole)
  padded.set(children)
  for (let at = children.length; at < whole; at += NODE_BYTES) padded.set(empty[level - 1], at)
  hashQuads(padded, target)
}

for (let level = 1; level <= height; level += 1) hashLevel(level, ...subtrees)
parentPort.postMessage('done')
