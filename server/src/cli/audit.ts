import { verifyAudit } from '../audit/verify.ts'
import type { Commands } from './input.ts'
import { onDatabase } from './operate.ts'

export const commands: Commands = {
  verify: onDatabase(async ({ db }) => {
    const findings: string[] = []
    const report = await verifyAudit(db, (finding) => findings.push(`- ${finding}`))
    const { chains, entries, anchors, newestAnchor } = report
    const newest = newestAnchor ? `, newest ${newestAnchor}` : ''
    const counts = `${entries} entries in ${chains} chains, ${anchors} anchors${newest}`
    if (!findings.length) return `The audit is whole: ${counts}.`
    process.exitCode = 1
    return [...findings, `The audit is NOT whole: ${counts}.`].join('\n')
  }),
}
