// Writes `sotto.json`, the dashboard that Grafana imports.
import { writeFile } from 'node:fs/promises'
import { format, resolveConfig } from 'prettier'
import { rows, type Panel } from './panels.ts'

const WIDTH = 24
const SIZES = { stat: { w: 4, h: 4 }, timeseries: { w: 12, h: 8 } } as const
const source = { type: 'prometheus', uid: '${datasource}' }

function panelOf({ title, says, kind, unit, queries }: Panel, id: number, x: number, y: number) {
  const targets = queries.map(([expr, legendFormat], index) => {
    const refId = String.fromCharCode('A'.charCodeAt(0) + index)
    return { refId, datasource: source, expr, legendFormat }
  })
  return {
    ...{ id, title, description: says, type: kind, datasource: source },
    gridPos: { ...SIZES[kind], x, y },
    fieldConfig: { defaults: { unit, min: unit === 'h' ? -1 : 0 }, overrides: [] },
    options: kind === 'stat' ? { reduceOptions: { calcs: ['lastNotNull'] } } : {},
    targets,
  }
}

function layOut(): object[] {
  const all: object[] = []
  let y = 0
  for (const { title, panels } of rows) {
    const gridPos = { x: 0, y, w: WIDTH, h: 1 }
    all.push({ id: all.length + 1, type: 'row', title, collapsed: false, gridPos, panels: [] })
    y += 1
    let [x, tallest] = [0, 0]
    for (const panel of panels) {
      const { w, h } = SIZES[panel.kind]
      // A panel of another height begins a line of its own.
      if (x + w > WIDTH || (tallest > 0 && h !== tallest)) [x, y, tallest] = [0, y + tallest, 0]
      all.push(panelOf(panel, all.length + 1, x, y))
      ;[x, tallest] = [x + w, h]
    }
    y += tallest
  }
  return all
}

const dashboard = {
  uid: 'sotto',
  title: 'Sotto',
  tags: ['sotto'],
  timezone: 'utc',
  schemaVersion: 39,
  editable: true,
  refresh: '30s',
  time: { from: 'now-6h', to: 'now' },
  templating: {
    list: [{ name: 'datasource', label: 'Prometheus', type: 'datasource', query: 'prometheus' }],
  },
  panels: layOut(),
}

const path = new URL('./sotto.json', import.meta.url)
const options = await resolveConfig(path)
await writeFile(path, await format(JSON.stringify(dashboard), { ...options, parser: 'json' }))
