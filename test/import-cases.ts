import type { contract } from '#contract/index.ts'
import type { Cases } from './cases.ts'
import { foreignTo, list } from './foreign.ts'
import { fresh } from './places.ts'

/** Sources and runs of feeds belong to a rooftop, or to those who reach the whole customer. */
export const importCases: Pick<Cases<typeof contract>, 'feedSources' | 'feedRuns'> = {
  feedSources: {
    list,
    get: { input: async ({ addFeedSource }) => ({ id: await addFeedSource() }), foreign: foreignTo(404) },
    add: {
      input: async ({ addLot }) => ({ name: fresh('Source'), lotIds: [await addLot()] }),
      foreign: foreignTo(400),
    },
    update: {
      input: async ({ addFeedSource }) => ({ id: await addFeedSource(), name: fresh('Source') }),
      foreign: foreignTo(404),
    },
    remove: { input: async ({ addFeedSource }) => ({ id: await addFeedSource() }), foreign: foreignTo(404) },
  },
  feedRuns: {
    list: {
      input: () => ({ search: 'a', sort: '-createdAt', page: 1, pageSize: 20 }),
      foreign: 'takes no ids',
    },
    get: { input: async ({ addFeedRun }) => ({ id: await addFeedRun() }), foreign: foreignTo(404) },
    rows: { input: async ({ addFeedRun }) => ({ runId: await addFeedRun() }), foreign: foreignTo(404) },
    add: {
      input: async ({ addFeedSource }) => ({ sourceId: await addFeedSource() }),
      foreign: foreignTo(404),
    },
    addSecond: { input: async ({ addFeedRun }) => ({ id: await addFeedRun() }), foreign: foreignTo(404) },
    apply: { input: async ({ addFeedRun }) => ({ id: await addFeedRun() }), foreign: foreignTo(404) },
    cancel: { input: async ({ addFeedRun }) => ({ id: await addFeedRun() }), foreign: foreignTo(404) },
    // Its run has no rows (feed-runs.test.ts mends some).
    mend: {
      input: async ({ addFeedRun }) => ({ runId: await addFeedRun(), id: '1', values: { stock: 'A1' } }),
      letIn: 404,
      foreign: foreignTo(404),
    },
    undo: { input: async ({ addFeedRun }) => ({ id: await addFeedRun('applied') }), foreign: foreignTo(404) },
  },
}
