import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Lodgeway, UploadInput } from '../../../client/src/index.ts'
import { misused } from '../failure.ts'
import { withExamples } from '../program.ts'
import { progressBar } from '../progress.ts'
import { findWorkspaceId } from '../reference.ts'
import type { Define } from '../table.ts'

type Fields = UploadInput<'uploadFile'>['fields']
type Options = { type: string; category?: string; certification?: string; application?: string; wait: boolean }

export const define: Define = (command, run) => {
  command
    .description(
      'Uploads a PDF to a workspace, and waits until it is checked. A MORTGAGE_DEED is attached to the deed’s application ' +
        'as its main document; --application attaches another document to one.',
    )
    .argument('<ref>', 'the workspace: its id, its LW number, its reference or your own')
    .argument('<file>', 'the PDF')
    .requiredOption('--type <type>', 'its documentType, such as MORTGAGE_DEED or mortgage-offer')
    .option('--application <type or id>', 'attach it to this application of the case, such as TRANSFER_OF_WHOLE')
    .option('--category <category>', 'its documentCategory; default: by type and application')
    .option('--certification <type>', 'its certificationType: CERTIFIED, ORIGINAL or SCANNED')
    .option('--no-wait', 'do not wait for its check')
    .option('--yes', 'do not ask before a change of a live service')
  withExamples(command, [
    ['lodgeway upload NBS-1018 deed.pdf --type MORTGAGE_DEED --certification CERTIFIED'],
    ['lodgeway upload NBS-1018 offer.pdf --type mortgage-offer'],
  ]).action(
    run(async (session, reference: string, file: string, options: Options) => {
      const { terminal, print, json } = session
      const found = await stat(file).catch((error: Error) => {
        throw misused(`${file} cannot be read: ${error.message}`)
      })
      const client = await session.connect().client()
      const workspaceId = await findWorkspaceId(client, reference)
      const fields = await fieldsOf(client, workspaceId, options)
      await session.confirm(`upload ${basename(file)} to ${reference}`)
      const bar = progressBar(terminal, basename(file), found.size)
      const { fileId } = await client
        .upload('uploadFile', { path: { workspace_id: workspaceId }, file, fields, onProgress: bar.show })
        .finally(bar.end)
      if (!options.wait)
        return json ? print.json({ fileId }) : print.line(`${fileId}  ${basename(file)} is being checked`)
      const checked = await client.waitForFile({ workspaceId, fileId })
      if (json) return print.json(checked)
      print.line(`${fileId}  ${basename(file)} is uploaded, checked and stored as ${fields.documentType}`)
    }),
  )
}

const codeOf = (typed: string): string => typed.toUpperCase().replaceAll('-', '_')

// The service checks the values: it knows which there are.
async function fieldsOf(client: Lodgeway, workspaceId: string, options: Options): Promise<Fields> {
  const documentType = codeOf(options.type)
  const isDeed = documentType === 'MORTGAGE_DEED'
  const wanted = options.application ?? (isDeed ? 'MORTGAGE_DEED' : undefined)
  const applicationId = wanted && (await applicationIn(client, workspaceId, wanted))
  const category = isDeed
    ? 'APPLICATION_DOCUMENT'
    : applicationId
      ? 'SUPPORTING_DOCUMENT'
      : 'WORKSPACE_SUPPORTING_DOCUMENT'
  return {
    documentType,
    documentCategory: codeOf(options.category ?? category),
    ...(applicationId && { applicationId }),
    ...(options.certification && { certificationType: codeOf(options.certification) }),
  } as Fields
}

async function applicationIn(client: Lodgeway, workspaceId: string, wanted: string): Promise<string> {
  const { records } = await client.getLodgementCases({ query: { workspace_id: workspaceId } })
  const applications = records.flatMap((one) => one.applications)
  const found = applications.find((one) => one.applicationId === wanted || one.applicationType === codeOf(wanted))
  if (found) return found.applicationId
  const types = applications.map((one) => one.applicationType).join(', ')
  throw misused(`The case has no application ${wanted}. It has: ${types || 'none yet'}.`)
}
