import type { contract } from '#contract/index.ts'
import { fileKey } from '#server/inventory/channels/channel-row.ts'
import type { Cases } from '#test/cases/cases.ts'
import { customerWide, foreignTo, list } from '#test/cases/foreign.ts'
import { fresh, type Place } from '#test/factories/places.ts'
import { secrets } from '#test/harness/secrets.ts'

const ofChannel = async ({ addChannel }: Place) => ({ id: await addChannel() })

/** Kept by those who reach the whole customer, read by everybody in it. */
export const channelCases: Pick<Cases<typeof contract>, 'channels' | 'publicFeeds'> = {
  channels: {
    list,
    get: { input: ofChannel, foreign: customerWide },
    add: {
      input: () => ({ name: fresh('Channel'), kind: 'google', destination: 'pull', secret: null }),
      foreign: 'takes no ids',
    },
    update: {
      input: async ({ addChannel }) => ({ id: await addChannel(), name: fresh('Channel') }),
      foreign: foreignTo(403),
    },
    remove: { input: ofChannel, foreign: foreignTo(403) },
    run: { input: ofChannel, foreign: foreignTo(403) },
    renewAddress: { input: ofChannel, foreign: foreignTo(403) },
    forgetHostKey: { input: ofChannel, foreign: foreignTo(403) },
    runs: { input: ofChannel, foreign: customerWide },
    ofVehicle: {
      input: async ({ addVehicle }) => ({ id: await addVehicle() }),
      foreign: foreignTo(404),
    },
  },
  publicFeeds: {
    // It has not run yet (channels.test.ts fetches some that have).
    file: {
      input: async ({ customerId, addChannel }) => ({
        file: `${fileKey(secrets, { customerId, id: await addChannel(), addressNumber: 1 })}.csv`,
      }),
      letIn: 404,
      foreign: 'takes no ids',
    },
    picture: { input: () => ({ key: 'none' }), letIn: 404, foreign: 'takes no ids' },
  },
}
