import type { Token } from '@sotto/sdk/server'
import { useCallback, useEffect, useMemo, useState } from 'preact/hooks'
import type { Problem } from '../problems.ts'
import type { PageConfig } from '../service.ts'
import type { BalancePhase } from './balance-phase.ts'
import { explainBalance } from './balance-problems.ts'
import { BalanceRun } from './balance-run.ts'
import { OpenRuns, type BusyPhase } from './open-runs.ts'
import { listBalances, type OwnBalance } from './own-balances.ts'
import { TopUpRun, type TopUpPhase } from './top-up-run.ts'

/** The values that a person has already typed into the transfer form when the page proposes a balance. */
export interface Draft {
  readonly amount: string
  readonly recipient: string
}

/** The open view of balances. */
export type Place =
  | { readonly kind: 'list' }
  | { readonly kind: 'new'; readonly assetId: string | undefined }
  | { readonly kind: 'file' }
  | { readonly kind: 'open'; readonly run: BalanceRun; readonly draft: Draft | undefined }

/** The balances of this browser, and the operations on them that are in progress. */
export interface BalanceBook {
  readonly place: Place
  readonly go: (place: Exclude<Place, { kind: 'open' }>) => void
  /** Undefined until the browser's storage has been read. */
  readonly balances: readonly OwnBalance[] | undefined
  /** The reason why the storage can't be read; undefined if it can. */
  readonly problem: Problem | undefined
  /** Reads the storage again. */
  readonly reread: () => void
  readonly topUp: TopUpRun
  readonly topUpPhase: TopUpPhase
  readonly phase: BalancePhase
  readonly open: (name: string, draft?: Draft) => void
  /** See `OpenRuns.busyIn`. */
  readonly busyIn: (name: string) => BusyPhase | undefined
}

const OPENING: BalancePhase = { kind: 'opening', pending: undefined }

export function useBalanceBook(config: PageConfig, tokens: readonly Token[]): BalanceBook {
  const [place, setPlace] = useState<Place>({ kind: 'list' })
  const [topUpPhase, setTopUpPhase] = useState<TopUpPhase>({ kind: 'idle' })
  const [phase, setPhase] = useState<BalancePhase>(OPENING)
  const { balances, problem, reread } = useOwnBalances()
  // Counts how often a balance that isn't shown has changed. Each increment renders the list again.
  const [changes, setChanges] = useState(0)
  const topUp = useMemo(() => new TopUpRun(config, tokens, setTopUpPhase), [config, tokens])
  const runs = useMemo(() => {
    const make = (name: string, changed: (phase: BalancePhase) => void) =>
      new BalanceRun(name, config, tokens, changed)
    return new OpenRuns(make, setPhase, () => setChanges((count) => count + 1))
  }, [config, tokens])
  const go = useCallback(
    (next: Place) => {
      runs.leave()
      setPlace(next)
    },
    [runs],
  )
  const open = useCallback(
    (name: string, draft?: Draft) => setPlace({ kind: 'open', run: runs.open(name), draft }),
    [runs],
  )
  useEffect(() => {
    if (topUpPhase.kind !== 'done') return
    open(topUpPhase.name)
    setTopUpPhase({ kind: 'idle' })
  }, [topUpPhase, open])
  useEffect(reread, [place, phase.kind, topUpPhase.kind, changes, reread])
  const busyIn = useCallback((name: string) => runs.busyIn(name), [runs])
  return { place, go, balances, problem, reread, topUp, topUpPhase, phase, open, busyIn }
}

function useOwnBalances() {
  const [balances, setBalances] = useState<readonly OwnBalance[]>()
  const [problem, setProblem] = useState<Problem>()
  const reread = useCallback(() => {
    listBalances().then(
      (found) => {
        setBalances(found)
        setProblem(undefined)
      },
      (error: unknown) => setProblem(explainBalance(error)),
    )
  }, [])
  useEffect(() => {
    // Another tab may have changed the balances meanwhile.
    addEventListener('focus', reread)
    return () => removeEventListener('focus', reread)
  }, [reread])
  return { balances, problem, reread }
}
