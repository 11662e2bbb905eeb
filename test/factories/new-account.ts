import { auth } from '#contract/identity/auth.ts'
import { customers } from '#contract/customers/customers/customers.ts'
import { organizationProfiles } from '#contract/organizations/profile/profiles.ts'
import type { Caller, TestApp } from '#test/app.ts'
import { setUpFactor, startSignIn } from '#test/factories/identity/second-factor.ts'
import { fresh } from '#test/factories/test-organization.ts'

const PASSWORD = 'Founder7!'

/**
 * A new customer, entered as its users would: the platform's staff adds it, its administrator signs in with the emailed link
 * and adds organizations.
 */
export async function newAccount(
  forecourt: TestApp,
): Promise<{ caller: Caller; addOrganization: () => Promise<string> }> {
  const staff = await forecourt.as('super', 'Forecourt Operations')
  const word = fresh('account').replace(' ', '')
  const { id } = await staff.call(customers.add, {
    name: `Dealers ${word}`,
    organizationName: `First of ${word}`,
    timeZone: 'America/Los_Angeles',
    administrator: { firstName: 'Fay', lastName: 'Ledger', email: `fay@${word}.example` },
  })
  const { text } = await staff.call(customers.revealInvitation, { id })
  const resetValue = /#(\S+)/.exec(text)?.[1] ?? ''
  await forecourt.anonymous.call(auth.resetPassword, { resetValue, password: PASSWORD })
  const caller = await setUpFactor(forecourt, await startSignIn(forecourt, `fay@${word}.example`, PASSWORD))
  return {
    caller,
    addOrganization: async () => (await caller.call(organizationProfiles.add, { name: fresh('Entered') })).id,
  }
}
