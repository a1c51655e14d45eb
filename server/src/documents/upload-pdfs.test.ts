import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { filesPath, leftBehind, nothingSpooled, offer } from '../../test/fixtures/documents.ts'
import { upload } from '../../test/fixtures/multipart.ts'
import { pdfCorpus } from '../../test/fixtures/pdf-corpus/corpus.ts'
import { sharedService, type TestService } from '../../test/fixtures/service.ts'
import { aWorkspace, errorsOf, FIRM } from '../../test/fixtures/workspaces.ts'

// What platform/pdf says about a file is the answer; a file that is refused leaves nothing behind. One sample of each
// kind: `platform/pdf/corpus.test.ts` checks them all.

let service: TestService
let path: string
before(async () => {
  service = await sharedService('idle')
  path = filesPath((await aWorkspace(service)).workspaceId)
})

const oneOfEachKind = [...Map.groupBy(pdfCorpus(), ({ expected }) => String(expected)).values()]
  .flatMap(([first]) => first ?? [])
  // Some take seconds, and some need a lower limit than the service has.
  .filter(({ expected }) => !/could not be checked| 1,000,000/.test(String(expected)))

describe('an upload', () => {
  for (const { name, expected, bytes } of oneOfEachKind) {
    it(`is ${expected === 'good' ? 'accepted' : 'refused'}: ${name}`, async () => {
      const before = await nothingSpooled(service)
      const answer = await upload(service, path, { ...FIRM, fields: offer(), file: await bytes() })
      if (expected === 'good') return assert.equal(answer.status, 202, answer.text)
      const [fault, ...more] = errorsOf(answer)
      assert.deepEqual([answer.status, fault?.field, more], [400, 'file', []], answer.text)
      assert.match(fault?.message ?? '', expected)
      assert.deepEqual(await leftBehind(service), before)
    })
  }
})
