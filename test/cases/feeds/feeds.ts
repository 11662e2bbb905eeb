import type { contract } from '#contract/index.ts'
import type { Cases } from '#test/cases/cases.ts'
import { foreignTo, list } from '#test/cases/foreign.ts'
import { fresh, type TestOrganization } from '#test/factories/test-organization.ts'

const sourceInput = async ({ addFeedSource }: TestOrganization) => ({ id: await addFeedSource() })

/** Feed sources and runs belong to an organization, or to users with access to the whole customer. */
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
    remove: { input: sourceInput, foreign: foreignTo(404) },
    // Files are uploaded to this source, not fetched (feed-fetching.test.ts tests fetching).
    fetch: { input: sourceInput, allowedStatus: 409, foreign: foreignTo(404) },
    test: { input: sourceInput, allowedStatus: 409, foreign: foreignTo(404) },
    forgetHostKey: { input: sourceInput, foreign: foreignTo(404) },
    renewToken: { input: sourceInput, allowedStatus: 409, foreign: foreignTo(404) },
    deliveries: { input: sourceInput, foreign: foreignTo(404) },
  },
  inboundFeeds: {
    // The source has no URL (feed-inbound.test.ts tests sending).
    push: { input: () => ({ token: 'none' }), allowedStatus: 404, foreign: 'takes no ids' },
    mail: { input: () => ({ token: 'none' }), allowedStatus: 404, foreign: 'takes no ids' },
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
    readAgain: {
      input: async ({ addFeedRun }) => ({ id: await addFeedRun() }),
      foreign: foreignTo(404),
    },
    sample: {
      input: async ({ addFeedRun }) => ({ id: await addFeedRun() }),
      foreign: foreignTo(404),
    },
    apply: { input: async ({ addFeedRun }) => ({ id: await addFeedRun() }), foreign: foreignTo(404) },
    cancel: { input: async ({ addFeedRun }) => ({ id: await addFeedRun() }), foreign: foreignTo(404) },
    // Row 1 belongs to another run (feed-runs.test.ts tests fixing rows).
    fixRow: {
      input: async ({ addFeedRun }) => ({ runId: await addFeedRun(), id: '1', values: { stock: 'A1' } }),
      allowedStatus: 404,
      foreign: foreignTo(404),
    },
    // The run asks nothing (feed-questions.test.ts tests answers).
    answerQuestions: {
      input: async ({ addFeedRun }) => ({ id: await addFeedRun(), answers: { 'status:x': 'sold' } }),
      allowedStatus: 409,
      foreign: foreignTo(404),
    },
    // The run has no price to decide about (source-prices.test.ts tests answers).
    answerPrices: {
      input: async ({ addFeedRun }) => ({ runId: await addFeedRun(), answer: 'keep' as const }),
      allowedStatus: 409,
      foreign: foreignTo(404),
    },
    // The run has no lower mileage (vin-and-mileage.test.ts tests answers).
    answerMileages: {
      input: async ({ addFeedRun }) => ({ runId: await addFeedRun(), answer: 'keep' as const }),
      allowedStatus: 409,
      foreign: foreignTo(404),
    },
    undoEffect: {
      input: async ({ addFeedRun }) => ({ id: await addFeedRun('applied') }),
      foreign: foreignTo(404),
    },
    undo: { input: async ({ addFeedRun }) => ({ id: await addFeedRun('applied') }), foreign: foreignTo(404) },
  },
}
