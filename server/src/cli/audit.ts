import { type AuditReport, verifyAudit } from '../audit/verify.ts'
import { businessNow } from '../platform/operations/state.ts'
import { type Commands, UsageError } from './input.ts'
import { onDatabase } from './operate.ts'

export const commands: Commands = {
  verify: onDatabase(async ({ db, options: { anchor } }) => {
    if (anchor !== undefined && !/^[0-9a-f]{64}$/i.test(anchor)) {
      throw new UsageError('--anchor must be the hash of an anchor: 64 hexadecimal digits.')
    }
    const report = await verifyAudit(db, { now: await businessNow(db), ...(anchor && { anchor }) })
    if (report.findings.length) process.exitCode = 1
    return present(report, anchor)
  }),
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
