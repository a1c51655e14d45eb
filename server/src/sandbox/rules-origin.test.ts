import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { checkOrigin } from './rules-origin.ts'

const NAMES = ['sandbox.example', '10.0.0.7', '[fd00::7]']
const refuses = (method: string, headers: Record<string, string>) =>
  assert.throws(() => checkOrigin(method, headers, NAMES), { reason: 'forbidden' })

describe('checkOrigin', () => {
  for (const host of [
    ...['localhost', 'localhost:8080', 'LOCALHOST', 'api.localhost', '127.0.0.1:8080', '127.0.0.2', '[::1]:8080'],
    ...['sandbox.example', 'sandbox.example:8443', '10.0.0.7:8080', '[fd00::7]:80'],
  ]) {
    it(`accepts the host ${host}`, () => checkOrigin('POST', { host }, NAMES))
  }

  for (const host of [
    ...['evil.example', 'evil.example:8080', 'localhost.evil.example', '127.0.0.1.evil.example', 'evil-localhost'],
    ...['10.0.0.8', '0.0.0.0', '192.168.0.1', '[::2]', 'a b', ''],
  ]) {
    it(`refuses the host ${JSON.stringify(host)}, also for reading`, () => {
      refuses('GET', { host })
      refuses('POST', { host })
    })
  }

  const host = 'localhost:8080'
  for (const [what, headers] of [
    ['no browser', {}],
    ['a page of the service', { 'sec-fetch-site': 'same-origin', origin: 'http://localhost:8080' }],
    ['the address bar', { 'sec-fetch-site': 'none' }],
    ['a page of the service, by an old browser', { origin: 'http://localhost:8080' }],
  ] as const) {
    it(`lets ${what} change something`, () => checkOrigin('POST', { host, ...headers }, NAMES))
  }

  for (const [what, headers] of [
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another port of the same site', { 'sec-fetch-site': 'same-site' }],
    ['another site that repeats the header', { 'sec-fetch-site': 'cross-site, same-origin' }],
    ['another site, by an old browser', { origin: 'https://evil.example' }],
    ['another port, by an old browser', { origin: 'http://localhost:3000' }],
    ['a page without an origin', { origin: 'null' }],
  ] as const) {
    it(`lets ${what} read and change nothing`, () => {
      checkOrigin('GET', { host, ...headers }, NAMES)
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) refuses(method, { host, ...headers })
    })
  }
})
