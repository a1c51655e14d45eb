import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Receiver, startReceiver } from '../../test/fakes/receiver.ts'
import { guardedAgent, leadsToForbidden, type Resolve, systemResolve } from './connect.ts'
import { post } from './post.ts'
import { isLocalUri, mayCall, type SsrfPolicy, uriError } from './ssrf-policy.ts'

const PUBLIC = '93.184.215.14'

/** Hosts that must not be called, each in its own notation. */
const FORBIDDEN: [host: string, what: string][] = [
  ['127.0.0.1', 'loopback'],
  ['127.255.255.254', 'the end of loopback'],
  ['127.1', 'a short form'],
  ['127.0.1', 'another short form'],
  ['2130706433', 'decimal without dots'],
  ['0x7f000001', 'hexadecimal without dots'],
  ['017700000001', 'octal without dots'],
  ['0177.0.0.1', 'octal'],
  ['0x7f.0x0.0x0.0x1', 'hexadecimal'],
  ['0x7f.1', 'hexadecimal and short'],
  ['127.0.0.1.', 'a last dot'],
  ['%31%32%37.0.0.1', 'percent-encoded'],
  ['0.0.0.0', 'unspecified'],
  ['0', 'unspecified in short'],
  ['0.1.2.3', 'this network'],
  ['10.0.0.1', 'private'],
  ['10.1', 'private in short'],
  ['012.0.0.1', 'private in octal'],
  ['172.16.0.1', 'private'],
  ['172.31.255.255', 'the end of private'],
  ['192.168.0.1', 'private'],
  ['3232235521', 'private in decimal'],
  ['169.254.169.254', 'metadata of clouds'],
  ['0xa9fea9fe', 'metadata in hexadecimal'],
  ['2852039166', 'metadata in decimal'],
  ['168.63.129.16', 'the host below a machine'],
  ['100.64.0.1', 'carrier-grade NAT'],
  ['100.100.100.200', 'metadata in carrier-grade NAT'],
  ['192.0.0.8', 'protocol assignments'],
  ['192.0.2.1', 'documentation'],
  ['198.51.100.7', 'documentation'],
  ['203.0.113.9', 'documentation'],
  ['198.18.0.1', 'benchmarking'],
  ['192.88.99.1', '6to4 relays'],
  ['224.0.0.1', 'multicast'],
  ['239.255.255.255', 'multicast'],
  ['240.0.0.1', 'reserved'],
  ['255.255.255.255', 'broadcast'],
  ['[::1]', 'loopback'],
  ['[0:0:0:0:0:0:0:1]', 'loopback in full'],
  ['[::]', 'unspecified'],
  ['[::ffff:127.0.0.1]', 'IPv4-mapped loopback'],
  ['[::ffff:7f00:1]', 'IPv4-mapped in hexadecimal'],
  ['[::ffff:93.184.215.14]', 'IPv4-mapped public'],
  ['[::127.0.0.1]', 'IPv4-compatible'],
  ['[64:ff9b::7f00:1]', 'NAT64'],
  ['[64:ff9b::10.0.0.1]', 'NAT64 with dots'],
  ['[64:ff9b:1::a00:1]', 'NAT64 of local use'],
  ['[fc00::1]', 'unique local'],
  ['[fd00:ec2::254]', 'metadata in unique local'],
  ['[fe80::1]', 'link-local'],
  ['[fec0::1]', 'site-local'],
  ['[ff02::1]', 'multicast'],
  ['[100::1]', 'discard only'],
  ['[2001::1]', 'Teredo'],
  ['[2001:db8::1]', 'documentation'],
  ['[2002:7f00:1::]', '6to4'],
  ['[3fff::1]', 'documentation'],
  ['[5f00::1]', 'segment routing'],
  ['localhost', 'a name of this machine'],
  ['LOCALHOST.', 'another'],
  ['hooks.localhost', 'a name below it'],
]

/** Names that lead to forbidden addresses. */
const NAMES: Record<string, readonly string[]> = {
  'loop.example': ['127.0.0.1'],
  'mixed.example': [PUBLIC, '10.0.0.1'],
  'six.example': ['::1'],
  'mapped.example': ['::ffff:127.0.0.1'],
  'metadata.example': ['169.254.169.254'],
  'nothing.example': [],
}
const resolveNames: Resolve = async (name) => NAMES[name] ?? []

let canary: Receiver
before(async () => {
  canary = await startReceiver()
})
after(() => canary.stop())

const send = (uri: string, ssrfPolicy: SsrfPolicy, resolve: Resolve) =>
  post({ dispatcher: guardedAgent(ssrfPolicy, resolve), ssrfPolicy }, { uri, headers: {}, body: '{}' }, new Date())

const REFUSED = 'This address must not be called.'

describe('an address that must not be called', () => {
  for (const [host, what] of FORBIDDEN) {
    it(`${host} (${what}) is refused on registration and when it is connected to`, async () => {
      const uri = `https://${host}:${canary.port}/hooks`
      assert.match(uriError(uri, 'public') ?? '', /must/)
      assert.equal((await send(uri, 'public', systemResolve())).error, REFUSED)
    })
  }

  for (const name of Object.keys(NAMES)) {
    it(`${name}, a name that leads to one, is refused when it is connected to`, async () => {
      const uri = `https://${name}:${canary.port}/hooks`
      assert.equal(uriError(uri, 'public'), undefined)
      assert.equal(await leadsToForbidden(uri, 'public', resolveNames), name !== 'nothing.example')
      assert.equal((await send(uri, 'public', resolveNames)).error, REFUSED)
    })
  }

  it('is refused under a name that changes between check and connection', async () => {
    const answers = [[PUBLIC], ['127.0.0.1'], [PUBLIC]]
    let asked = 0
    const rebinding: Resolve = async () => answers[asked++] ?? []
    const uri = `https://rebind.example:${canary.port}/hooks`
    assert.equal(await leadsToForbidden(uri, 'public', rebinding), false, 'allowed on registration')
    assert.equal((await send(uri, 'public', rebinding)).error, REFUSED)
    assert.equal(asked, 2, 'a connection resolves once: to the address that was checked')
  })

  it('saw none of them: no connection reached the listener', () => {
    assert.ok(FORBIDDEN.length + Object.keys(NAMES).length + 1 >= 40)
    assert.equal(canary.connections(), 0)
  })
})

describe('an address that may be called', () => {
  it('is a public one', () => {
    for (const address of [PUBLIC, '1.1.1.1', '172.32.0.1', '2606:4700::1111', '2a00:1450:4009::1']) {
      assert.ok(mayCall(address, 'public'), address)
    }
    for (const uri of ['https://partner.example/hooks?a=b', `https://${PUBLIC}/`, 'https://[2606:4700::1111]:8443/x']) {
      assert.equal(uriError(uri, 'public'), undefined)
    }
  })

  it('is in the sandbox one of this machine too, and nothing else of the forbidden ones', () => {
    const allowed = FORBIDDEN.filter(([host]) => uriError(`https://${host}/`, 'public and loopback') === undefined)
    const kinds = allowed.map(([host]) => new URL(`https://${host}/`).hostname.replace(/\.$/, ''))
    const here = ['127.0.0.1', '127.255.255.254', '[::1]', 'localhost', 'hooks.localhost']
    assert.deepEqual(new Set(kinds), new Set(here))
    const local = FORBIDDEN.filter(([host]) => isLocalUri(`https://${host}/`))
    assert.deepEqual(local, allowed, 'and none but these needs no challenge')
    assert.ok(!isLocalUri('https://partner.example/'))
  })

  it('may be called by http on this machine alone, in the sandbox alone', () => {
    assert.equal(uriError('http://127.0.0.1:9000/', 'public and loopback'), undefined)
    assert.equal(uriError('http://localhost:9000/', 'public and loopback'), undefined)
    assert.match(uriError('http://partner.example/', 'public and loopback') ?? '', /https/)
    assert.match(uriError(`http://${PUBLIC}/`, 'public and loopback') ?? '', /https/)
    assert.match(uriError('http://127.0.0.1:9000/', 'public') ?? '', /https/)
  })

  it('is reached', async () => {
    const { status } = await send(canary.url, 'public and loopback', systemResolve())
    const named = await send(`http://localhost:${canary.port}/`, 'public and loopback', systemResolve())
    assert.deepEqual([status, named.status], [204, 204])
  })
})

describe('a webhookURI', () => {
  const WRONG = [
    'partner.example/hooks',
    'ftp://partner.example/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'https://user@partner.example/',
    'https://user:secret@partner.example/',
    'https://intranet/hooks',
    'https://',
    'https://partner.example/a b',
    'https://partner.example/\n',
    'https://１２７.0.0.1/',
    `https://partner.example/${'x'.repeat(2_048)}`,
  ]
  for (const uri of WRONG) {
    it(`must not be ${JSON.stringify(uri.slice(0, 50))}`, () => {
      assert.match(uriError(uri, 'public') ?? '', /must/)
      assert.match(uriError(uri, 'public and loopback') ?? '', /must/)
    })
  }
})
