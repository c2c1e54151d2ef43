import { useEffect, useState } from 'preact/hooks'

export type View = 'transfer' | 'balances'

const BALANCES = '#balances'
const viewIn = (hash: string): View => (hash === BALANCES ? 'balances' : 'transfer')

/**
 * The half of the page that is shown: transfers or balances. It is part of the URL, so that a reload and the back
 * button keep it.
 */
export function useView(): readonly [View, (view: View) => void] {
  const [view, setView] = useState<View>(viewIn(location.hash))
  useEffect(() => {
    const changed = () => setView(viewIn(location.hash))
    addEventListener('hashchange', changed)
    return () => removeEventListener('hashchange', changed)
  }, [])
  const go = (next: View) => {
    location.hash = next === 'balances' ? BALANCES : ''
    setView(next)
  }
  return [view, go]
}
