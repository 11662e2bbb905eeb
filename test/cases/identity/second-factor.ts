import type { contract } from '#contract/index.ts'
import type { Cases } from '#test/cases/cases.ts'
import { foreignTo } from '#test/cases/foreign.ts'
import type { Place } from '#test/factories/places.ts'

/** Wrong on purpose: the right one would leave an authenticator behind, and it is everybody's own. */
const wrongPassword = {
  input: () => ({ password: 'not the right one' }),
  letIn: 400,
  foreign: 'takes no ids',
} as const

/** Nobody in the matrices has a factor: second-factor.test.ts is about those who have. */
export const factorCases: Pick<Cases<typeof contract>, 'secondFactor'> = {
  secondFactor: {
    getOtpList: { input: () => ({}), foreign: 'takes no ids' },
    sendOtp: { input: () => ({ type: 'email' }), letIn: 400, foreign: 'takes no ids' },
    verifyOtp: { input: () => ({ otp: '000000' }), letIn: 400, foreign: 'takes no ids' },
    own: { input: () => ({}), foreign: 'takes no ids' },
    startAuthenticator: wrongPassword,
    confirmAuthenticator: { input: () => ({ otp: '000000' }), letIn: 400, foreign: 'takes no ids' },
    removeAuthenticator: wrongPassword,
    renewBackupCodes: wrongPassword,
    forgetDevice: {
      input: () => ({ id: '00000000-0000-4000-8000-000000000000' }),
      letIn: 404,
      foreign: 'takes no ids',
    },
    takeAway: {
      input: async ({ createUser }: Place) => ({ id: await createUser() }),
      // They have none.
      letIn: 409,
      foreign: foreignTo(404),
    },
  },
}
