import { createWriteStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { actorName } from '../audit/record.ts'
import { type Blobs, openBlobs } from '../platform/blobs/blobs.ts'
import { readChunks } from '../platform/blobs/pour.ts'
import { businessNow } from '../platform/operations/state.ts'
import { writeZip, type ZipPart } from '../platform/zip-writer.ts'
import { eraseForSubject, erasePersonForSubject, noteExport, type SubjectReport } from '../retention/answer.ts'
import { findMatters, findPeople, type Subject, type SubjectMatter } from '../retention/subject.ts'
import { type Commands, type Options, required, UsageError } from './input.ts'
import { type Operation, onDatabase, operatorAt } from './operate.ts'

// `lodgeway subject`: answers the request of a person about their data. The report is the evidence of the answer.

export const commands: Commands = { export: onDatabase(exportSubject), erase: onDatabase(eraseSubject) }

async function exportSubject({ config, db, options }: Operation): Promise<string> {
  const out = required(options, 'out')
  const subject = subjectIn(options)
  const actor = operatorAt(await businessNow(db))
  const matters = await findMatters(db, subject)
  const people = await findPeople(db, subject)
  const report: SubjectReport = {
    ...headOf('export', subject, actor),
    matters: matters.map((matter) => ({ ...shown(matter), decision: 'exported' })),
    people: people.map(({ enabled: _, ...person }) => ({ ...person, decision: 'exported' })),
  }
  const blobs = await openBlobs({ url: config.blobUrl, dataDir: config.dataDir })
  try {
    const parts = partsOf(report, matters, people, blobs)
    await pipeline(Readable.from(writeZip(parts, actor.at)), createWriteStream(out, { flags: 'wx', mode: 0o600 }))
  } finally {
    blobs.close()
  }
  for (const matter of matters) await noteExport(db, matter, actor)
  return present(report, options)
}

async function* partsOf(
  report: SubjectReport,
  matters: readonly SubjectMatter[],
  people: readonly object[],
  blobs: Blobs,
): AsyncGenerator<ZipPart> {
  yield text('README.txt', README)
  yield json('report.json', report)
  if (people.length > 0) yield json('people.json', people)
  for (const { workspaceReferenceId: folder, rows, files } of matters) {
    yield json(`${folder}/rows.json`, rows)
    for (const { fileId, sha256 } of files) {
      yield { name: `${folder}/documents/${fileId}.pdf`, packed: 'no', content: contentOf(sha256) }
    }
  }

  async function* contentOf(sha256: string): AsyncGenerator<Uint8Array> {
    yield* readChunks((await blobs.open(sha256)).stream)
  }
}

const README = `What Lodgeway holds about a person.

report.json          in which matters the person was found, and in which tables
people.json          the person as a user of the console, if there is such an account
REFERENCE/rows.json  of each matter, every row with the surname, by table, as it is stored
REFERENCE/documents  the documents of the matter

Rows and documents may name other people. Check them before you hand them over.
`

async function eraseSubject({ config, db, options }: Operation): Promise<string> {
  const subject = subjectIn(options)
  const actor = operatorAt(await businessNow(db))
  const answering = { settings: config.retention, actor, dryRun: options['dry-run'] !== undefined }
  const report: SubjectReport = {
    ...headOf('erase', subject, actor),
    dryRun: answering.dryRun,
    matters: [],
    people: [],
  }
  for (const matter of await findMatters(db, subject)) {
    report.matters.push({ ...shown(matter), ...(await eraseForSubject(db, matter, answering)) })
  }
  for (const found of await findPeople(db, subject)) {
    const { enabled: _, ...person } = found
    report.people.push({ ...person, ...(await erasePersonForSubject(db, found, answering)) })
  }
  const { out } = options
  if (out) await writeFile(out, `${JSON.stringify(report, undefined, 2)}\n`, { flag: 'wx', mode: 0o600 })
  return present(report, options)
}

function subjectIn(options: Options): Subject {
  const { surname = '', forenames, postcode, email } = options
  if (surname.trim().length < 2) throw new UsageError('--surname must have two letters or more.')
  return { surname, forenames, postcode, email }
}

const headOf = (request: SubjectReport['request'], subject: Subject, actor: ReturnType<typeof operatorAt>) => ({
  request,
  dryRun: false,
  subject,
  at: actor.at.toISOString(),
  by: actorName(actor),
  correlationId: actor.correlationId,
})

function shown({ workspaceId, workspaceReferenceId, lender, lawFirm, status, endedAt, rows }: SubjectMatter) {
  const foundIn = Object.fromEntries(Object.entries(rows).map(([table, found]) => [table, found.length]))
  const ended = ['CLOSED', 'CANCELLED'].includes(status) && { endedAt: endedAt.toISOString() }
  return { workspaceId, workspaceReferenceId, lender, lawFirm, status, ...ended, foundIn }
}

function present(report: SubjectReport, options: Options): string {
  if (options['json'] !== undefined) return JSON.stringify(report, undefined, 2)
  const { matters, people, dryRun } = report
  const wordsOf = (one: { decision: string; reason?: string; until?: string }) =>
    [one.decision, one.reason, one.until && `until ${one.until}`].filter(Boolean).join('; ')
  const lines = [
    ...matters.map(
      (one) => `${one.workspaceReferenceId}  ${one.lender}, ${one.lawFirm}  ${one.status}: ${wordsOf(one)}`,
    ),
    ...people.map((one) => `${one.email}: ${wordsOf(one)}`),
  ]
  const count = `Found in ${matters.length} matters, and ${people.length} accounts of the console.`
  return [...lines, dryRun ? `${count} Nothing was changed.` : count].join('\n')
}

const json = (name: string, value: unknown): ZipPart => text(name, `${JSON.stringify(value, undefined, 2)}\n`)

const text = (name: string, content: string): ZipPart => ({
  name,
  packed: 'yes',
  content: Readable.from([Buffer.from(content)]),
})
