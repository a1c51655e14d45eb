import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPdfChecker } from '../server/src/platform/pdf/pdf.ts'
import { bombs } from '../server/test/fixtures/pdf-corpus/bombs.ts'
import { flat } from '../server/test/fixtures/pdf-corpus/shapes.ts'
import { flate, onePage, stream, withTable } from '../server/test/fixtures/pdf-corpus/writer.ts'
import { readRequests } from './copies.ts'
import { type Measurement, runHttp, type Sample, type Side } from './harness.ts'
import { spreadOf } from './load.ts'
import type { Testbed } from './testbed.ts'

// The cost of checking PDFs: for other requests while the worst files are checked, and for the sender of a good file.

const CONNECTIONS = 8

/** The same reads with and without checks of the most expensive files of the corpus. */
async function latency(testbed: Testbed): Promise<Measurement> {
  const folder = await aFolder(testbed)
  const paths = await Promise.all(bombs().map(async ({ bytes }, at) => put(join(folder, String(at)), await bytes())))
  const httpLoad = { requests: await readRequests(testbed), connections: CONNECTIONS }
  const alone = (seconds: number) => runHttp(testbed.service, httpLoad, seconds)
  const meanwhile = async (seconds: number) => {
    await testbed.service.ask('startChecks', paths)
    const sample = await alone(seconds)
    await testbed.service.ask('stopChecks')
    return sample
  }
  return {
    name: 'pdf-latency',
    title: 'read a workspace while hostile PDFs are checked',
    service: { name: 'while they are checked', run: meanwhile },
    limits: [{ name: 'while none is', run: alone }],
  }
}

const check = (name: string, title: string, makeFile: () => Buffer) => ({
  [name]: async (testbed: Testbed): Promise<Measurement> => {
    const path = await put(join(await aFolder(testbed), 'file'), makeFile())
    const checker = openPdfChecker({ pagesMax: 2_000, unpackedBytesMax: 100_000_000 })
    testbed.onStop(() => checker.close())
    const hash = async () =>
      createHash('sha256')
        .update(await readFile(path))
        .digest()
    const limits = [side('reading and hashing it', hash)]
    return { name, title: `check ${title}`, service: side('check', () => checker.check(path)), limits }
  },
})

export const pdfMeasurements = {
  'pdf-latency': latency,
  ...check('pdf-check-1-page', 'a PDF of 1 page', () => flat(1)),
  ...check('pdf-check-500-pages', 'a PDF of 500 pages', () => flat(500)),
  ...check('pdf-check-1mb', 'a PDF of 1 MB', () => scans(1)),
  ...check('pdf-check-40mb', 'a PDF of 40 MB', () => scans(40)),
}

/** Pictures of a megabyte each that must be unpacked, to some two megabytes. */
function scans(count: number): Buffer {
  const picture = Buffer.alloc(1_900_000)
  for (let at = 0, value = 1; at < picture.length; at += 2) {
    value = (value * 48_271) % 2_147_483_647
    picture[at] = value
  }
  const packed = flate(picture).subarray(0, 1_040_000)
  return withTable(onePage(...Array.from({ length: count }, () => stream('/Filter /FlateDecode', packed))))
}

/** One after the other. */
function side(name: string, work: () => Promise<unknown>): Side {
  return {
    name,
    async run(seconds): Promise<Sample> {
      const times: number[] = []
      const endsAt = performance.now() + seconds * 1_000
      do {
        const startedAt = performance.now()
        await work()
        times.push(performance.now() - startedAt)
      } while (performance.now() < endsAt)
      const total = times.reduce((sum, time) => sum + time, 0)
      return { perSecond: (times.length / total) * 1_000, ...spreadOf(times) }
    },
  }
}

async function aFolder(testbed: Testbed): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'lodgeway-bench-pdf-'))
  testbed.onStop(() => rm(folder, { recursive: true }))
  return folder
}

async function put(path: string, bytes: Buffer): Promise<string> {
  await writeFile(path, bytes)
  return path
}
