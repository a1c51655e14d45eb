import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ALL_SCOPES } from '../auth/scopes.ts'
import { readCookie, sessionCookie, setCookie } from './cookies.ts'
import { checkPerson, decidesOf, ROLES, returnPath, type Session, scopesOf, type Way } from './rules.ts'
import { checkConsoleHost, isFromOurPages } from './rules-origin.ts'

describe('scopesOf', () => {
  it('gives each scope to some role, none of them to operators, and decisions to approvers alone', () => {
    assert.deepEqual([...scopesOf(ROLES)].sort(), [...ALL_SCOPES].sort())
    assert.equal(scopesOf(['operator']).size, 0)
    for (const role of ROLES) {
      assert.equal(scopesOf([role]).has('x-api:authorise:funds'), role === 'approver')
      assert.equal(scopesOf([role]).has('x-api:cancel:workspaces'), role === 'preparer')
      assert.equal(scopesOf([role]).has('edit:notification_registrations'), role === 'developer')
      assert.equal(scopesOf([role]).has('view:workspaces'), !['developer', 'operator'].includes(role))
    }
  })
})

describe('decidesOf', () => {
  const now = new Date('2026-03-14T12:00:00Z')
  const CASES: [way: Way, at: string | null, sandbox: boolean, stepUpMinutes: number, decides: Session['decides']][] = [
    ['PROVIDER', '2026-03-14T11:46:00Z', false, 15, 'now'],
    ['PROVIDER', '2026-03-14T11:45:00Z', false, 15, 'again'],
    ['PROVIDER', null, false, 15, 'again'],
    ['PROVIDER', null, false, 0, 'now'],
    ['PROVIDER', null, true, 15, 'again'],
    ['SANDBOX', null, true, 15, 'now'],
    ['LINK', null, true, 15, 'now'],
    ['LINK', null, false, 15, 'never'],
    ['LINK', null, false, 0, 'never'],
  ]
  for (const [way, at, sandbox, stepUpMinutes, decides] of CASES) {
    it(`is ${decides} for ${JSON.stringify({ way, at, sandbox, stepUpMinutes })}`, () => {
      const session = { way, authenticatedAt: at === null ? null : new Date(at) }
      assert.equal(decidesOf(session, { sandbox, stepUpMinutes }, now), decides)
    })
  }
})

describe('checkPerson', () => {
  const GOOD = { name: 'Ann', email: 'ann@a.example', roles: ['viewer'], subscriberId: 's' }
  it('accepts a person of a subscriber, and an operator of none', () => {
    checkPerson(GOOD)
    checkPerson({ ...GOOD, roles: ['operator'], subscriberId: undefined })
  })
  const WRONG: [object, RegExp][] = [
    [{ name: '' }, /name must/],
    [{ email: 'ann' }, /email must/],
    [{ roles: [] }, /roles must/],
    [{ roles: ['boss'] }, /roles must/],
    [{ roles: ['operator', 'viewer'], subscriberId: undefined }, /no other role/],
    [{ roles: ['operator'] }, /subscriber is needed/],
    [{ subscriberId: undefined }, /subscriber is needed/],
  ]
  for (const [change, message] of WRONG) {
    it(`refuses ${JSON.stringify(change)}`, () => assert.throws(() => checkPerson({ ...GOOD, ...change }), message))
  }
})

describe('returnPath', () => {
  const CASES: [text: string | undefined, path: string][] = [
    ['/console/matters?q=a&b=1#x', '/console/matters?q=a&b=1'],
    ['/console', '/console'],
    ...[
      undefined,
      '',
      '/',
      '/docs',
      '/consoles/x',
      'https://evil.example/console/',
      '//evil.example/console/',
      '/\\evil.example/console/',
      '\\\\evil.example/console/',
      '/console/..//evil.example',
      '/console/../docs',
      '/\t/evil.example/console/',
      'javascript:alert(1)',
      'http://console.invalid@evil.example/console/',
      `/console/${'x'.repeat(3_000)}`,
    ].map((text): [string | undefined, string] => [text, '/console/']),
  ]
  for (const [text, path] of CASES) {
    it(`makes ${path} of ${String(text).slice(0, 60)}`, () => assert.equal(returnPath(text), path))
  }
})

describe('a cookie', () => {
  it('is for this host and TLS alone, but in the sandbox', () => {
    assert.equal(setCookie(sessionCookie(false), 'x'), '__Host-lodgeway=x; Path=/; HttpOnly; SameSite=Lax; Secure')
    assert.equal(setCookie(sessionCookie(true), 'x', 0), 'lodgeway=x; Path=/; HttpOnly; SameSite=Lax; Max-Age=0')
  })

  it('is read by its whole name, and not if there are two', () => {
    const read = (header: string) => readCookie(header, sessionCookie(true))
    assert.equal(read('a=1; lodgeway=x; lodgeway-sign-in=y'), 'x')
    for (const header of ['', 'lodgeway=', 'xlodgeway=x', 'lodgeway=x; lodgeway=y'])
      assert.equal(read(header), undefined)
  })
})

describe('a form', () => {
  const CASES: [method: string, site: string | null, origin: string | null, isOurs: boolean][] = [
    ['GET', 'cross-site', null, true],
    ['POST', 'same-origin', null, true],
    ['POST', 'same-origin', 'https://evil.example', true], // the browser itself says so
    ['POST', 'same-site', 'https://lodgeway.example', false],
    ['POST', 'cross-site', 'https://lodgeway.example', false],
    ['POST', 'none', null, false],
    ['POST', null, 'https://lodgeway.example', true],
    ['POST', null, 'https://lodgeway.example:8443', false],
    ['POST', null, 'http://lodgeway.example', false],
    ['POST', null, 'null', false],
    ['POST', null, null, false],
    ['DELETE', null, null, false],
  ]
  for (const [method, site, origin, isOurs] of CASES) {
    it(`is ${isOurs ? '' : 'not '}from our pages: ${method} ${site} ${origin}`, () =>
      assert.equal(isFromOurPages({ method, site, origin }, 'https://lodgeway.example/'), isOurs))
  }

  it('is sent to a host of ours', () => {
    const at = (host: string | undefined, sandbox: boolean) => () =>
      checkConsoleHost(host, { publicUrl: 'https://lodgeway.example', sandbox })
    for (const host of ['lodgeway.example', 'lodgeway.example:443']) assert.doesNotThrow(at(host, false))
    for (const host of ['127.0.0.1:8080', 'localhost', 'evil.example', '', undefined])
      assert.throws(at(host, false), /Host/)
    assert.doesNotThrow(at('localhost:8080', true))
    assert.throws(at('rebound.example', true), /Host/)
  })
})
