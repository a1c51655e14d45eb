import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { describe, it } from 'node:test'
import { addressesOf, HOSTS } from './layout.ts'
import { type Facts, partsOf } from './parts.ts'
import { adviceOn, isSafePatroni } from './programs.ts'

// What can be said without a cluster. `npm run proof -- failover` starts one.

const DEPLOY = resolve(import.meta.dirname, '../../../deploy')
const facts: Facts = {
  folder: '/tmp/a-cluster',
  addresses: addressesOf('namespaces'),
  programs: {
    postgres: '/pg/bin',
    patroni: 'patroni',
    etcd: 'etcd',
    haproxy: 'haproxy',
    versitygw: 'versitygw',
    clamd: 'clamd',
  },
  secrets: { superuser: 'a', replication: 'b', owner: 'c', service: 'd', storeKey: 'e', pepper: 'f', signingKeys: 'g' },
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
      ['namespaces', '10.77.20.'],
      ['loopback', '127.'],
    ] as const) {
      const addresses = Object.values(addressesOf(kind))
      assert.equal(new Set(addresses).size, HOSTS.length)
      assert.ok(addresses.every((address) => address.startsWith(start)))
    }
  })
})

describe('adviceOn', () => {
  const found = { postgres: '/pg', patroni: '/patroni', etcd: '/etcd', haproxy: '/haproxy', versitygw: '/versitygw' }

  it('says what to type', () => {
    const advice = adviceOn({ ...found, etcd: undefined, haproxy: undefined, patroni: undefined, versitygw: undefined })
    assert.match(advice, /^ {2}apt-get update && apt-get install --yes etcd-server haproxy$/m)
    assert.match(advice, /python3 -m venv \S+ && \S+pip install 'patroni/)
    assert.match(advice, /^ {2}GOBIN=\S+ go install \S+versitygw@v/m)
    assert.doesNotMatch(adviceOn({ ...found, etcd: undefined }), /go install|pip/)
  })

  it('does not take a Patroni that loses changes', () => {
    const versions = ['', '3.0.2', '3.0.3', '3.0.10', '4.1.5']
    assert.deepEqual(versions.map(isSafePatroni), [false, false, true, true, true])
  })
})
