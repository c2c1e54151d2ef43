import type { View } from '../model/use-view.ts'

interface Props {
  readonly view: View
  readonly go: (view: View) => void
}

const NAMES = { transfer: 'Send', balances: 'Balances' } as const

/** The two halves of the page. */
export function Navigation({ view, go }: Props) {
  return (
    <nav aria-label="Pages">
      {(['transfer', 'balances'] as const).map((one) => (
        <button
          type="button"
          key={one}
          class="tab"
          aria-current={view === one ? 'page' : undefined}
          onClick={() => go(one)}
        >
          {NAMES[one]}
        </button>
      ))}
    </nav>
  )
}
