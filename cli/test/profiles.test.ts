import assert from 'node:assert/strict'
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import { chooseProfile, profilesPath, saveProfile, secretOf } from '../src/profiles.ts'
import { lodgeway } from './harness.ts'

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lodgeway-profiles-'))
})
beforeEach(() => rm(join(folder, 'lodgeway'), { recursive: true, force: true }))
after(() => rm(folder, { recursive: true, force: true }))

const acme = { url: 'https://api.example', clientId: 'acme', clientSecret: 's' }
const here = (more: Record<string, string> = {}) => ({ XDG_CONFIG_HOME: folder, ...more })
const WHOLE = { LODGEWAY_URL: 'https://env.example', LODGEWAY_CLIENT_ID: 'env', LODGEWAY_CLIENT_SECRET: 'e' }

describe('chooseProfile', () => {
  const CASES: [what: string, env: Record<string, string>, chosen: object, gives: object][] = [
    ['the one of the last login', {}, {}, { name: 'acme', url: 'https://api.example', source: 'file' }],
    ['the one that the environment names', { LODGEWAY_PROFILE: 'sandbox-lender' }, {}, { clientId: 'sandbox-lender' }],
    ['the environment alone', WHOLE, {}, { name: 'environment', url: 'https://env.example', clientId: 'env' }],
    [
      'an address of the environment',
      { LODGEWAY_URL: 'https://e.example' },
      {},
      { name: 'acme', url: 'https://e.example' },
    ],
    ['--profile over the environment', WHOLE, { profile: 'acme' }, { clientId: 'acme', url: 'https://api.example' }],
    [
      'the address of another sandbox on this machine with --profile',
      { LODGEWAY_URL: 'http://127.0.0.1:9090' },
      { profile: 'sandbox-lender' },
      { clientId: 'sandbox-lender', url: 'http://127.0.0.1:9090' },
    ],
    ['--url over all', WHOLE, { url: 'https://u.example/' }, { url: 'https://u.example', clientId: 'env' }],
    [
      'a sandbox elsewhere on this machine',
      {},
      { profile: 'sandbox-lender', url: 'http://localhost:9090' },
      { source: 'built in' },
    ],
  ]
  for (const [what, env, chosen, gives] of CASES) {
    it(`takes ${what}`, () => {
      saveProfile(here(), 'acme', acme)
      assert.partialDeepStrictEqual(chooseProfile(here(env), chosen), gives)
    })
  }

  const REFUSED: [chosen: object, says: RegExp][] = [
    [{ profile: 'nobody' }, /There is no profile nobody: there are sandbox-lender, sandbox-law-firm\./],
    [{ profile: 'toString' }, /There is no profile toString/],
    [{ profile: 'sandbox-lender', url: 'https://api.example' }, /is for a sandbox on this machine/],
    [{ url: 'api.example' }, /"api\.example" is not an address such as/],
  ]
  for (const [chosen, says] of REFUSED) {
    it(`refuses ${JSON.stringify(chosen)}`, () => {
      assert.throws(() => chooseProfile(here(), chosen), says)
    })
  }
})

describe('the file', () => {
  it('is readable by its owner alone, and refused when others may read it', async () => {
    saveProfile(here(), 'acme', acme)
    const path = profilesPath(here())
    assert.equal((await stat(path)).mode & 0o777, 0o600)
    await chmod(path, 0o640)
    const { code, errors } = await lodgeway(['profiles'], { env: here() })
    assert.equal(code, 2)
    assert.match(errors, /others may read it \(mode 640\)\. Run: chmod 600 /)
  })

  it('may be broken, which is said in a sentence', async () => {
    await mkdir(dirname(profilesPath(here())), { recursive: true })
    await writeFile(profilesPath(here()), '{', { mode: 0o600 })
    assert.match((await lodgeway(['profiles'], { env: here() })).errors, /profiles\.json is not JSON/)
  })

  it('may have a command that prints the secret', async () => {
    const profile = { name: 'a', source: 'file', url: '', clientId: 'a' } as const
    assert.equal(await secretOf({ ...profile, secretCommand: 'echo " hidden "' }), 'hidden')
    await assert.rejects(secretOf({ ...profile, secretCommand: 'exit 3' }), /secretCommand of the profile a failed/)
  })

  it('is changed by --use and --forget', async () => {
    saveProfile(here(), 'acme', acme)
    const used = await lodgeway(['profiles', '--use', 'sandbox-lender'], { env: here() })
    assert.match(used.output, /^\* +sandbox-lender +http:\/\/127\.0\.0\.1:8080 +sandbox-lender +kept +built in$/m)
    const { output } = await lodgeway(['profiles', '--forget', 'acme', '--json'], { env: here() })
    assert.doesNotMatch(output + (await readFile(profilesPath(here()), 'utf8')), /acme/)
  })
})
