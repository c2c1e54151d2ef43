import type { Chain } from './chain/chain.ts'

/** Lets a slot pass every `slotMs` milliseconds. The returned function stops it. */
export function startTicking(chain: Chain, slotMs: number): () => void {
  const timer = setInterval(() => chain.tick(), slotMs)
  return () => clearInterval(timer)
}
