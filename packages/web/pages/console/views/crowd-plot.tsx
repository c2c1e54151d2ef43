import { useEffect, useRef } from 'preact/hooks'
import UPlot from 'uplot'
import type { Crowds, CrowdSeries } from '../model/console-api.ts'

interface Props {
  readonly series: CrowdSeries
  readonly crowds: Crowds
  readonly label: string
}

const HEIGHT = 180
const DAY_SECONDS = 86_400
/** Labels of the time axis: times of day if the labels are less than a day apart, and otherwise weekdays. */
const timesOf = (_plot: UPlot, splits: number[], _axis: number, _space: number, step: number) =>
  splits.map((seconds) => {
    const options =
      step < DAY_SECONDS
        ? ({ hour: '2-digit', minute: '2-digit' } as const)
        : ({ weekday: 'short' } as const)
    return new Date(seconds * 1_000).toLocaleString([], options)
  })
const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0)

/** The plot for one asset, with a text version for screen readers. */
export function CrowdPlot({ series, crowds, label }: Props) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => draw(box.current, series, crowds), [series, crowds])
  const { symbol, deposits, alike } = series
  const most = Math.max(0, ...alike)
  return (
    <figure>
      <figcaption>
        <strong>{symbol}</strong> {sum(deposits)} deposits in {label}; at most {most} of the same
        value within {crowds.spanSeconds / 60} minutes
      </figcaption>
      <div ref={box} class="plot" aria-hidden="true" />
    </figure>
  )
}

function draw(box: HTMLDivElement | null, series: CrowdSeries, crowds: Crowds) {
  if (box === null) return undefined
  const { fromSeconds, spanSeconds } = crowds
  const times = series.deposits.map((_, index) => fromSeconds + index * spanSeconds)
  const widthOf = () => Math.max(200, box.clientWidth)
  const colour = (name: string) => getComputedStyle(box).getPropertyValue(name).trim()
  const stepped = UPlot.paths.stepped?.({ align: 1 })
  const paths = stepped === undefined ? {} : { paths: stepped }
  const axis = () => ({
    stroke: colour('--soft'),
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { stroke: colour('--line'), width: 1 },
    font: '12px system-ui, sans-serif',
  })
  const make = () =>
    new UPlot(
      {
        ...{ width: widthOf(), height: HEIGHT, legend: { show: false }, cursor: { show: false } },
        scales: { y: { range: (_plot, _min, max) => [0, Math.max(4, Math.ceil(max * 1.15))] } },
        axes: [
          { ...axis(), values: timesOf },
          { ...axis(), size: 40, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000] },
        ],
        series: [
          {},
          {
            ...{ label: 'deposits', stroke: colour('--accent'), width: 2, ...paths },
            ...{ fill: `color-mix(in srgb, ${colour('--accent')} 16%, transparent)` },
            points: { show: false },
          },
          {
            ...{ label: 'alike', stroke: colour('--warn'), width: 2, dash: [5, 4], ...paths },
            points: { show: false },
          },
        ],
      },
      [times, [...series.deposits], [...series.alike]],
      box,
    )
  let plot = make()
  const sized = new ResizeObserver(() => plot.setSize({ width: widthOf(), height: HEIGHT }))
  sized.observe(box)
  const scheme = matchMedia('(prefers-color-scheme: dark)')
  const redraw = () => {
    plot.destroy()
    plot = make()
  }
  scheme.addEventListener('change', redraw)
  return () => {
    scheme.removeEventListener('change', redraw)
    sized.disconnect()
    plot.destroy()
  }
}
