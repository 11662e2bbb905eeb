import type { contract } from '#contract/index.ts'
import type { Cases } from '#test/cases/cases.ts'
import { foreignTo, list } from '#test/cases/foreign.ts'
import { fresh, type Place } from '#test/factories/places.ts'

const ofSource = async ({ addFeedSource }: Place) => ({ id: await addFeedSource() })

/** Sources and runs of feeds belong to a rooftop, or to those who reach the whole customer. */
export const importCases: Pick<Cases<typeof contract>, 'feedSources' | 'inboundFeeds' | 'feedRuns'> = {
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
    remove: { input: ofSource, foreign: foreignTo(404) },
    // Its files are brought by people (feed-fetching.test.ts fetches some).
    fetch: { input: ofSource, letIn: 409, foreign: foreignTo(404) },
    test: { input: ofSource, letIn: 409, foreign: foreignTo(404) },
    forgetHostKey: { input: ofSource, foreign: foreignTo(404) },
    renewToken: { input: ofSource, letIn: 409, foreign: foreignTo(404) },
    arrivals: { input: ofSource, foreign: foreignTo(404) },
  },
  inboundFeeds: {
    // Nobody made an address (feed-inbound.test.ts sends to some).
    push: { input: () => ({ token: 'none' }), letIn: 404, foreign: 'takes no ids' },
    mail: { input: () => ({ token: 'none' }), letIn: 404, foreign: 'takes no ids' },
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
    addSecond: {
      input: async ({ addFeedRun }) => ({ id: await addFeedRun('waiting') }),
      foreign: foreignTo(404),
    },
    // Its file is not kept (feed-again.test.ts reads some again).
    readAgain: {
      input: async ({ addFeedRun }) => ({ id: await addFeedRun() }),
      letIn: 409,
      foreign: foreignTo(404),
    },
    sample: {
      input: async ({ addFeedRun }) => ({ id: await addFeedRun() }),
      letIn: 409,
      foreign: foreignTo(404),
    },
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
