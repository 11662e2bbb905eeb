import type { contract } from '#contract/index.ts'
import { fileKey } from '#server/channels/channels/channel-row.ts'
import type { Cases } from '#test/cases/cases.ts'
import { customerWide, foreignTo, list } from '#test/cases/foreign.ts'
import { fresh, type TestOrganization } from '#test/factories/test-organization.ts'
import { secrets } from '#test/harness/secrets.ts'

const ofChannel = async ({ addChannel }: TestOrganization) => ({ id: await addChannel() })

/** Changed only by users with access to the whole customer, read by all of its users. */
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
    // No run yet, so no file (channels.test.ts downloads files).
    file: {
      input: async ({ customerId, addChannel }) => ({
        file: `${fileKey(secrets, { customerId, id: await addChannel(), addressNumber: 1 })}.csv`,
      }),
      allowedStatus: 404,
      foreign: 'takes no ids',
    },
    picture: { input: () => ({ key: 'none' }), allowedStatus: 404, foreign: 'takes no ids' },
  },
}
