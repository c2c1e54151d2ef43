import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { Mark } from '../../look/mark.tsx'
import { ConsoleError, logOut, readOverview, type Overview } from '../model/console-api.ts'
import { Dashboard } from './dashboard.tsx'
import { Login } from './login.tsx'

/** Polling interval in milliseconds. It is short, so the figures are nearly current. */
const LOOK_MS = 5_000
/**
 * If the last answer is older than this many milliseconds, the figures count as old, even while a request is still
 * open: a broken tunnel doesn't end a request, and after a computer has slept, the page shows the figures from before.
 */
const OLD_MS = 20_000

type View =
  | { readonly kind: 'loading' }
  | { readonly kind: 'login' }
  | {
      readonly kind: 'shown'
      readonly overview: Overview
      /** The time of the answer by this browser's clock, in milliseconds. */
      readonly readMs: number
      readonly trouble: string | undefined
    }
  | { readonly kind: 'unreachable'; readonly trouble: string }

function afterFailure(before: View, error: unknown): View {
  const trouble = error instanceof Error ? error.message : 'The request failed.'
  if (error instanceof ConsoleError && error.status === 401) return { kind: 'login' }
  return before.kind === 'shown' ? { ...before, trouble } : { kind: 'unreachable', trouble }
}

/** The view while no new answer arrives: the same view. If the last answer is old, the view says so. */
function withAge(view: View): View {
  const isOld = view.kind === 'shown' && Date.now() - view.readMs > OLD_MS
  return isOld ? { ...view, trouble: view.trouble ?? 'The service does not answer.' } : view
}

/** The console: a login, then the state of the service, polled every few seconds. */
export function App() {
  const [view, setView] = useState<View>({ kind: 'loading' })
  // The numbers of requests. A request that ends after a later one, or after the logout, says nothing about the service
  // now.
  const sent = useRef(0)
  const ended = useRef(0)
  const look = useCallback(async () => {
    setView(withAge)
    const number = (sent.current += 1)
    const show = (after: (before: View) => View) => {
      if (number < ended.current) return
      ended.current = number
      setView(after)
    }
    try {
      const overview = await readOverview()
      show(() => ({ kind: 'shown', overview, readMs: Date.now(), trouble: undefined }))
    } catch (error) {
      show((before) => afterFailure(before, error))
    }
  }, [])
  const isOut = view.kind === 'login'
  useEffect(() => {
    if (isOut) return undefined
    void look()
    const timer = setInterval(() => void look(), LOOK_MS)
    return () => clearInterval(timer)
  }, [isOut, look])
  const leave = async () => {
    try {
      await logOut()
      ended.current = sent.current + 1
      setView({ kind: 'login' })
    } catch (error) {
      setView((before) => afterFailure(before, error))
    }
  }
  return (
    <>
      <header class="top">
        <p class="brand">
          <Mark />
          sotto <span class="unit">console</span>
        </p>
        {view.kind === 'shown' ? (
          <>
            <span class="badge">{view.overview.cluster}</span>
            <span class="badge">{view.overview.roles.join(' + ')}</span>
            <button type="button" class="quiet" onClick={() => void leave()}>
              Log out
            </button>
          </>
        ) : null}
      </header>
      <main tabIndex={-1}>
        {view.kind === 'loading' ? <p role="status">Loading…</p> : null}
        {view.kind === 'login' ? <Login entered={look} /> : null}
        {view.kind === 'unreachable' ? (
          <div class="problem" role="alert">
            <h1>No answer</h1>
            <p>{view.trouble} This page tries again every few seconds.</p>
          </div>
        ) : null}
        {view.kind === 'shown' ? <Dashboard {...view} /> : null}
      </main>
    </>
  )
}
