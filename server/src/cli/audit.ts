import { type AuditReport, verifyAudit } from '../audit/verify.ts'
import { type PackReport, verifyPack } from '../evidence/verify.ts'
import { businessNow } from '../platform/operations/state.ts'
import { type Commands, UsageError } from './input.ts'
import { onDatabase } from './operate.ts'

export const commands: Commands = {
  async verify(input) {
    const { anchor, pack } = input.options
    if (anchor !== undefined && !/^[0-9a-f]{64}$/i.test(anchor)) {
      throw new UsageError('--anchor must be the hash of an anchor: 64 hexadecimal digits.')
    }
    return pack === undefined ? verifyDatabase(input) : verifyFile(pack, anchor)
  },
}

const verifyDatabase = onDatabase(async ({ db, options: { anchor } }) => {
  const report = await verifyAudit(db, { now: await businessNow(db), ...(anchor && { anchor }) })
  if (report.findings.length) process.exitCode = 1
  return present(report, anchor)
})

/** Needs neither a database nor settings. */
async function verifyFile(path: string, anchor: string | undefined): Promise<string> {
  const report = await verifyPack(path).catch((error: Error) => {
    throw new UsageError(`${path} is not a whole ZIP, or cannot be read: ${error.message}`)
  })
  const { newestAnchor: newest } = report
  if (anchor && newest?.hash !== anchor.toLowerCase()) {
    report.findings.push(`The newest anchor of the pack is ${newest?.hash ?? 'none'}, not ${anchor}.`)
  }
  if (report.findings.length) process.exitCode = 1
  return presentPack(report)
}

function presentPack({ manifest, entries, unchecked, newestAnchor, findings }: PackReport): string {
  const { files = [], leftOut = [], workspaceId, madeAt } = manifest ?? {}
  const counts = [
    ...(manifest ? [`workspace ${workspaceId}, made ${madeAt}`] : []),
    `${files.length} files`,
    `${entries} audit entries`,
    ...(unchecked ? [`${unchecked} of them by their hash alone`] : []),
    ...(leftOut.length ? [`left out: ${leftOut.join(', ')}`] : []),
    newestAnchor
      ? `anchor ${newestAnchor.hash} of ${newestAnchor.sealedAt.slice(0, 10)}`
      : 'not sealed by an anchor yet',
  ]
  return [
    ...findings.map((finding) => `- ${finding}`),
    `The pack is ${findings.length ? 'NOT ' : ''}whole: ${counts.join('; ')}.`,
  ].join('\n')
}

function present({ findings, notices, ...report }: AuditReport, anchor: string | undefined): string {
  const { chains, entries, erased, anchors, newestAnchor } = report
  const counts = [
    `${entries} entries in ${chains} chains`,
    ...(erased ? [`${erased} payloads erased`] : []),
    `${anchors} anchors`,
    ...(newestAnchor ? [`newest ${newestAnchor}`] : []),
  ]
  const found = anchor && !findings.length ? ' Your anchor is among them.' : ''
  return [
    ...findings.map((finding) => `- ${finding}`),
    ...notices.map((notice) => `! ${notice}`),
    `The audit is ${findings.length ? 'NOT ' : ''}whole: ${counts.join(', ')}.${found}`,
  ].join('\n')
}
