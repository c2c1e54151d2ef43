import { useEffect, useState } from 'preact/hooks'
import { RANGES, readCrowds, type Crowds, type Range } from '../model/console-api.ts'
import { CrowdPlot } from './crowd-plot.tsx'

/** Polling interval in milliseconds. The points are minutes apart, so more frequent polls would show nothing new. */
const LOOK_MS = 30_000
const LABELS = { '6h': '6 hours', '24h': '24 hours', '7d': '7 days' } as const

/**
 * For each asset, the number of deposits over time and the size of the largest group of equal deposits. The group's
 * size measures the privacy of transfers.
 */
export function CrowdPlots() {
  const [range, setRange] = useState<Range>('6h')
  const [read, setRead] = useState<{ readonly range: Range; readonly crowds: Crowds }>()
  useEffect(() => {
    let isLeft = false
    const look = () =>
      void readCrowds(range).then(
        (crowds) => isLeft || setRead({ range, crowds }),
        // The plots then show nothing, because earlier figures would look current. The overview reports a service that
        // doesn't respond.
        () => isLeft || setRead(undefined),
      )
    look()
    const timer = setInterval(look, LOOK_MS)
    return () => {
      isLeft = true
      clearInterval(timer)
    }
  }, [range])
  // Figures of another range must not be shown under the label of this one.
  const crowds = read?.range === range ? read.crowds : undefined
  return (
    <section class="card wide" aria-labelledby="crowds-title">
      <div class="head">
        <h2 id="crowds-title">Crowd over time</h2>
        <fieldset class="ranges">
          <legend class="visually-hidden">Time shown</legend>
          {RANGES.map((one) => (
            <label key={one}>
              <input
                type="radio"
                name="range"
                checked={one === range}
                onChange={() => setRange(one)}
              />
              <span>{LABELS[one]}</span>
            </label>
          ))}
        </fieldset>
      </div>
      <p class="legend">
        <span class="key deposits">deposits</span>
        <span class="key alike">largest group of equal deposits</span>
      </p>
      {crowds === undefined ? (
        <p class="hint" role="status">
          Waiting for the figures.
        </p>
      ) : null}
      <div class="plots">
        {crowds?.series.map((series) => (
          <CrowdPlot key={series.symbol} series={series} crowds={crowds} label={LABELS[range]} />
        ))}
      </div>
    </section>
  )
}
