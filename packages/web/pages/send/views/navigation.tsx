import type { View } from '../model/use-view.ts'

interface Props {
  readonly view: View
  readonly go: (view: View) => void
}

const NAMES = { transfer: 'Send', balances: 'Balances' } as const

/** Lets the person switch between the two halves of the page: transfers and balances. */
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
