import { type Desk, propertiesOf, type Tool } from './tool.ts'

const LIMIT = 20

/** The filters are those of the interface's own list. */
export const findMatters = (desk: Desk): Tool => ({
  name: 'find_matters',
  title: 'Find matters',
  description:
    'Lists the matters (workspaces) that this client may see, with status, whose turn it is and for which task. ' +
    '`q` searches by reference, LW number, title number, postcode or surname; `turn` and `task` find what waits for whom.',
  input: {
    type: 'object',
    properties: propertiesOf(desk, 'listWorkspaces', ['query']),
  },
  isReadOnly: true,
  async run(query) {
    const { data, correlationId } = await desk.client.call('listWorkspaces', { query: { limit: LIMIT, ...query } })
    if (data.records.length === 0)
      return { correlationId, records: [], next: 'Nothing fits. Leave out a filter, or search with `q` alone.' }
    return { correlationId, ...data }
  },
})
