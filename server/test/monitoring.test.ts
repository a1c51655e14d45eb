import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { before, describe, it } from 'node:test'
import { sharedService } from './fixtures/service.ts'

// deploy/monitoring/ and the tables of docs/operations.md, against what the service really measures.

const ROOT = resolve(import.meta.dirname, '../..')
const fileOf = (path: string) => readFile(resolve(ROOT, path), 'utf8')

type Panel = { id: number; title: string; targets?: { refId: string; expr: string }[]; gridPos: object }

let dashboard: { uid: string; panels: Panel[] }
let rules: { name: string; expression: string }[]
let documented: { name: string; expression: string }[]
let measured: Set<string>
let operations: string

before(async () => {
  dashboard = JSON.parse(await fileOf('deploy/monitoring/grafana/dashboard.json'))
  const alerts = await fileOf('deploy/monitoring/alerts.yml')
  rules = [...alerts.matchAll(/- alert: (\w+)\n\s+expr: (.+)\n/g)].map(named)
  operations = await fileOf('docs/operations.md')
  documented = [...operations.matchAll(/^\| `(Lodgeway\w+)` \| [^|]+ \| `((?:\\\||[^|])+)` \|/gm)].map(named)
  const service = await sharedService('idle')
  const text = await (await fetch(`${service.adminUrl}/metrics`)).text()
  measured = new Set(
    [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name = '', type]) => seriesOf(name, type)),
  )
})

describe('the alerts', () => {
  it('are the same in the rules for Prometheus and in docs/operations.md', () => {
    assert.ok(rules.length >= 17)
    assert.deepEqual(rules, documented)
  })

  it('and the dashboard and the documentation use metrics that the service has', () => {
    const shown = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
    const used = [...rules.map(({ expression }) => expression), ...shown].flatMap(metricsIn)
    const listed = metricsOfTable(operations)
    assert.ok(used.length > 40 && listed.length > 15)
    assert.deepEqual(
      [...used, ...listed].filter((name) => !measured.has(name)),
      [],
    )
  })

  it('fire when they should, by promtool', (t) => {
    const promtool = (...given: string[]) => spawnSync('promtool', given, { encoding: 'utf8', cwd: ROOT })
    if (promtool('--version').error) return t.skip('promtool is missing: apt-get install prometheus')
    for (const given of [
      ['check', 'config', 'deploy/monitoring/prometheus.yml'],
      ['check', 'rules', 'deploy/monitoring/alerts.yml'],
      ['test', 'rules', 'deploy/monitoring/alerts.test.yml'],
    ]) {
      const { status, stdout, stderr } = promtool(...given)
      assert.equal(status, 0, stdout + stderr)
    }
  })

  it('each fire in the tests of the rules', async () => {
    const tests = await fileOf('deploy/monitoring/alerts.test.yml')
    const fired = [...tests.matchAll(/alertname="(\w+)"/g)].map(([, name]) => name)
    assert.deepEqual(fired.sort(), rules.map(({ name }) => name).sort())
  })
})

describe('the dashboard', () => {
  it('has panels with ids, places and titles of their own', () => {
    for (const key of ['id', 'title', 'gridPos'] as const) {
      const values = dashboard.panels.map((panel) => JSON.stringify(panel[key]))
      assert.equal(new Set(values).size, values.length, key)
    }
  })
})

function named([, name = '', expression = '']: RegExpMatchArray | RegExpExecArray) {
  return { name, expression: expression.replaceAll('\\|', '|') }
}

const seriesOf = (name: string, type = '') =>
  type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`, name] : [name]

/** The first table of the section: one row for each metric, or for all that begin alike. */
function metricsOfTable(text: string): string[] {
  const [, table = ''] = /^\| metric \| labels \| meaning \|\n(.+?)\n\n/ms.exec(text) ?? []
  return [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, name = '']) => name)
}

/** Prometheus itself has these. */
const OWN = ['up', 'ALERTS']
const WORDS = ['by', 'or', 'and', 'on', 'unless']

function metricsIn(expression: string): string[] {
  const bare = expression.replaceAll(/\{[^}]*\}|\[[^\]]*\]|\bby \([^)]*\)/g, '')
  const names = [...bare.matchAll(/\b[a-zA-Z_]\w*\b(?!\s*\()/g)].map(([name]) => name)
  return names.filter((name) => !OWN.includes(name) && !WORDS.includes(name))
}
