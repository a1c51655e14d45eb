import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { before, describe, it } from 'node:test'
import { addressesOf, HOSTS } from './layout.ts'
import { type Facts, partsOf } from './parts.ts'
import { adviceOn, isSafePatroni } from './programs.ts'

// What can be said without a cluster. `npm run proof -- failover` starts one.

const DEPLOY = resolve(import.meta.dirname, '../../../deploy')
const facts: Facts = {
  folder: '/tmp/a-cluster',
  addresses: addressesOf({ kind: 'namespaces', number: 20 }),
  programs: {
    postgres: '/pg/bin',
    pgbackrest: 'pgbackrest',
    patroni: 'patroni',
    etcd: 'etcd',
    haproxy: 'haproxy',
    versitygw: 'versitygw',
    clamd: 'clamd',
  },
  secrets: {
    superuser: 'a',
    replication: 'b',
    owner: 'c',
    service: 'd',
    storeKey: 'e',
    pepper: 'f',
    backup: 'h',
    signingKeys: 'g',
  },
  certificate: '/tmp/a-cluster/proxy.pem',
  node: 'node',
  code: '/code',
  clamdConfig: '/tmp/a-cluster/clamd.conf',
}

describe('partsOf', () => {
  const parts = partsOf(facts)
  const count = (pattern: RegExp) => parts.filter(({ name }) => pattern.test(name)).length

  it('is three etcd, three PostgreSQL, a proxy, three serve, two work, a store and a scanner, each where it is named', () => {
    const patterns = [/^etcd/, /^patroni/, /^haproxy/, /^app/, /^work/, /^store/, /^clamd/]
    assert.deepEqual(patterns.map(count), [3, 3, 1, 3, 2, 1, 1])
    assert.equal(new Set(parts.map(({ name }) => name)).size, parts.length)
    assert.deepEqual(new Set(parts.map(({ host }) => host)), new Set(HOSTS))
    for (const { host, readyAt } of parts) assert.ok(readyAt.includes(facts.addresses[host]), readyAt)
  })

  it('scans nothing where there is no scanner', () => {
    const without = partsOf({ ...facts, programs: { ...facts.programs, clamd: undefined } })
    assert.equal(without.length, parts.length - 1)
    for (const { env } of without) assert.equal(env['CLAMD_URL'], undefined)
  })

  it('gives HAProxy every address that its configuration names', async () => {
    const text = await readFile(join(DEPLOY, 'cluster/haproxy.cfg'), 'utf8')
    const named = new Set([...text.matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name ?? ''))
    assert.deepEqual(named, new Set(Object.keys(parts.find(({ name }) => name === 'haproxy')?.env ?? {})))
  })

  it('has the addresses of a network of its own, or of the loopback interface', () => {
    for (const [kind, start] of [
      ['namespaces', '10.77.21.'],
      ['loopback', '127.77.21.'],
    ] as const) {
      const addresses = Object.values(addressesOf({ kind, number: 21 }))
      assert.equal(new Set(addresses).size, HOSTS.length)
      assert.ok(addresses.every((address) => address.startsWith(start)))
    }
  })
})

describe('adviceOn', () => {
  const found = {
    ...{ postgres: '/pg', pgbackrest: '/pgbackrest', patroni: '/patroni', etcd: '/etcd' },
    ...{ haproxy: '/haproxy', versitygw: '/versitygw' },
  }

  it('says what to type', () => {
    const advice = adviceOn({
      ...found,
      ...{ pgbackrest: undefined, etcd: undefined, haproxy: undefined, patroni: undefined, versitygw: undefined },
    })
    assert.match(advice, /^ {2}apt-get update && apt-get install --yes pgbackrest etcd-server haproxy$/m)
    assert.match(advice, /python3 -m venv \S+ && \S+pip install 'patroni/)
    assert.match(advice, /^ {2}GOBIN=\S+ go install \S+versitygw@v/m)
    assert.doesNotMatch(adviceOn({ ...found, etcd: undefined }), /go install|pip/)
  })

  it('does not take a Patroni that loses changes', () => {
    const versions = ['', '3.0.2', '3.0.3', '3.0.10', '4.1.5']
    assert.deepEqual(versions.map(isSafePatroni), [false, false, true, true, true])
  })
})

describe('the compose file', () => {
  const parts = new Map(partsOf(facts).map((part) => [part.name, part]))
  let compose: string
  before(async () => {
    compose = await readFile(join(DEPLOY, 'cluster/compose.yaml'), 'utf8')
  })

  /** The settings in the block that begins with this line, with the names of machines in place of addresses. */
  function settingsUnder(heading: string): Settings {
    const [, after = ''] = compose.split(`\n${heading}`)
    const depth = heading.search(/\S/)
    const end = after.search(new RegExp(`\\n {0,${depth}}\\S`))
    const found = [...after.slice(0, end).matchAll(/^ +([A-Z][A-Z\d_]+): (.+)$/gm)]
    return Object.fromEntries(
      found.map(([, name = '', value = '']) => [name, named(value.replace(/^(['"])(.*)\1$/, '$2'))]),
    )
  }
  const named = (value: string) =>
    PLACES.reduce((text, [pattern, name]) => text.replaceAll(pattern, name), value).replaceAll('0.0.0.0', 'here')

  /** Those of a part of the cluster, likewise. */
  function settingsOf(name: string, env = parts.get(name)?.env ?? {}): Settings {
    const places = Object.entries(facts.addresses)
    const text = (value: string) => places.reduce((one, [host, address]) => one.replaceAll(address, host), value)
    const { host = '' } = parts.get(name) ?? {}
    const heard = (key: string, value: string) => (key.includes('LISTEN') ? value.replace(host, 'here') : value)
    const settings = Object.entries(env).filter(([key]) => !IN_FILES.test(key))
    return Object.fromEntries(settings.map(([key, value]) => [key, heard(key, text(value))]))
  }
  /** Secrets and the paths of files differ. */
  const alike = (settings: Settings, given: Settings) => {
    const isLocal = (key: string) => /^\$|^\//.test(given[key] ?? '') || LOCAL.test(key)
    return Object.fromEntries(Object.entries(settings).map(([key, value]) => [key, isLocal(key) ? '' : value]))
  }
  const assertAlike = (ours: Settings, theirs: Settings) => assert.deepEqual(alike(theirs, theirs), alike(ours, theirs))

  it('starts the same parts, and migrates first', () => {
    const [, services = ''] = compose.split('\nservices:\n')
    const names = [...(services.split('\nnetworks:')[0]?.matchAll(/^ {2}(\w+):$/gm) ?? [])].map(([, name = '']) => name)
    const ours = names.map((name) => name.replace('serve', 'app').replace('proxy', 'haproxy'))
    const called = ours.map((name) => name.replace(/^etcd/, 'etcd-db').replace(/^postgres/, 'patroni-db'))
    assert.deepEqual(new Set(called), new Set([...parts.keys(), 'migrate']))
  })

  for (const number of [1, 2, 3]) {
    it(`gives etcd and Patroni ${number} the same settings, addresses and ports`, () => {
      const flags = parts.get(`etcd-db${number}`)?.command.slice(1) ?? []
      const env = flags.map((flag) => /^--([^=]+)=(.*)$/.exec(flag) ?? [])
      const etcd = Object.fromEntries(
        env.map(([, name = '', value = '']) => [`ETCD_${name}`.replaceAll('-', '_').toUpperCase(), value]),
      )
      assertAlike(settingsOf(`etcd-db${number}`, etcd), {
        ...settingsUnder('x-etcd-members:'),
        ...settingsUnder(`  etcd${number}:`),
      })
      assertAlike(settingsOf(`patroni-db${number}`), {
        ...settingsUnder('x-patroni:'),
        ...settingsUnder(`  postgres${number}:`),
      })
    })
  }

  it('gives HAProxy the same addresses, and `serve` and `work` the same settings', () => {
    assertAlike(settingsOf('haproxy'), settingsUnder('  proxy:'))
    const shared = { ...settingsUnder('x-service:'), ...settingsUnder('x-adapters:') }
    for (const [name, theirs] of [
      ['app1', { ...shared, ...settingsUnder('x-serve:') }],
      ['work1', shared],
    ] as const) {
      const missing = Object.keys(settingsOf(name)).filter((key) => !(key in theirs) && !OWN.includes(key))
      assert.deepEqual(
        missing,
        name === 'app1' ? [] : ['PUBLIC_URL', 'TRUST_PROXY', 'SIGNING_KEYS', 'RATE_LIMIT_PER_MINUTE'],
      )
    }
    assert.match(compose, /command:\n {6}- serve\n/)
    assert.match(compose, /haproxy\.cfg:ro/)
  })
})

type Settings = Record<string, string>

const PLACES: [pattern: RegExp, name: string][] = [
  [/172\.31\.0\.[16](\d)/g, 'db$1'],
  [/172\.31\.0\.2(\d)/g, 'app$1'],
  [/172\.31\.0\.41/g, 'proxy'],
  [/172\.31\.0\.51/g, 'store'],
]
/** Paths and local addresses, which differ in a container. */
const LOCAL = /DATA_DIR|BIN_DIR|PGPASS|PGHOST|PASSWORD/
/** The image has a file with these. */
const IN_FILES = /^PGBACKREST_(CONFIG|.*_PATH)$/
/** A container has its own address and folders. */
const OWN = ['HOST', 'PORT', 'ADMIN_HOST', 'ADMIN_PORT', 'DATA_DIR']
