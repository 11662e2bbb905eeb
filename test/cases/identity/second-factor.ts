import type { contract } from '#contract/index.ts'
import type { Cases } from '#test/cases/cases.ts'
import { foreignTo } from '#test/cases/foreign.ts'
import type { TestOrganization } from '#test/factories/test-organization.ts'

/** Wrong on purpose: the right password would add an authenticator to a shared user. */
const wrongPassword = {
  input: () => ({ password: 'not the right one' }),
  allowedStatus: 400,
  foreign: 'takes no ids',
} as const

/** No user in the matrices has a second factor; second-factor.test.ts covers those who do. */
export const factorCases: Pick<Cases<typeof contract>, 'secondFactor'> = {
  secondFactor: {
    getOtpList: { input: () => ({}), foreign: 'takes no ids' },
    sendOtp: { input: () => ({ type: 'email' }), allowedStatus: 400, foreign: 'takes no ids' },
    verifyOtp: { input: () => ({ otp: '000000' }), allowedStatus: 400, foreign: 'takes no ids' },
    // Only for users who have to set up an authenticator.
    beginSetup: { input: () => ({}), allowedStatus: 409, foreign: 'takes no ids' },
    finishSetup: { input: () => ({ otp: '000000' }), allowedStatus: 409, foreign: 'takes no ids' },
    own: { input: () => ({}), foreign: 'takes no ids' },
    startAuthenticator: wrongPassword,
    confirmAuthenticator: { input: () => ({ otp: '000000' }), allowedStatus: 400, foreign: 'takes no ids' },
    removeAuthenticator: wrongPassword,
    renewBackupCodes: wrongPassword,
    forgetDevice: {
      input: () => ({ id: '00000000-0000-4000-8000-000000000000' }),
      allowedStatus: 404,
      foreign: 'takes no ids',
    },
    reset: {
      input: async ({ createUser }: TestOrganization) => ({ id: await createUser() }),
      // The user has no authenticator.
      allowedStatus: 409,
      foreign: foreignTo(404),
    },
  },
}
