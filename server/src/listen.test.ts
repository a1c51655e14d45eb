import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, it } from 'node:test'
import { adviceOn, checkListener, type Listener, whyTaken } from './listen.ts'

const NODE_ID = '0b0f3c3e-7f1c-4e8e-9d3a-000000000001'

describe('a server that cannot listen', () => {
  const CASES: [code: string, setting: Listener['setting'], message: RegExp, fix: RegExp][] = [
    ['EACCES', 'PORT', /^This user may not listen on PORT 80\.$/, /: PORT=[1-9]\d{3,} npm start$/],
    ['EADDRINUSE', 'ADMIN_PORT', /^ADMIN_PORT 80 is in use by another program\.$/, /: ADMIN_PORT=\d+ npm start$/],
    ['EADDRNOTAVAIL', 'PORT', /^HOST 127\.0\.0\.1 is not an address/, /: HOST=127\.0\.0\.1 npm start$/],
    ['ENOTFOUND', 'ADMIN_PORT', /^ADMIN_HOST 127\.0\.0\.1 is not/, /: ADMIN_HOST=127\.0\.0\.1 npm start$/],
    ['EMFILE', 'PORT', /^Cannot listen where HOST and PORT say: no\.$/, /docs\/operations\.md/],
  ]
  for (const [code, setting, message, fix] of CASES) {
    it(`names the setting and a command that works: ${code}`, async () => {
      const listener = { setting, host: '127.0.0.1', port: 80, start: 'npm start' }
      const advice = await adviceOn(listener, Object.assign(new Error('no'), { code }))
      assert.match(advice.message, message)
      assert.match(advice.fix, fix)
    })
  }

  it('says whether another Lodgeway has the port, and offers one that is free', async () => {
    for (const [answer, who] of [
      [{ status: 'live', nodeId: NODE_ID }, 'Lodgeway'],
      [{ status: 'fine' }, 'program'],
    ] as const) {
      await using other = createServer((_, response) => response.end(JSON.stringify(answer))).listen(0, '127.0.0.1')
      await once(other, 'listening')
      const { port } = other.address() as AddressInfo
      const listener = { setting: 'PORT', host: '127.0.0.1', port, start: 'npm start' } as const
      const error: Error = await checkListener(listener).then(
        () => assert.fail('it is taken'),
        (thrown) => thrown,
      )
      const [, offered] =
        new RegExp(`^PORT ${port} is in use by another ${who}\\..* PORT=(\\d+) npm start$`).exec(error.message) ?? []
      assert.equal(await whyTaken({ host: '127.0.0.1', port: Number(offered) }), undefined, error.message)
      other.closeAllConnections()
    }
  })
})
